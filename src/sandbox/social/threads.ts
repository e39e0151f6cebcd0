import type { ConversationThread } from '#src/social/records/post.ts';
import { isHidden } from './conversations.ts';
import type { Moment } from './moment.ts';
import type { StoredPost } from './posts.ts';
import { toPost } from './records.ts';

interface Answer {
  readonly depth: number;
  readonly post: StoredPost;
}

interface Look {
  /** Whether hidden answers are looked at, too. */
  readonly hidden: boolean;
  readonly moment: Moment;
}

/** The answers to a post, oldest first. */
export function answersTo({ id }: StoredPost, { hidden, moment }: Look): readonly StoredPost[] {
  return moment.feed.answersTo(id).filter((answer) => hidden || !isHidden(answer, moment));
}

/** One answer with all that was said below it, each right after what it answers; what is hidden takes along what is below it. */
export function toThread(root: StoredPost, { hidden, moment }: Look): ConversationThread {
  const all = answersBelow(root, { hidden: true, moment });
  const shown = hidden ? all : answersBelow(root, { hidden, moment });
  return {
    id: root.id,
    root: toPost(root, moment),
    replies: shown.map(({ depth, post }) => ({ depth, post: toPost(post, moment) })),
    hiddenCount: all.filter(({ post }) => isHidden(post, moment)).length,
  };
}

function answersBelow(post: StoredPost, look: Look, depth = 1): readonly Answer[] {
  return answersTo(post, look).flatMap((answer) => [{ depth, post: answer }, ...answersBelow(answer, look, depth + 1)]);
}
