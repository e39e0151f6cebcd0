import { z } from 'zod';
import { PlatformError, type Fault } from '#src/errors.ts';
import type { Post } from '#src/social/records/post.ts';
import { WAYS } from '../access/access.ts';
import { readPosts, type Asking } from '../pages.ts';
import { RECENT } from '../search.ts';
import { count, maybe, toSecond } from '../wire/parts.ts';
import type { UserRow } from '../wire/user.ts';
import type { PostReader } from './detail.ts';

const ROWS = 20;
/** An account that wrote more pages than this cannot be looked through. */
const MOST_PAGES = 10;
/** Passing faults: the view is asked again later. After any other, the account does not have the view. */
const PASSING: ReadonlySet<Fault> = new Set(['unreachable', 'unanswered', 'unavailable', 'rateLimited', 'malformed']);

const Count = z.object({ meta: maybe(z.object({ total_tweet_count: maybe(count), total_post_count: maybe(count) })) });

/** What one view shows of the posts of the account. */
interface View {
  readonly posts: readonly Post[];
  /** Whether nothing was left out. */
  readonly isWhole: boolean;
}

const NOTHING: View = { posts: [], isWhole: true };

/** The views that X has of the posts of the signed-in account. X keeps them in different places. */
interface OwnViews {
  timeline(fromMs: number): Promise<View>;
  /** Empty if the account has no such view, as a protected one. */
  search(fromMs: number): Promise<View>;
  /** How many posts there are, without reposts; undefined if the account has no such view. */
  count(fromMs: number): Promise<number | undefined>;
}

export function viewsOf({ api, onPost }: PostReader, me: UserRow, signal: AbortSignal | undefined): OwnViews {
  const query = `from:${me.id} -is:retweet`;

  async function read(asking: Asking): Promise<View> {
    const posts: Post[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const page = await readPosts({ api, onPost }, asking, { cursor, signal });
      posts.push(...page.items);
      if (page.partialErrors) break;
      if (page.cursor === undefined || page.cursor === cursor) return { posts, isWhole: true };
      cursor = page.cursor;
    }
    return { posts, isWhole: false };
  }

  return {
    timeline(fromMs) {
      const from = { max_results: ROWS, start_time: toSecond(fromMs) };
      return read({ path: '/2/users/:id/tweets', params: { id: me.id }, ways: WAYS.user, query: from });
    },

    async search(fromMs) {
      if (me.protected) return NOTHING;
      const asked = { query, max_results: ROWS, start_time: toSecond(fromMs), sort_order: 'recency' };
      return ifThere(NOTHING, () => read({ path: RECENT, query: asked, cursorName: 'next_token' }));
    },

    async count(fromMs) {
      if (me.protected) return undefined;
      return ifThere(undefined, async () => {
        const asked = { query, start_time: toSecond(fromMs), granularity: 'hour' };
        const { answer } = await api.read(Count, { path: '/2/tweets/counts/recent', query: asked, ways: WAYS.token, signal });
        return answer.meta?.total_tweet_count ?? answer.meta?.total_post_count;
      });
    },
  };
}

async function ifThere<T>(absent: T, view: () => Promise<T>): Promise<T> {
  try {
    return await view();
  } catch (error) {
    if (!(error instanceof PlatformError) || PASSING.has(error.fault)) throw error;
    return absent;
  }
}
