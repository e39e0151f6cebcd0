import { likesInTheEnd } from './crowd/who-reacted.ts';
import type { Moment } from './moment.ts';
import type { StoredPost } from './posts.ts';

/** The same posts, those that most people like first; of equally liked ones the newest first. */
export function mostLikedFirst(posts: readonly StoredPost[], moment: Moment): readonly StoredPost[] {
  const counted = posts.map((post) => ({ post, likes: likesInTheEnd(post, moment) }));
  return counted.toSorted((a, b) => b.likes - a.likes || b.post.createdAtMs - a.post.createdAtMs).map(({ post }) => post);
}
