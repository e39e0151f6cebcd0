import type { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { AppToken } from '#src/http/app-token.ts';
import type { HttpClient } from '#src/http/client.ts';
import type { Query } from '#src/http/request-parts.ts';
import type { PageOptions } from '#src/clients/operation/platform.ts';
import type { StreamingPlatform } from '#src/clients/streaming/bot.ts';
import type { Rows } from './wire.ts';

/** The operations of Kick. */
export type Primitives = Required<StreamingPlatform['operations']>;

interface Fetched<T> extends Rows<T> {
  readonly fetchedAt: Date;
}

/** Kick's public API with the token of the app. */
export interface KickApi {
  /** The largest number of requests for a composed page. */
  readonly pageRequests: number;
  list<T>(path: string, rows: z.ZodType<Rows<T>>, query: Query, options: PageOptions): Promise<Fetched<T>>;
}

interface KickApiOptions {
  readonly api: HttpClient;
  readonly token: AppToken;
  readonly pageRequests: number;
  readonly clock: Clock;
}

export function kickApi({ api, token, pageRequests, clock }: KickApiOptions): KickApi {
  return {
    pageRequests,
    async list(path, rows, query, { cursor, signal }) {
      const request = { path: `/public${path}`, query: { ...query, cursor }, signal };
      const response = await token.authorized(signal, (value) =>
        api.request({ ...request, headers: { authorization: `Bearer ${value}` } }),
      );
      return { ...response.json(rows), fetchedAt: new Date(clock.nowMs()) };
    },
  };
}
