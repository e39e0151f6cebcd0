import type { Feed } from './feed.ts';
import type { Snapshot } from './snapshot.ts';
import type { StoredPost } from './posts.ts';

/** The post that began the conversation; undefined if reads do not show it. */
export function rootOf(post: StoredPost, feed: Feed): StoredPost | undefined {
  const id = conversationOf(post, feed);
  return id === post.id ? post : feed.find(id);
}

/** The id of the post that began the conversation, or of the first post that reads do not show. */
export function conversationOf(post: StoredPost, feed: Feed): string {
  let first = post;
  while (first.replyTo !== undefined) {
    const parent = feed.find(first.replyTo);
    if (!parent) return first.replyTo;
    first = parent;
  }
  return first.id;
}

/** Whether the author of the conversation has hidden a reply. */
export function isHidden({ id }: StoredPost, { reactions }: Pick<Snapshot, 'reactions'>): boolean {
  return reactions.on('hide', id).some(({ on }) => on);
}
