import { mostLikedFirst, trendsAt } from '../social/discovery.ts';
import type { StoredPost } from '../social/posts.ts';
import { timelineOf } from '../social/records.ts';
import { postsPage } from './answer.ts';
import { instantOf, isId } from './ids.ts';
import { invalid, invalidParameter } from './problem.ts';
import { excludesReposts, matches, mentionsOf, parseQuery } from './query.ts';
import {
  bounded,
  BOUNDED,
  instantIn,
  viewerInPath,
  PAGED,
  personShown,
  POSTS,
  READ,
  type XRequest,
  route,
  type XRoute,
} from './request.ts';

/** How many posts X reads back in a timeline. */
const DEPTH = 3200;
const DEPTH_WITHOUT_REPLIES = 800;
const DEPTH_OF_MENTIONS = 800;
const RECENT_MS = 7 * 86_400_000;
const LONGEST_QUERY = 512;
const STEPS_MS: Readonly<Record<string, number | undefined>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
/** The places with trends: the world, and some countries and cities. */
const WOEIDS = new Set([
  '1',
  '23424829',
  '23424977',
  '23424975',
  '23424819',
  '23424856',
  '23424748',
  '638242',
  '2459115',
  '44418',
  '1118370',
]);

/** Timelines, search and trends. */
export const timelineRoutes: readonly XRoute[] = [
  route(
    'GET /users/:id/tweets',
    { ...POSTS, scopes: READ, callers: 'app', limits: { app: 10_000, user: 900 }, parameters: [...PAGED, ...BOUNDED, 'exclude'] },
    (request) => {
      const excluded = excludedIn(request);
      const timeline = timelineOf(personShown(request), request.snapshot);
      const posts = timeline.slice(0, excluded.has('replies') ? DEPTH_WITHOUT_REPLIES : DEPTH);
      return postsPage(bounded(without(posts, excluded), request), request, { size: { least: 5, most: 100, usual: 10 }, hasEnds: true });
    },
  ),
  route(
    'GET /users/:id/mentions',
    { ...POSTS, scopes: READ, callers: 'app', limits: { app: 450, user: 300 }, parameters: [...PAGED, ...BOUNDED] },
    (request) => {
      const { id, handle } = personShown(request);
      const mentions = request.snapshot.feed.all().filter(({ text, authorId }) => authorId !== id && mentionsOf(text).has(handle));
      const posts = bounded(mentions.slice(0, DEPTH_OF_MENTIONS), request);
      return postsPage(posts, request, { size: { least: 5, most: 100, usual: 10 }, hasEnds: true });
    },
  ),
  route(
    'GET /users/:id/timelines/reverse_chronological',
    { ...POSTS, scopes: READ, limits: { user: 180 }, parameters: [...PAGED, ...BOUNDED, 'exclude'] },
    (request) => {
      const viewer = viewerInPath(request);
      const { feed, relations } = request.snapshot;
      const posts = feed.timeline().filter(({ authorId }) => authorId === viewer.id || relations.follows(viewer.id, authorId));
      const selected = bounded(without(posts, excludedIn(request)), request);
      return postsPage(selected, request, { size: { least: 1, most: 100, usual: 100 }, hasEnds: true });
    },
  ),
  route(
    'GET /tweets/search/recent',
    {
      ...POSTS,
      scopes: READ,
      callers: 'app',
      limits: { app: 450, user: 300 },
      parameters: ['query', 'max_results', 'next_token', 'pagination_token', 'sort_order', ...BOUNDED],
    },
    (request) => {
      const order = request.query.get('sort_order') ?? 'recency';
      if (order !== 'recency' && order !== 'relevancy') throw invalidParameter('sort_order', order, 'is not one of [recency,relevancy]');
      const found = search(request);
      const sorted = order === 'relevancy' ? mostLikedFirst(found, request.snapshot) : found;
      return postsPage(sorted, request, { size: { least: 10, most: 100, usual: 10 }, hasEnds: true });
    },
  ),
  route(
    'GET /tweets/counts/recent',
    {
      scopes: READ,
      callers: 'appOrOauth2',
      limits: { app: 300, user: 300 },
      parameters: ['query', 'granularity', 'next_token', 'pagination_token', ...BOUNDED],
    },
    (request) => {
      const granularity = request.query.get('granularity') ?? 'hour';
      const stepMs = STEPS_MS[granularity];
      if (stepMs === undefined) throw invalidParameter('granularity', granularity, 'is not one of [minute,hour,day]');
      const posts = search(request);
      const byStart = Map.groupBy(posts, ({ createdAtMs }) => Math.floor(createdAtMs / stepMs) * stepMs);
      const data = [...byStart].map(([startMs, { length }]) => ({
        start: new Date(startMs).toISOString(),
        end: new Date(startMs + stepMs).toISOString(),
        tweet_count: length,
      }));
      return { data: data.toReversed(), meta: { total_tweet_count: posts.length } };
    },
  ),
  route(
    'GET /trends/by/woeid/:woeid',
    { scopes: '', callers: 'appOrOauth2', limits: { app: 75, user: 75 }, parameters: ['max_trends', 'trend.fields'] },
    (request) => {
      const woeid = request.param('woeid');
      if (!WOEIDS.has(woeid)) throw invalidParameter('woeid', woeid, 'is not a place with trends');
      const most = Number(request.query.get('max_trends') ?? 20);
      if (!Number.isInteger(most) || most < 1 || most > 50) throw invalidParameter('max_trends', String(most), 'is not between 1 and 50');
      const trends = trendsAt(request.snapshot).slice(0, most);
      return { data: trends.map(({ name, postCount }) => ({ trend_name: name, tweet_count: postCount })) };
    },
  ),
];

/** The posts of the last week that match the query, newest first. */
function search(request: XRequest): readonly StoredPost[] {
  const { snapshot, query, settings, nowMs } = request;
  const text = query.get('query') ?? '';
  if (text === '') throw invalid({ parameters: { query: [] }, message: 'The `query` query parameter can not be empty' });
  if (Array.from(text).length > LONGEST_QUERY) throw invalidParameter('query', text, `is longer than ${LONGEST_QUERY} characters`);
  const oldestMs = nowMs - RECENT_MS;
  const oldest = new Date(oldestMs).toISOString();
  if ((instantIn(query, 'start_time') ?? oldestMs) < oldestMs) {
    throw invalidParameter('start_time', query.get('start_time') ?? '', `must be on or after [${oldest}]`);
  }
  const since = query.get('since_id');
  if (since !== null && isId(since) && instantOf(since) < oldestMs) {
    throw invalid({ parameters: { since_id: [since] }, message: `'since_id' must be a tweet id created after [${oldest}].` });
  }
  const parsed = parseQuery(text);
  const newestMs = query.has('end_time') || query.has('until_id') ? Infinity : nowMs - settings.searchLagMs;
  const posts = excludesReposts(parsed) ? snapshot.feed.all() : snapshot.feed.timeline();
  const inTime = posts.filter(({ createdAtMs }) => createdAtMs <= newestMs && createdAtMs >= oldestMs);
  return bounded(inTime, request).filter((post) => matches(post, parsed, request));
}

function excludedIn({ query }: XRequest): ReadonlySet<string> {
  const values = (query.get('exclude') ?? '').split(',').filter((value) => value !== '');
  const wrong = values.find((value) => value !== 'replies' && value !== 'retweets');
  if (wrong !== undefined) throw invalidParameter('exclude', wrong, 'is not one of [replies,retweets]');
  return new Set(values);
}

function without(posts: readonly StoredPost[], excluded: ReadonlySet<string>): readonly StoredPost[] {
  return posts.filter(
    ({ replyTo, repostOf }) => !(excluded.has('replies') && replyTo !== undefined) && !(excluded.has('retweets') && repostOf !== undefined),
  );
}
