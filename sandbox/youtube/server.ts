import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { PlatformServer, SandboxContext } from '../context.ts';
import { serve } from '../control/endpoint.ts';
import { fromCursor, toCursor } from '../cursor.ts';
import { type OpenCollection, StoredMap } from '../stored-map.ts';
import type { Hub } from '../websub/hub.ts';
import { EventFeed } from '../world/event-feed.ts';
import type { WorldEvent } from '../world/world.ts';
import { youtubeHub } from './control-endpoints.ts';
import { channelJson, feedXml, videoJson } from './documents.ts';
import { type YoutubeVideo, youtubeWorld } from './videos.ts';

const NAME = 'youtube';
/** The only key. It is valid in sandboxes only. */
const KEY = 'SANDBOX-YOUTUBE-KEY';

const DAY_MS = 24 * 3_600_000;
/** Midnight in California, without summer time. */
const PACIFIC_MS = 8 * 3_600_000;
/** The requests of a day. Searches have their own quota: https://developers.google.com/youtube/v3/determine_quota_cost */
const MOST_A_DAY = { searches: 100, units: 10_000 } as const;
const MOST_ROWS = 50;
const DEFAULT_ROWS = 5;
/** The search ends after this many results. */
const MOST_FOUND = 500;
const FEED_LENGTH = 15;
/** The kinds of videos in the playlists of a channel, by a part of their ids. */
const PLAYLISTS: ReadonlyMap<string, readonly YoutubeVideo['kind'][]> = new Map([
  ['LF', ['upload', 'premiere']],
  ['LV', ['stream']],
]);

const Position = z.object({ offset: z.int().min(0) });

/** YouTube: its Data API with a key, and the feeds of channels. */
export function youtubeServer(context: SandboxContext): PlatformServer {
  const { clock, faults, journal, world: base, url } = context;
  const world = youtubeWorld(base);
  const spent = new Map<string, number>();
  const root = (): string => `${url()}/${NAME}`;
  const withRoot = () => ({ world, root: root() });
  const collection: OpenCollection = (options) => new StoredMap({ journal, ...options });
  const feed = new EventFeed({ world: base, clock, emit: (event) => void publish(event) });
  let opened: Promise<Hub> | undefined;
  /** The hub loads when it is first used. */
  const hub = (): Promise<Hub> =>
    (opened ??= import('../websub/hub.ts').then(
      (loaded) => new loaded.Hub({ platform: NAME, context, collection, onUse: (isUsed) => (isUsed ? feed.start() : feed.stop()) }),
    ));
  // The subscribers of an earlier run are notified without a request.
  if (journal.all(`${NAME}.subscriptions`).length > 0) void hub();

  /** Notifies about the begin, the end and the new titles of streams. */
  async function publish({ person }: WorldEvent): Promise<void> {
    const topic = `${root()}/feeds/videos.xml?channel_id=${world.channelId(person)}`;
    const videos = world.videosOf(person, clock.nowMs()).slice(0, 1);
    (await hub()).publish(topic, { contentType: 'application/atom+xml', body: feedXml(person.displayName, videos, world) });
  }

  const api = new Hono();
  api.use(async (c, next) => {
    const key = c.req.header('x-goog-api-key') ?? c.req.query('key');
    if (key === undefined) return refusal(403, 'forbidden', 'Method doesn’t allow unregistered callers.');
    if (key !== KEY) return refusal(400, 'badRequest', 'API key not valid. Please pass a valid API key.');
    const quota = c.req.path.endsWith('/search') ? 'searches' : 'units';
    const name = `${quota} ${Math.floor((clock.nowMs() - PACIFIC_MS) / DAY_MS)}`;
    const count = (spent.get(name) ?? 0) + 1;
    if (count > MOST_A_DAY[quota])
      return refusal(403, 'quotaExceeded', 'The request cannot be completed because you have exceeded your quota.');
    spent.set(name, count);
    return next();
  });

  function page(c: Context, kind: string, rows: readonly JsonObject[]): Response {
    const most = Number(c.req.query('maxResults') ?? DEFAULT_ROWS);
    if (!Number.isInteger(most) || most < 0 || most > MOST_ROWS) return refusal(400, 'invalidValue', 'Invalid value for maxResults.');
    const token = c.req.query('pageToken');
    const position = token === undefined ? { offset: 0 } : fromCursor(Position, token);
    if (!position) return refusal(400, 'invalidPageToken', 'The request specifies an invalid page token.');
    const fault = (name: 'endlessCursor' | 'emptyList' | 'shortList' | 'repeatedItem') =>
      faults.take(name, { platform: NAME, method: 'GET', path: c.req.path }) !== undefined;
    const start = position.offset > 0 && fault('repeatedItem') ? position.offset - 1 : position.offset;
    const end = position.offset + most;
    const isShort = fault('shortList');
    const items = fault('emptyList') ? [] : rows.slice(start, end).filter((_, index) => !isShort || index % 2 === 0);
    const next = fault('endlessCursor') ? (token ?? toCursor({ offset: end })) : end < rows.length ? toCursor({ offset: end }) : undefined;
    return c.json({
      kind,
      pageInfo: { totalResults: rows.length, resultsPerPage: most },
      items,
      ...(next !== undefined && { nextPageToken: next }),
    });
  }

  const idsIn = (c: Context): readonly string[] => (c.req.queries('id') ?? []).flatMap((ids) => ids.split(',')).filter((id) => id !== '');

  api.get('/channels', (c) => {
    const handle = c.req.query('forHandle');
    const people = handle === undefined ? idsIn(c).map((id) => world.byChannel(id)) : [world.byHandle(handle)];
    return page(
      c,
      'youtube#channelListResponse',
      people.flatMap((person) => (person ? [channelJson(person, { ...withRoot(), nowMs: clock.nowMs() })] : [])),
    );
  });

  api.get('/videos', (c) => {
    const ids = idsIn(c);
    if (ids.length > MOST_ROWS) return refusal(400, 'invalidFilters', 'The request specifies too many ids.');
    const videos = ids.flatMap((id) => world.find(id, clock.nowMs()) ?? []);
    return page(
      c,
      'youtube#videoListResponse',
      videos.map((video) => videoJson(video, withRoot())),
    );
  });

  api.get('/playlistItems', (c) => {
    const videos = playlist(c.req.query('playlistId') ?? '');
    if (!videos) return refusal(404, 'playlistNotFound', 'The playlist cannot be found.');
    return page(
      c,
      'youtube#playlistItemListResponse',
      videos.map(({ id }) => ({ contentDetails: { videoId: id } })),
    );
  });

  api.get('/search', (c) => {
    const text = (c.req.query('q') ?? '').toLowerCase();
    const { type, eventType, order, channelId } = c.req.query();
    const nowMs = clock.nowMs();
    const matches = (...texts: readonly string[]): boolean => texts.some((one) => one.toLowerCase().includes(text));
    if (type === 'channel') {
      const people = world.people.filter(({ handle, displayName }) => matches(handle, displayName));
      const rows = people.map((person) => ({ id: { kind: 'youtube#channel', channelId: world.channelId(person) } }));
      return page(c, 'youtube#searchListResponse', rows.slice(0, MOST_FOUND));
    }
    if (eventType !== undefined && type !== 'video') return refusal(400, 'invalidSearchFilter', 'eventType needs type=video.');
    const of = channelId === undefined ? undefined : world.byChannel(channelId);
    const all =
      eventType === 'live'
        ? world.live(nowMs)
        : (of ? [of] : world.people.slice(0, MOST_ROWS)).flatMap((person) => world.videosOf(person, nowMs));
    const found = all.filter((video) => matches(video.title, video.person.handle, video.person.displayName));
    const sorted = order === 'viewCount' ? found.toSorted((a, b) => heat(b) - heat(a)) : found;
    const rows = sorted.map(({ id }) => ({ id: { kind: 'youtube#video', videoId: id } }));
    return page(c, 'youtube#searchListResponse', rows.slice(0, MOST_FOUND));
  });
  api.all('*', () => refusal(404, 'notFound', 'Not Found'));

  /** The playlist of a channel: all videos, those without Shorts, or streams; undefined if there is none. */
  function playlist(id: string): readonly YoutubeVideo[] | undefined {
    const [, part = '', rest = ''] = /^UU(LF|LV|)([\w-]{22})$/u.exec(id) ?? [];
    const person = world.byChannel(`UC${rest}`);
    const kinds = PLAYLISTS.get(part);
    return person && world.videosOf(person, clock.nowMs()).filter(({ kind }) => !kinds || kinds.includes(kind));
  }

  const routes = new Hono();
  routes.route('/v3', api);
  routes.post('/hub', async (c) => (await hub()).order(c));
  routes.get('/feeds/videos.xml', (c) => {
    const person = world.byChannel(c.req.query('channel_id') ?? '');
    const videos = person ? world.videosOf(person, clock.nowMs()) : playlist(c.req.query('playlist_id') ?? '');
    if (!videos) return c.text('Error 404 (Not Found)', 404);
    const body = feedXml(person?.displayName ?? 'Videos', videos.slice(0, FEED_LENGTH), world);
    return c.body(body, 200, { 'content-type': 'text/xml; charset=UTF-8' });
  });

  const control = new Hono();
  serve(control, youtubeHub.read, async () => (await hub()).describe());
  serve(control, youtubeHub.change, async ({ body: { deny } }) => {
    (await hub()).deny(deny);
    return { denied: deny };
  });

  return {
    name: NAME,
    isOnRequest: true,
    routes,
    control,
    async close() {
      feed.stop();
      (await opened)?.close();
    },
    refuse: (status, retryAfterMs) => {
      const response = refusal(
        status,
        status === 429 ? 'rateLimitExceeded' : 'backendError',
        'The sandbox refuses the request, as ordered',
      );
      if (retryAfterMs !== undefined) response.headers.set('retry-after', String(Math.ceil(retryAfterMs / 1000)));
      return response;
    },
    environment: () => ({ YOUTUBE_API_KEY: KEY, YOUTUBE_API_URL: `${root()}/v3`, YOUTUBE_URL: root(), YOUTUBE_HUB_URL: `${root()}/hub` }),
  };
}

function heat({ viewers, viewCount }: YoutubeVideo): number {
  return viewers ?? viewCount;
}

/** An error of Google's APIs. */
function refusal(status: number, reason: string, message: string): Response {
  return Response.json({ error: { code: status, message, errors: [{ message, domain: 'youtube.sandbox', reason }] } }, { status });
}
