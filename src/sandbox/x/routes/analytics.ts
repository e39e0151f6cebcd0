import type { JsonObject } from '#src/operation/json.ts';
import { analyticsOf } from '../../social/analytics.ts';
import type { StoredPost } from '../../social/posts.ts';
import type { Moment } from '../../social/moment.ts';
import { isId } from '../ids/snowflake.ts';
import { invalid, invalidParameter, missing, notAuthorized } from '../problem.ts';
import type { XRoute } from '../request.ts';
import { instantIn, signedIn, valuesOf } from './parameters.ts';

const HOUR_MS = 3_600_000;
const GRANULARITIES: Readonly<Record<string, number>> = { hourly: HOUR_MS, daily: 24 * HOUR_MS, weekly: 7 * 24 * HOUR_MS, total: Infinity };
/** After so long two thirds of all who come by have come by. */
const ATTENTION_MS = 12 * HOUR_MS;
const METRICS = [
  'app_install_attempts',
  'app_opens',
  'bookmarks',
  'detail_expands',
  'email_tweet',
  'engagements',
  'follows',
  'hashtag_clicks',
  'impressions',
  'likes',
  'media_views',
  'permalink_clicks',
  'quote_tweets',
  'replies',
  'retweets',
  'shares',
  'unfollows',
  'unlikes',
  'url_clicks',
  'user_profile_clicks',
];
const FIELDS = [...METRICS, 'id', 'timestamp', 'timestamped_metrics'];

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
  readonly stepMs: number;
}

/** How many times everything has happened to a post by now. */
function metricsOf(post: StoredPost, moment: Moment): Readonly<Record<string, number>> {
  const all = analyticsOf(post, moment);
  const known: Readonly<Record<string, number | undefined>> = {
    bookmarks: all.bookmarks,
    engagements: all.engagements,
    impressions: all.impressions,
    likes: all.likes,
    quote_tweets: all.quotes,
    replies: all.replies,
    retweets: all.reposts,
    url_clicks: all.urlClicks,
    user_profile_clicks: all.profileClicks,
    detail_expands: all.profileClicks,
  };
  return Object.fromEntries(METRICS.map((name) => [name, known[name] ?? 0]));
}

/** What of it fell into each step of a span. */
function stepsOf(post: StoredPost, { span: { fromMs, toMs, stepMs }, moment }: { readonly span: Span; readonly moment: Moment }) {
  const metrics = metricsOf(post, moment);
  const nowMs = moment.now.getTime();
  const attention = (atMs: number): number => 1 - Math.exp(-Math.max(0, Math.min(atMs, nowMs) - post.createdAtMs) / ATTENTION_MS);
  const whole = attention(nowMs);
  const by = (atMs: number, count: number): number => (whole === 0 ? 0 : Math.round((count * attention(atMs)) / whole));
  const count = Math.max(1, Math.ceil((toMs - fromMs) / stepMs));
  return Array.from({ length: count }, (_, index) => {
    const start = index === 0 ? fromMs : fromMs + index * stepMs;
    const end = Math.min(toMs, start + stepMs);
    const within = Object.entries(metrics).map(([name, total]) => [name, by(end, total) - by(start, total)] as const);
    return { timestamp: new Date(start).toISOString(), metrics: Object.fromEntries(within) };
  });
}

function toRow(
  id: string,
  post: StoredPost,
  { asked, span, moment }: { readonly asked: readonly string[]; readonly span: Span; readonly moment: Moment },
): JsonObject {
  const steps = stepsOf(post, { span, moment });
  const totals = METRICS.filter((name) => asked.includes(name)).map((name) => [
    name,
    steps.reduce((sum, { metrics }) => sum + (metrics[name] ?? 0), 0),
  ]);
  return {
    id,
    ...Object.fromEntries(totals),
    ...(asked.includes('timestamp') ? { timestamp: new Date(span.fromMs).toISOString() } : {}),
    ...(asked.length === 0 || asked.includes('timestamped_metrics') ? { timestamped_metrics: steps } : {}),
  };
}

/** How the signed-in account's posts do. */
export const analyticsRoutes: readonly XRoute[] = [
  {
    method: 'GET',
    path: '/tweets/analytics',
    access: { scopes: ['tweet.read', 'users.read'] },
    limits: { app: 300, user: 300 },
    parameters: ['ids', 'start_time', 'end_time', 'granularity', 'analytics.fields'],
    answer(request) {
      const { query, moment, findPost } = request;
      const ids = valuesOf(request, 'ids', 100);
      const [fromMs, toMs] = [instantIn(query, 'start_time'), instantIn(query, 'end_time')];
      const granularity = query.get('granularity') ?? '';
      const stepMs = GRANULARITIES[granularity];
      if (fromMs === undefined || toMs === undefined || fromMs >= toMs)
        throw invalid({ message: 'start_time and end_time are required, the earlier one first' });
      if (stepMs === undefined)
        throw invalidParameter('granularity', granularity, `is not one of [${Object.keys(GRANULARITIES).join(',')}]`);
      const asked = (query.get('analytics.fields') ?? '').split(',').filter((name) => name !== '');
      const wrong = asked.find((name) => !FIELDS.includes(name));
      if (wrong !== undefined) throw invalidParameter('analytics.fields', wrong, `is not one of [${FIELDS.join(',')}]`);

      const errors: JsonObject[] = [];
      const data = ids.flatMap((id) => {
        const post = isId(id) ? findPost(id)?.post : undefined;
        const named = { type: 'tweet', parameter: 'ids', value: id };
        if (post?.authorId === signedIn(request).id) return [toRow(id, post, { asked, span: { fromMs, toMs, stepMs }, moment })];
        errors.push(post ? notAuthorized(named) : missing(named));
        return [];
      });
      return { ...(data.length > 0 ? { data } : {}), ...(errors.length > 0 ? { errors } : {}) };
    },
  },
];
