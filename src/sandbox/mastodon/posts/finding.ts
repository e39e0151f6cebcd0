import type { StoredPost } from '../../social/posts.ts';
import { recordNotFound } from '../refusal.ts';
import type { Visit } from '../visit.ts';

/** All that an id may mean: what shows, and what was written and does not show yet. */
function* known({ moment, written }: Visit): Generator<Pick<StoredPost, 'id' | 'createdAtMs'>, void> {
  yield* written.all();
  yield* moment.feed.all();
  yield* moment.feed.timeline();
}

/** A post or a boost by its id, as far as the viewer may see it. */
export function findStatus(id: string, found: Visit): StoredPost | undefined {
  const name = found.ground.ids.postNamed(id, () => known(found));
  return name === undefined ? undefined : found.moment.feed.find(name);
}

export function requireStatus(id: string, found: Visit): StoredPost {
  const post = findStatus(id, found);
  if (!post) throw recordNotFound();
  return post;
}

/** What a boost passes on, or the post itself. */
export function requireOriginal(id: string, found: Visit): StoredPost {
  const post = requireStatus(id, found);
  if (post.repostOf === undefined) return post;
  const original = found.moment.feed.find(post.repostOf);
  if (!original) throw recordNotFound();
  return original;
}

/** The name of a post by its id, also of one that does not show. */
export function nameOfStatus(id: string, found: Visit): string | undefined {
  return found.ground.ids.postNamed(id, () => known(found));
}

/** The post that has a poll, by the poll's id. */
export function requirePollPost(id: string, found: Visit): StoredPost {
  const name = found.ground.ids.postOfPoll(id, () => known(found));
  const post = name === undefined ? undefined : found.moment.feed.find(name);
  if (!post) throw recordNotFound();
  return post;
}
