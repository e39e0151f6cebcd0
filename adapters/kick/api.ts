import type { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { HttpClient } from '#src/http/client.ts';
import type { Query } from '#src/http/request-parts.ts';
import type { PageOptions } from '#src/operation/platform.ts';
import type { StreamingPlatform } from '#src/streaming/bot.ts';
import type { AppToken } from './token.ts';
import type { Rows } from './wire.ts';

/** What Kick fills, by operation. */
export type Primitives = Required<StreamingPlatform['operations']>;

interface Fetched<T> extends Rows<T> {
  readonly fetchedAt: Date;
}

/** Kick's public API, through the app's own token. */
export interface KickApi {
  list<T>(path: string, rows: z.ZodType<Rows<T>>, query: Query, options: PageOptions): Promise<Fetched<T>>;
}

export interface KickApiOptions {
  readonly api: HttpClient;
  readonly token: AppToken;
  readonly clock: Clock;
}

export function kickApi({ api, token, clock }: KickApiOptions): KickApi {
  return {
    async list(path, rows, query, { cursor, signal }) {
      const request = { path: `/public${path}`, query: { ...query, cursor }, signal };
      const response = await authorized(signal, (value) => api.request({ ...request, headers: { authorization: `Bearer ${value}` } }));
      return { ...response.json(rows), fetchedAt: new Date(clock.nowMs()) };
    },
  };

  /** Sends with the current token, and once more with a new one if that is refused. */
  async function authorized<T>(signal: AbortSignal | undefined, send: (value: string) => Promise<T>): Promise<T> {
    const value = await token.current(signal);
    try {
      return await send(value);
    } catch (error) {
      if (!(error instanceof PlatformError) || error.fault !== 'unauthorized') throw error;
      token.refuse(value);
      return send(await token.current(signal));
    }
  }
}
