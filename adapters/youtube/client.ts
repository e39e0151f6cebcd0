import type { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { HttpClient } from '#src/http/client.ts';
import type { Query } from '#src/http/request-parts.ts';
import type { PageOptions } from '#src/clients/operation/platform.ts';
import type { StreamingPlatform } from '#src/clients/streaming/bot.ts';
import { isFault, reworded } from '#src/http/errors.ts';
import type { Rows } from './wire.ts';

/** The operations of YouTube. */
export type Primitives = Required<StreamingPlatform['operations']>;

/** The most rows of a response, and the most ids in a request. */
export const MOST_ROWS = 50;

/** At most 10,000 units in 24 hours: the burst and the units of one day. Each request costs 1 unit. */
const UNITS = { budget: 'all', pace: { perSecond: 8_000 / 86_400, burst: 2_000 } } as const;
/** Searches have a quota of their own, 100 a day: https://developers.google.com/youtube/v3/determine_quota_cost */
const SEARCHES = { budget: 'searches', pace: { perSecond: 80 / 86_400, burst: 20 } } as const;

const NO_SEARCH_LEFT = 'youtube: the searches of the key are used up until midnight in California: try again later.';

/** The API with a key, and the feeds of channels. */
export interface YoutubeApi {
  readonly clock: Clock;
  list<T>(
    path: '/channels' | '/videos' | '/playlistItems' | '/search',
    rows: z.ZodType<Rows<T>>,
    query: Query,
    options: PageOptions,
  ): Promise<Rows<T> & { readonly fetchedAt: Date }>;
  /** The ids of the last 15 videos of a channel or of a playlist, newest first. It costs no quota. */
  feed(
    query: { readonly channel_id: string } | { readonly playlist_id: string },
    signal: AbortSignal | undefined,
  ): Promise<readonly string[]>;
}

interface YoutubeApiOptions {
  readonly api: HttpClient;
  readonly site: HttpClient;
  readonly key: string;
  readonly clock: Clock;
}

export function youtubeApi({ api, site, key, clock }: YoutubeApiOptions): YoutubeApi {
  return {
    clock,
    async list(path, rows, query, { cursor, signal }) {
      const isSearch = path === '/search';
      const request = { path, query: { ...query, pageToken: cursor }, headers: { 'x-goog-api-key': key }, signal };
      const response = await api.request({ ...request, ...(isSearch ? SEARCHES : UNITS) }).catch((error: unknown) => {
        // The other requests still have their quota, so the account is not paused.
        throw isSearch && isFault(error, 'quotaExhausted') ? reworded(error, NO_SEARCH_LEFT, 'rateLimited') : error;
      });
      return { ...response.json(rows), fetchedAt: new Date(clock.nowMs()) };
    },
    async feed(query, signal) {
      const { text } = await site.request({
        path: '/feeds/videos.xml',
        query,
        headers: { accept: 'application/atom+xml' },
        budget: 'feeds',
        answersInXml: true,
        refusesInPages: true,
        signal,
      });
      return [...text.matchAll(/<yt:videoId>([\w-]{1,32})<\/yt:videoId>/gu)].flatMap(([, id]) => id ?? []);
    },
  };
}
