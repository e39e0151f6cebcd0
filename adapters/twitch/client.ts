import type { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { AppToken } from '#src/http/app-token.ts';
import type { HttpClient } from '#src/http/client.ts';
import type { Query } from '#src/http/request-parts.ts';
import type { PageOptions } from '#src/operation/platform.ts';
import type { StreamingPlatform } from '#src/streaming/bot.ts';
import { cursorAtEnd, type Rows } from './wire/rows.ts';

/** The most rows of a response, and the most values of a parameter. */
export const MOST_ROWS = 100;

/** The operations of Twitch. */
export type Primitives = Required<StreamingPlatform['operations']>;

/** The rows of one response. */
interface Fetched<T> extends Rows<T> {
  readonly fetchedAt: Date;
}

/** Twitch's API with the token of the app. */
export interface Helix {
  /** The largest number of requests for a composed page. */
  readonly pageRequests: number;
  list<T>(path: string, rows: z.ZodType<Rows<T>>, query: Query, options: PageOptions): Promise<Fetched<T>>;
}

interface HelixOptions {
  readonly api: HttpClient;
  readonly token: AppToken;
  readonly clientId: string;
  readonly pageRequests: number;
  readonly clock: Clock;
}

export function helix({ api, token, clientId, pageRequests, clock }: HelixOptions): Helix {
  return {
    pageRequests,
    async list(path, rows, query, { cursor, onNext, signal }) {
      const request = { path, query: { ...query, after: cursor }, signal };
      const response = await token.authorized(signal, (value) =>
        api.request({ ...request, headers: { authorization: `Bearer ${value}`, 'client-id': clientId } }),
      );
      const fetchedAt = new Date(clock.nowMs());
      const early = onNext && cursorAtEnd(response.text);
      // Parsing takes as long as the response, so the next request is sent before it.
      if (early !== undefined) await onNext?.(early);
      const fetched = response.json(rows);
      if (early === undefined && fetched.cursor !== undefined) await onNext?.(fetched.cursor);
      return { ...fetched, fetchedAt };
    },
  };
}
