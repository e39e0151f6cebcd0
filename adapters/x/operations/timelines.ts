import { z } from 'zod';
import { UnsupportedParameter } from '#src/errors.ts';
import { HOME_TIMELINE_TYPE_FOLLOWING } from '#src/clients/social/enumerations.ts';
import { WAYS } from '../auth/access.ts';
import { scan, type XBudgets } from '../budgets.ts';
import { NO_FOR_YOU } from '../capabilities.ts';
import type { Primitives, XApi } from '../client.ts';
import { MOST_ROWS, type Readers, readPosts } from '../pages.ts';
import { listOf, partsOf } from '../wire/envelope.ts';
import { count, maybe } from '../wire/parts.ts';
import type { UserNames } from './users.ts';

/** Posts of followed users, newest first. */
export function homeTimeline(readers: Readers, names: UserNames): Primitives['getHomeTimeline'] {
  return async ({ timelineType }, options) => {
    if (timelineType !== HOME_TIMELINE_TYPE_FOLLOWING) {
      const about = { platform: 'x', operation: 'getHomeTimeline', parameter: 'timelineType', value: timelineType };
      throw new UnsupportedParameter({ ...about, ...NO_FOR_YOU });
    }
    const { id } = await names.me(options.signal);
    return readPosts(readers, { path: '/2/users/:id/timelines/reverse_chronological', params: { id }, ways: WAYS.user }, options);
  };
}

/** Posts that mention the account, newest first. */
export function mentions(readers: Readers, names: UserNames): Primitives['getMentions'] {
  return async (_, options) => {
    const { id } = await names.me(options.signal);
    return readPosts(readers, { path: '/2/users/:id/mentions', params: { id }, ways: WAYS.user }, options);
  };
}

/** Bookmarked posts, last bookmarked first. */
export function bookmarks(readers: Readers, names: UserNames): Primitives['getBookmarks'] {
  return async (_, options) => {
    const { id } = await names.me(options.signal);
    return readPosts(readers, { path: '/2/users/:id/bookmarks', params: { id }, ways: WAYS.user }, options);
  };
}

const TrendRow = z.object({ trend_name: z.string().min(1), tweet_count: maybe(count), post_count: maybe(count) });
const TrendRows = listOf(TrendRow);
const MOST_TRENDS = 20;

/** The trends of a place by its WOEID; 1 is the world. */
export function trends(api: XApi, woeid: number): Primitives['getTrends'] {
  return async (_, { signal }) => {
    const asking = { path: '/2/trends/by/woeid/:woeid', params: { woeid: String(woeid) } } as const;
    const { answer } = await api.read(TrendRows, {
      ...asking,
      query: { max_trends: MOST_TRENDS, 'trend.fields': 'trend_name,tweet_count' },
      ways: WAYS.token,
      signal,
    });
    partsOf(answer, asking);
    return answer.data.slice(0, MOST_TRENDS).map(({ trend_name: name, tweet_count: tweets, post_count: posts = tweets }, index) => ({
      rank: index + 1,
      name,
      kind: name.startsWith('#') ? 'hashtag' : 'phrase',
      url: `https://x.com/search?q=${encodeURIComponent(name)}`,
      postCount: posts,
    }));
  };
}

const PATH = '/2/users/:id/tweets';
/** The number of rows that a timeline accepts. */
const TIMELINE_ROWS = { least: 5, most: MOST_ROWS } as const;

/** Posts of a user, newest first. */
export function posts(readers: Readers, names: UserNames): Primitives['getPosts'] {
  return async ({ user, replies }, options) => {
    const params = { id: await names.idOf(user, options.signal) };
    return readPosts(readers, { path: PATH, params, query: { exclude: replies ? undefined : 'replies' } }, options);
  };
}

/** Posts of a user with pictures or videos, filtered from the timeline. */
export function userMedia(readers: Readers, names: UserNames, budgets: XBudgets | undefined): Primitives['getUserMedia'] {
  return async ({ user }, { cursor, signal }) => {
    const params = { id: await names.idOf(user, signal) };
    return scan({
      operation: 'getUserMedia',
      budgets,
      kind: 'post',
      rows: TIMELINE_ROWS,
      read: (after, rows) =>
        readPosts(readers, { path: PATH, params, query: { exclude: 'retweets', max_results: rows } }, { cursor: after, signal }),
      keep: ({ media }) => media.length > 0,
      cursor,
    });
  };
}
