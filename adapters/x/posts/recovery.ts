import type { Clock } from '#src/clock.ts';
import { doubtfulMs, lostAmong, soonestMs } from '#src/operation/lost-among.ts';
import { withoutHandlesOfOthers } from '#src/operation/text/handles-of-others.ts';
import { runsOf } from '#src/operation/text/links.ts';
import type { Post } from '#src/social/records/post.ts';
import type { Recoveries } from '../api.ts';
import type { UserNames } from '../users/names.ts';
import { byIdDescending } from '../wire/parts.ts';
import { postIdIn } from '../wire/text.ts';
import type { Draft } from './body.ts';
import type { PostReader } from './detail.ts';
import { viewsOf } from './account-views.ts';
import { postIdOf } from './post-id.ts';
import { isSameText } from './same-text.ts';
import { compareAgainAt, settledAt } from './settled.ts';

/**
 * What became of an earlier attempt at a post, by reading back what the account wrote since then.
 *
 * X keeps no keys and shows posts late. A missing post counts as absent only after minutes, and only if all views of the account agree.
 */
export function recoverPost(reader: PostReader, names: UserNames, clock: Clock): Recoveries['createPost'] {
  return async (draft, { since, taken, lostAt = new Date(clock.nowMs()), signal }) => {
    const fromMs = soonestMs(since);
    const views = viewsOf(reader, await names.me(signal), signal);
    const isAlike = (post: Post): boolean => !taken.has(post.id) && isMadeOf(draft, post);
    // Of several that say the same the first one was asked for first.
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
    // If the clock of this machine is ahead, the lost post seems to be older than the attempt.
    const doubtful = lostAmong(dayBefore.posts.filter(isAlike), { since, madeAt: ({ createdAt }) => createdAt });
    const areWhole = timeline.isWhole && dayBefore.isWhole && search.isWhole;
    if (areWhole && doubtful === 'absent' && !hasUnseen(count, [timeline.posts, search.posts])) return 'absent';
    const conclusiveAt = compareAgainAt(clock.nowMs(), lostAt);
    return conclusiveAt ? { conclusiveAt } : 'cannotTell';
  };
}

/** Whether X counts more posts than it shows. */
function hasUnseen(count: number | undefined, views: readonly (readonly Post[])[]): boolean {
  const seen = new Set(views.flat().flatMap(({ id, repostOf }) => (repostOf === undefined ? [id] : [])));
  return count !== undefined && count > seen.size;
}

/** Whether the post could have come of the draft. */
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

/** X shows the post that an address at the end leads to, and takes the address for that. */
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
