import { spontaneous } from '../../social/crowd/who-reacted.ts';
import type { StoredPost } from '../../social/posts.ts';
import type { WorldPerson } from '../../world/world.ts';
import type { Look } from './look.ts';

/** Somebody who likes a post or passed it on. */
export interface Reactor {
  readonly id: string;
  readonly person: WorldPerson;
  readonly atMs: number;
}

/** Who likes a post, or passed it on: those who said so through the API, the latest first, then those who do by themselves. */
export function reactorsOf(kind: 'like' | 'repost', post: StoredPost, { moment }: Look): readonly Reactor[] {
  const standing = moment.reactions.on(kind, post.id).filter(({ on }) => on);
  const said = standing.flatMap(({ userId, atMs }) => {
    const person = moment.people.find(userId);
    return person ? [{ id: person.id, person, atMs }] : [];
  });
  const others = spontaneous(kind, post, moment).map(({ person, atMs }) => ({ id: person.id, person, atMs }));
  return [...said, ...others.toReversed()];
}
