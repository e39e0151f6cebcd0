import { rootOf } from '../../social/conversations.ts';
import type { Moment } from '../../social/moment.ts';
import type { StoredPost } from '../../social/posts.ts';
import type { WorldPerson } from '../../world/world.ts';
import { mentionsOf } from '../query/match.ts';

/** Whether a self-serve app may answer a post for somebody: it is their own, or its author has called or quoted them in it. */
export function isSummoned(viewer: WorldPerson, post: StoredPost, { feed }: Moment): boolean {
  if (post.authorId === viewer.id || mentionsOf(post.text).has(viewer.handle)) return true;
  return post.quote !== undefined && feed.find(post.quote)?.authorId === viewer.id;
}

/** Whether a self-serve app may quote a post for somebody: they are called in it, or have a part in its conversation. */
export function mayQuote(viewer: WorldPerson, post: StoredPost, { feed }: Moment): boolean {
  if (post.authorId === viewer.id || mentionsOf(post.text).has(viewer.handle)) return true;
  return rootOf(post, feed)?.authorId === viewer.id || feed.answersTo(post.id).some(({ authorId }) => authorId === viewer.id);
}
