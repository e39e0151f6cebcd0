import { mostLikedFirst } from '../../social/most-liked.ts';
import type { StoredPost } from '../../social/posts.ts';
import type { JsonObject } from '#src/operation/json.ts';
import { instantOf, isId } from '../ids/snowflake.ts';
import { invalid, invalidParameter } from '../problem.ts';
import { matches } from '../query/match.ts';
import { hasWords, parseQuery, type Query } from '../query/parse.ts';
import type { XRequest, XRoute } from '../request.ts';
import { postsPage } from '../wire/answer.ts';
import { viewOf } from '../wire/view.ts';
import { bounded, BOUNDED, instantIn, POST_KINDS } from './parameters.ts';

const RECENT_MS = 7 * 86_400_000;
const parameters = ['query', 'max_results', 'next_token', 'pagination_token', 'sort_order', ...BOUNDED];
const seen = { method: 'GET', fields: POST_KINDS, expands: 'tweet', readsPosts: true, parameters } as const;

interface Reach {
  readonly longest: number;
  readonly most: number;
  /** How far back; absent: to the beginning. */
  readonly backMs?: number;
}

/** What a query finds, newest first. */
function found(request: XRequest, { longest, backMs }: Omit<Reach, 'most'>): readonly StoredPost[] {
  const { moment, query, settings } = request;
  const text = query.get('query') ?? '';
  if (text === '') throw invalid({ parameters: { query: [] }, message: 'The `query` query parameter can not be empty' });
  if (Array.from(text).length > longest) throw invalidParameter('query', text, `is longer than ${longest} characters`);
  const oldestMs = backMs === undefined ? undefined : moment.now.getTime() - backMs;
  if (oldestMs !== undefined) checkReach(query, oldestMs);

  const wanted = parseQuery(text);
  const view = viewOf(request);
  // Without an end, X shows what is at least half a minute old.
  const newestMs = query.has('end_time') || query.has('until_id') ? Infinity : moment.now.getTime() - settings.searchLagMs;
  const isWithin = ({ createdAtMs }: StoredPost): boolean => createdAtMs <= newestMs && (oldestMs === undefined || createdAtMs >= oldestMs);
  // The instants come first: to compare a post with the query takes much longer.
  return bounded(source(wanted, request).filter(isWithin), request).filter((post) => matches(post, wanted, view));
}

function search(request: XRequest, { most, ...reach }: Reach): JsonObject {
  const { moment, query } = request;
  checkSort(query);
  const within = found(request, reach);
  const sorted = query.get('sort_order') === 'relevancy' ? mostLikedFirst(within, moment) : within;
  return postsPage(sorted, request, { size: { least: 10, most, usual: 10 }, ends: true });
}

const STEPS_MS: Readonly<Record<string, number | undefined>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** How many posts a query finds in each stretch of time that has some. */
function counts(request: XRequest): JsonObject {
  const granularity = request.query.get('granularity') ?? 'hour';
  const stepMs = STEPS_MS[granularity];
  if (stepMs === undefined) throw invalidParameter('granularity', granularity, 'is not one of [minute,hour,day]');
  const posts = found(request, { longest: 512, backMs: RECENT_MS });
  const byStart = Map.groupBy(posts, ({ createdAtMs }) => Math.floor(createdAtMs / stepMs) * stepMs);
  const data = [...byStart].map(([startMs, within]) => ({
    start: new Date(startMs).toISOString(),
    end: new Date(startMs + stepMs).toISOString(),
    tweet_count: within.length,
  }));
  return { data: data.toReversed(), meta: { total_tweet_count: posts.length } };
}

/** Who searches for words gets no reposts. */
function source(wanted: Query, { moment: { feed } }: XRequest): readonly StoredPost[] {
  return hasWords(wanted) || excludesReposts(wanted) ? feed.all() : feed.timeline();
}

/** Reposts are many, and made when they are asked for. */
function excludesReposts(wanted: Query): boolean {
  const isRepost = (part: Query): boolean => part.kind === 'operator' && part.name === 'is' && part.value === 'retweet';
  return wanted.kind === 'all' && wanted.parts.some((part) => part.kind === 'not' && isRepost(part.part));
}

function checkSort(query: URLSearchParams): void {
  const order = query.get('sort_order');
  if (order !== null && order !== 'recency' && order !== 'relevancy')
    throw invalidParameter('sort_order', order, 'is not one of [recency,relevancy]');
}

function checkReach(query: URLSearchParams, oldestMs: number): void {
  const from = instantIn(query, 'start_time');
  const oldest = new Date(oldestMs).toISOString();
  if (from !== undefined && from < oldestMs)
    throw invalidParameter('start_time', query.get('start_time') ?? '', `must be on or after [${oldest}]`);
  const since = query.get('since_id');
  if (since !== null && isId(since) && instantOf(since) < oldestMs) {
    throw invalid({
      parameters: { since_id: [since] },
      message: `'since_id' must be a tweet id created after [${oldest}]. Please use a 'since_id' that is larger than the first id of that time.`,
    });
  }
}

/** What is found by a query. */
export const searchRoutes: readonly XRoute[] = [
  {
    method: 'GET',
    path: '/tweets/counts/recent',
    access: { scopes: ['tweet.read', 'users.read'], app: true, oauth2Only: true },
    limits: { app: 300, user: 300 },
    parameters: ['query', 'granularity', 'next_token', 'pagination_token', 'search_count.fields', ...BOUNDED],
    answer: counts,
  },
  {
    ...seen,
    path: '/tweets/search/recent',
    access: { scopes: ['tweet.read', 'users.read'], app: true },
    limits: { app: 450, user: 300 },
    answer: (request) => search(request, { longest: 512, most: 100, backMs: RECENT_MS }),
  },
  {
    ...seen,
    path: '/tweets/search/all',
    access: { scopes: [], app: true, appOnly: true },
    limits: { app: 300, second: 1 },
    answer: (request) => search(request, { longest: 1024, most: 500 }),
  },
];
