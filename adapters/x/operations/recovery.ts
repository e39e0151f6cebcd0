import type { Clock } from '#src/clock.ts';
import { CLOCKS_APART_MS, doubtfulMs, findLost, soonestMs } from '#src/clients/operation/find-lost.ts';
import { withoutHandlesOfOthers } from '../text/limit.ts';
import { runsOf } from '#src/clients/operation/text/links.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import type { Recoveries, XApi } from '../client.ts';
import { isSameReply, isSameText } from '../text/same-text.ts';
import { byIdDescending } from '../wire/parts.ts';
import { postIdIn } from '../wire/text.ts';
import { type Draft, withWarning } from './created-post.ts';
import { postIdOf, type PostReader } from './read-post.ts';
import { type Lacking, unlessRefused, type View, viewsOf } from './recovery-views.ts';
import type { UserNames } from './users.ts';

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
export function compareAgainAt(nowMs: number, lostAt: Date): Date | undefined {
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
 * If X refuses the timeline, the search for posts replaces it. If X refuses both, a person must decide after an hour.
 */
export function recoverPost(
  reader: PostReader,
  { api, names, clock }: { readonly api: Pick<XApi, 'giveBack'>; readonly names: UserNames; readonly clock: Clock },
): Recoveries['createPost'] {
  return async (written, { since, taken, lostAt = new Date(clock.nowMs()), signal }) => {
    const draft = withWarning(written);
    const fromMs = soonestMs(since);
    const me = await unlessRefused(() => names.me(signal));
    const views = me && viewsOf(reader, me, { signal });
    const alikeIn = (view: View | undefined): readonly Post[] =>
      view?.posts.filter((post) => !taken.has(post.id) && isMadeOf(draft, post, view.lacking)) ?? [];
    // Of several equal posts, the oldest belongs to the oldest write.
    const firstOf = (posts: readonly Post[]): Post | undefined => posts.toSorted(byIdDescending).at(-1);

    const timeline = await views?.timeline(fromMs);
    const replacement = timeline ? undefined : await views?.search(fromMs);
    const main = timeline ?? replacement;
    const found = firstOf(alikeIn(main));
    if (found) return { found };
    const settled = settledAt(draft, { lostAt, later: timeline?.posts ?? [] });
    if (clock.nowMs() < settled.getTime()) return { conclusiveAt: settled };

    const compareAgain = compareAgainAt(clock.nowMs(), lostAt);
    const open = compareAgain ? { conclusiveAt: compareAgain } : 'cannotTell';
    if (!views || !main) return open;
    const dayBeforeMs = doubtfulMs(since);
    const dayBefore = await (timeline ? views.timeline(dayBeforeMs) : views.search(dayBeforeMs));
    const search = replacement ?? (await views.search(fromMs));
    const count = await views.count(fromMs);
    const late = firstOf([...alikeIn(dayBefore).filter(({ createdAt }) => createdAt.getTime() >= fromMs), ...alikeIn(search)]);
    if (late) return { found: late };
    // If the clock of this machine is ahead, the lost post appears older than the attempt.
    const doubtful = findLost(alikeIn(dayBefore), { since, madeAt: ({ createdAt }) => createdAt });
    const all = [main, dayBefore, search ?? main];
    const areWhole = all.every((view) => view?.isWhole && isComparable(draft, view.lacking));
    const isAbsent = areWhole && doubtful === 'absent' && !hasUnseen(count, [main.posts, search?.posts ?? []]);
    if (!isAbsent) return open;
    await api.giveBack(withoutHandlesOfOthers(draft.text));
    return 'absent';
  };
}

/** A text of this length may be cut off in the field `text`. */
const SHORTEST_NOTE = 140;

/** Whether a post without these parts can be told from others. */
function isComparable({ text, files = [], poll }: Draft, lacking: Lacking): boolean {
  if (lacking.links && runsOf(text).some(({ link }) => link)) return false;
  if (lacking.longTexts && text.length >= SHORTEST_NOTE) return false;
  return text.trim() !== '' || !((files.length > 0 && lacking.files) || (poll !== undefined && lacking.poll));
}

/** The text of a repost, in a view without references. */
const REPOSTED = /^RT @/;

/** Whether X counts more posts than the views show. */
function hasUnseen(count: number | undefined, views: readonly (readonly Post[])[]): boolean {
  const seen = new Set(views.flat().flatMap(({ id, repostOf, text }) => (repostOf === undefined && !REPOSTED.test(text) ? [id] : [])));
  return count !== undefined && count > seen.size;
}

/** Whether the draft could have become the post, as far as the view shows it. */
function isMadeOf(draft: Draft, post: Post, lacking: Lacking): boolean {
  const { files = [], replyTo, poll, community } = draft;
  const { text, quote } = asShown(draft, post);
  const uploaded = files.flatMap((file) => (typeof file === 'object' && 'id' in file ? file.id : []));
  const shown = new Set(post.media.map(({ id }) => id));
  const repliedTo = replyTo === undefined ? undefined : postIdOf(replyTo);
  const isSame = replyTo === undefined ? isSameText : isSameReply;
  return (
    post.repostOf === undefined &&
    isComparable(draft, lacking) &&
    isSame(withoutHandlesOfOthers(text), post.text) &&
    (lacking.references || (post.replyTo?.postId === repliedTo && post.quoted?.postId === quote)) &&
    (lacking.files || (post.media.length === files.length && uploaded.every((id) => shown.has(id)))) &&
    (lacking.community || post.communityId === community) &&
    (lacking.poll || JSON.stringify(post.poll?.options.map(({ label }) => label)) === JSON.stringify(poll?.options))
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
