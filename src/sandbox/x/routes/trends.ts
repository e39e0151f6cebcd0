import type { JsonObject } from '#src/operation/json.ts';
import { trendsAt } from '../../social/trends.ts';
import { invalidParameter } from '../problem.ts';
import type { XRequest, XRoute } from '../request.ts';

/** Places of which X knows trends: the world, and some of its cities and countries. */
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
const MOST_TRENDS = 50;
const USUAL_TRENDS = 20;

function picked(
  row: JsonObject,
  request: XRequest,
  { parameter, unasked }: { readonly parameter: string; readonly unasked: readonly string[] },
): JsonObject {
  const asked = (request.query.get(parameter) ?? '').split(',').filter((name) => name !== '');
  const wrong = asked.find((name) => !(name in row));
  if (wrong !== undefined) throw invalidParameter(parameter, wrong, `is not one of [${Object.keys(row).join(',')}]`);
  const wanted = asked.length > 0 ? asked : unasked;
  return Object.fromEntries(Object.entries(row).filter(([name]) => wanted.includes(name)));
}

/** What many write about. */
export const trendsRoutes: readonly XRoute[] = [
  {
    method: 'GET',
    path: '/trends/by/woeid/:woeid',
    access: { scopes: [], app: true, oauth2Only: true },
    limits: { app: 75, user: 75 },
    parameters: ['max_trends', 'trend.fields'],
    answer(request) {
      const woeid = request.param('woeid');
      if (!WOEIDS.has(woeid)) throw invalidParameter('woeid', woeid, 'is not a place with trends');
      const given = request.query.get('max_trends');
      const most = given === null ? USUAL_TRENDS : Number(given);
      if (!Number.isInteger(most) || most < 1 || most > MOST_TRENDS)
        throw invalidParameter('max_trends', given ?? '', `is not between 1 and ${MOST_TRENDS}`);
      const rows = trendsAt(request.moment)
        .slice(0, most)
        .map(({ name, postCount }) => ({ trend_name: name, tweet_count: postCount }));
      const data = rows.map((row) => picked(row, request, { parameter: 'trend.fields', unasked: ['trend_name', 'tweet_count'] }));
      return data.length > 0 ? { data } : {};
    },
  },
  {
    method: 'GET',
    path: '/users/personalized_trends',
    access: { scopes: ['tweet.read', 'users.read'] },
    limits: { user: 10, userDay: 100, appDay: 200 },
    parameters: ['personalized_trend.fields'],
    answer(request) {
      const rows = trendsAt(request.moment).map(({ name, postCount = 0 }) => ({
        category: 'Gaming · Trending',
        post_count: `${postCount} posts`,
        trend_name: name,
        trending_since: 'Trending now',
      }));
      const unasked = ['category', 'post_count', 'trend_name', 'trending_since'];
      return { data: rows.map((row) => picked(row, request, { parameter: 'personalized_trend.fields', unasked })) };
    },
  },
];
