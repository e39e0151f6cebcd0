import type { ConversationThread } from '#src/clients/social/records/post.ts';
import type { WorldPerson } from '../world/world.ts';
import { isHidden, rootOf } from './conversations.ts';
import type { StoredPost } from './posts.ts';
import { entitiesOf, toPost, toUser } from './records.ts';
import type { Snapshot } from './snapshot.ts';

interface Answer {
  readonly depth: number;
  readonly post: StoredPost;
}

interface ThreadOptions {
  /** Whether hidden replies are included. */
  readonly hidden: boolean;
  readonly snapshot: Snapshot;
}

/** The replies to a post, oldest first. */
export function answersTo({ id }: StoredPost, { hidden, snapshot }: ThreadOptions): readonly StoredPost[] {
  return snapshot.feed.answersTo(id).filter((answer) => hidden || !isHidden(answer, snapshot));
}

/** A reply with all replies below it, each after its parent. A hidden reply hides the replies below it. */
export function toThread(root: StoredPost, { hidden, snapshot }: ThreadOptions): ConversationThread {
  const all = answersBelow(root, { hidden: true, snapshot });
  const shown = hidden ? all : answersBelow(root, { hidden, snapshot });
  return {
    id: root.id,
    root: toPost(root, snapshot),
    replies: shown.map(({ depth, post }) => ({ depth, post: toPost(post, snapshot) })),
    hiddenCount: all.filter(({ post }) => isHidden(post, snapshot)).length,
  };
}

function answersBelow(post: StoredPost, options: ThreadOptions, depth = 1): readonly Answer[] {
  return answersTo(post, options).flatMap((answer) => [{ depth, post: answer }, ...answersBelow(answer, options, depth + 1)]);
}

/** Whether a person can reply to a post. The author of the conversation decides, and can always reply. */
export function mayAnswer(person: WorldPerson, post: StoredPost, snapshot: Snapshot): boolean {
  const root = rootOf(post, snapshot.feed) ?? post;
  const { relations } = snapshot;
  if (root.authorId === person.id) return true;
  switch (root.audience) {
    case undefined:
      return true;
    case 'ByInvitation':
      return entitiesOf(root.text, snapshot).some(({ userId }) => userId === person.id);
    case 'Community':
      return relations.follows(root.authorId, person.id);
    case 'Followers':
      return relations.follows(person.id, root.authorId);
    case 'Subscribers':
      return relations.subscribersOf(root.authorId).includes(person.id);
    case 'Verified':
      return toUser(person, snapshot).verified !== 'none';
    case 'Nobody':
      return false;
  }
}
