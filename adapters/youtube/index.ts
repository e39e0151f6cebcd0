import type { AdapterOptions } from '#src/http/adapter-options.ts';
import { systemClock } from '#src/clock.ts';
import { lateModule } from '#src/errors.ts';
import { httpClient } from '#src/http/client.ts';
import { inRound } from '#src/http/shared-reads.ts';
import type { StreamingPlatform } from '#src/clients/streaming/bot.ts';
import { assertCredentials } from '#src/clients/operation/credentials.ts';
import { assertServerAddresses } from '#src/clients/operation/server-address.ts';
import type { WatchList } from '#src/clients/social/providers.ts';
import { awaitedVideos } from './awaited-videos.ts';
import { capabilities } from './capabilities.ts';
import { youtubeApi } from './client.ts';
import { API_KEYS, faultOf } from './errors.ts';
import { channelNames, user } from './operations/channels.ts';
import { search } from './operations/search.ts';
import { broadcasts, isLive, schedule, streams, topStreams } from './operations/streams.ts';
import { videoLists } from './operations/video-lists.ts';
import { userVideos } from './operations/videos.ts';

/** Only an installation with a public address needs it. */
const loadWebSub = lateModule('WebSub of YouTube', () => import('./websub.ts'));

/** The hub sends one entry of a feed. */
const MOST_CONTENT_BYTES = 256 * 1024;

export interface YoutubeOptions extends AdapterOptions {
  /** A key of a Google Cloud project with the YouTube Data API v3. */
  readonly apiKey: string;
  readonly apiUrl?: string | undefined;
  /** The address of the site, which has the feeds of channels. */
  readonly siteUrl?: string | undefined;
  /** Where the live and announced videos are kept; absent: in memory, so a new process does not know those that 15 newer videos followed. */
  readonly watchList?: WatchList | undefined;
  /** The hub that notifies about channels at the public address; absent: nobody notifies. */
  readonly hubUrl?: string | undefined;
}

/**
 * YouTube, read with an API key and through the feeds of channels.
 *
 * @example
 * const bot = new Bot({ platform: youtube({ apiKey }) });
 */
export function youtube({
  apiKey,
  apiUrl = 'https://www.googleapis.com/youtube/v3',
  siteUrl = 'https://www.youtube.com',
  watchList,
  hubUrl,
  account = 'youtube',
  clock = systemClock,
  log,
  rateBudgets,
  dispatcher,
}: YoutubeOptions): StreamingPlatform & AsyncDisposable {
  const shared = { platform: 'youtube', clock, log, rateBudgets, dispatcher };
  assertServerAddresses('youtube', { apiUrl, siteUrl });
  assertCredentials('youtube', { apiKey }, `pass an API key from ${API_KEYS}`);
  const http = httpClient({ ...shared, baseUrl: apiUrl, faultOf });
  const site = httpClient({ ...shared, baseUrl: siteUrl });
  const api = youtubeApi({ api: http, site, key: apiKey, clock });
  const channels = channelNames(api);
  const lists = videoLists(api, rateBudgets?.forClient?.() ?? rateBudgets);
  const live = broadcasts(api, lists, awaitedVideos(clock, watchList));

  return {
    name: 'youtube',
    account,
    inRound,
    limitsSearches: true,
    capabilities,
    operations: {
      getUser: user(channels, async (id, signal) => (await live.of(id, signal)).rows.some(isLive)),
      getSchedule: schedule(channels, live),
      getUserVideos: userVideos(api, channels, lists),
      search: search(api, channels),
      getTopStreams: topStreams(api, channels),
      getStreams: streams(channels, live),
    },
    notifier:
      hubUrl === undefined
        ? undefined
        : {
            operations: [
              { operation: 'getStreams', parameter: 'users' },
              { operation: 'getUserVideos', parameter: 'user' },
            ],
            connect: async (options) => (await loadWebSub()).connectWebSub(options, { siteUrl, hubUrl, channels, clock }),
            receiver: {
              maxBytes: MOST_CONTENT_BYTES,
              admits: async (...request) => (await loadWebSub()).admitWebSub(...request),
              receive: async (...request) => (await loadWebSub()).receiveWebSub(...request),
            },
          },
    async [Symbol.asyncDispose]() {
      await Promise.all([http[Symbol.asyncDispose](), site[Symbol.asyncDispose]()]);
    },
  };
}
