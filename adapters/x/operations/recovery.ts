import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { type Fault, PlatformError } from '#src/errors.ts';
import { CLOCKS_APART_MS, doubtfulMs, findLost, soonestMs } from '#src/operation/find-lost.ts';
import { withoutHandlesOfOthers } from '#src/operation/text/mentions.ts';
import { runsOf } from '#src/operation/text/links.ts';
import { readPages } from '#src/paging/read-pages.ts';
import type { Post } from '#src/social/records/post.ts';
import { WAYS } from '../auth/access.ts';
import type { Recoveries } from '../client.ts';
import { type Asking, readPosts } from '../pages.ts';
import { isSameText } from '../text/same-text.ts';
import { byIdDescending, count, maybe, toSecond } from '../wire/parts.ts';
import { postIdIn } from '../wire/text.ts';
import type { UserRow } from '../wire/user.ts';
import type { Draft } from './created-post.ts';
import { postIdOf, type PostReader } from './read-post.ts';
import { RECENT } from './search.ts';
import type { UserNames } from './users.ts';

const ROWS = 20;
/** The number of pages that are searched. */
const MOST_PAGES = 10;
/** Temporary faults, after which the view is read again later. Any other fault means that the account does not have the view. */
const PASSING: ReadonlySet<Fault> = new Set(['unreachable', 'unanswered', 'unavailable', 'rateLimited', 'malformed']);

const Count = z.object({ meta: maybe(z.object({ total_tweet_count: maybe(count), total_post_count: maybe(count) })) });

/** The posts of the account in one view. */
interface View {
  readonly posts: readonly Post[];
  /** Whether the view is complete. */
  readonly isWhole: boolean;
}

const NOTHING: View = { posts: [], isWhole: true };

/** The views of the posts of the signed-in account. X updates them independently. */
interface AccountViews {
  timeline(fromMs: number): Promise<View>;
  /** Empty if the account does not have this view, as a protected account. */
  search(fromMs: number): Promise<View>;
  /** The number of posts without reposts; undefined if the account does not have this view. */
  count(fromMs: number): Promise<number | undefined>;
}

function viewsOf({ api, onPost }: PostReader, me: UserRow, signal: AbortSignal | undefined): AccountViews {
  const query = `from:${me.id} -is:retweet`;

  async function read(asking: Asking): Promise<View> {
    const posts: Post[] = [];
    const readPage = (cursor: string | undefined) => readPosts({ api, onPost }, asking, { cursor, signal });
    for await (const { page, isEnd } of readPages(readPage, MOST_PAGES)) {
      posts.push(...page.items);
      if (page.partialErrors) break;
      if (isEnd) return { posts, isWhole: true };
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

const MINUTE_MS = 60_000;

/** X documents that search and counts show a post after 30 s. Ten times as long also covers a request in transit. */
const SETTLED_MS = 5 * MINUTE_MS;
/** The wait if only the views show that the post is absent. */
export const SETTLED_ALONE_MS = 15 * MINUTE_MS;
/** If the views differ for longer, a person must decide. */
const VIEWS_AGREE_WITHIN_MS = 60 * MINUTE_MS;

/**
 * The instant from which a post that no view shows counts as absent, if its attempt ended without an outcome at `lostAt`.
 *
 * The wait is shorter if X refuses a second post, or if the timeline shows a post that is younger than the attempt.
 */
function settledAt(draft: Draft, { lostAt, later }: { readonly lostAt: Date; readonly later: readonly Post[] }): Date {
  const isOrdered = later.some(({ createdAt }) => createdAt.getTime() > lostAt.getTime() + CLOCKS_APART_MS);
  return new Date(lostAt.getTime() + (isOrdered || isRefusedTwice(draft) ? SETTLED_MS : SETTLED_ALONE_MS));
}

/** When to compare differing views again: each wait is four times as long; undefined if a person must decide. */
function compareAgainAt(nowMs: number, lostAt: Date): Date | undefined {
  const lostMs = lostAt.getTime();
  const waitedMs = nowMs - lostMs;
  return waitedMs < VIEWS_AGREE_WITHIN_MS ? new Date(lostMs + Math.min(4 * waitedMs, VIEWS_AGREE_WITHIN_MS)) : undefined;
}

/** Whether X refuses a second post with the same text as "duplicate content". Posts with files or polls are not duplicates. */
function isRefusedTwice({ text, files = [], poll }: Draft): boolean {
  return text.trim() !== '' && files.length === 0 && poll === undefined;
}

/**
 * Finds the outcome of an earlier attempt at a post in the posts that the account wrote since.
 *
 * X has no idempotency keys and shows posts late. A post counts as absent only after minutes, and only if all views of the account agree.
 */
export function recoverPost(reader: PostReader, names: UserNames, clock: Clock): Recoveries['createPost'] {
  return async (draft, { since, taken, lostAt = new Date(clock.nowMs()), signal }) => {
    const fromMs = soonestMs(since);
    const views = viewsOf(reader, await names.me(signal), signal);
    const isAlike = (post: Post): boolean => !taken.has(post.id) && isMadeOf(draft, post);
    // Of several equal posts, the oldest belongs to the oldest write.
    const firstOf = (posts: readonly Post[]): Post | undefined => posts.filter(isAlike).toSorted(byIdDescending).at(-1);

    const timeline = await views.timeline(fromMs);
    const found = firstOf(timeline.posts);
    if (found) return { found };
    const settled = settledAt(draft, { lostAt, later: timeline.posts });
    if (clock.nowMs() < settled.getTime()) return { conclusiveAt: settled };

    const dayBefore = await views.timeline(doubtfulMs(since));
    const search = await views.search(fromMs);
    const count = await views.count(fromMs);
    const late = firstOf([...dayBefore.posts.filter(({ createdAt }) => createdAt.getTime() >= fromMs), ...search.posts]);
    if (late) return { found: late };
    // If the clock of this machine is ahead, the lost post appears older than the attempt.
    const doubtful = findLost(dayBefore.posts.filter(isAlike), { since, madeAt: ({ createdAt }) => createdAt });
    const areWhole = timeline.isWhole && dayBefore.isWhole && search.isWhole;
    if (areWhole && doubtful === 'absent' && !hasUnseen(count, [timeline.posts, search.posts])) return 'absent';
    const conclusiveAt = compareAgainAt(clock.nowMs(), lostAt);
    return conclusiveAt ? { conclusiveAt } : 'cannotTell';
  };
}

/** Whether X counts more posts than the views show. */
function hasUnseen(count: number | undefined, views: readonly (readonly Post[])[]): boolean {
  const seen = new Set(views.flat().flatMap(({ id, repostOf }) => (repostOf === undefined ? [id] : [])));
  return count !== undefined && count > seen.size;
}

/** Whether the draft could have become the post. */
function isMadeOf({ files = [], replyTo, poll, community, ...draft }: Draft, post: Post): boolean {
  const { text, quote } = asShown(draft, post);
  const uploaded = files.flatMap((file) => (typeof file === 'object' && 'id' in file ? file.id : []));
  const shown = new Set(post.media.map(({ id }) => id));
  return (
    post.repostOf === undefined &&
    isSameText(withoutHandlesOfOthers(text), post.text) &&
    post.replyTo?.postId === (replyTo === undefined ? undefined : postIdOf(replyTo)) &&
    post.quoted?.postId === quote &&
    post.media.length === files.length &&
    uploaded.every((id) => shown.has(id)) &&
    post.communityId === community &&
    JSON.stringify(post.poll?.options.map(({ label }) => label)) === JSON.stringify(poll?.options)
  );
}

/** The draft as X shows it: an address of a post at the end of the text becomes a quote. */
function asShown(
  { text, quote }: Pick<Draft, 'text' | 'quote'>,
  { quoted }: Post,
): { readonly text: string; readonly quote: string | undefined } {
  const last = runsOf(text.trimEnd()).at(-1);
  if (quote === undefined && quoted && last?.link && postIdIn(last.text) === quoted.postId) {
    return { text: text.trimEnd().slice(0, -last.text.length), quote: quoted.postId };
  }
  return { text, quote: quote === undefined ? undefined : postIdOf(quote) };
}
