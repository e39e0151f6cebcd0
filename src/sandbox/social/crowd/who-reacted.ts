import { below, createDice } from '../../world/dice.ts';
import type { WorldPerson } from '../../world/world.ts';
import type { People } from '../people.ts';
import type { StoredPost } from '../posts.ts';
import type { Reactions } from '../reactions.ts';
import type { Relations } from '../relations.ts';
import { arrivalMs, comeBy } from './pace.ts';

/** A prime: in steps of it one comes to each of fewer people once. */
const STRIDE = 7919;

type Kind = 'like' | 'repost';

/** What there is to know of whoever reacts. */
export interface Audience {
  readonly now: Date;
  readonly people: People;
  readonly reactions: Reactions;
  readonly relations: Relations;
}

/** Somebody who does something about a post by themselves. */
export interface Spontaneous {
  readonly person: WorldPerson;
  readonly atMs: number;
  /** Which of all who do so. */
  readonly index: number;
}

/** Who likes a post, or passed it on: those who said so through the API, the latest first, then those who do by themselves. */
export function whoReacted(kind: Kind, post: StoredPost, audience: Audience): readonly WorldPerson[] {
  const { people, reactions } = audience;
  const standing = reactions.on(kind, post.id).filter(({ on }) => on);
  const others = spontaneous(kind, post, audience).map(({ person }) => person);
  return [...standing.flatMap(({ userId }) => people.find(userId) ?? []), ...others.toReversed()];
}

/** Whether somebody is among those of {@link whoReacted}. */
export function hasReacted(
  kind: Kind,
  { person, post }: { readonly person: WorldPerson; readonly post: StoredPost },
  audience: Audience,
): boolean {
  const said = audience.reactions.find(kind, { userId: person.id, postId: post.id });
  return said ?? spontaneous(kind, post, audience).some(({ person: { id } }) => id === person.id);
}

/** How many like a post once all have come by; unlike the count it is the same however much time goes by. */
export function likesInTheEnd(post: StoredPost, { reactions }: Pick<Audience, 'reactions'>): number {
  return post.likes + reactions.on('like', post.id).filter(({ on }) => on).length;
}

/**
 * Who has done so by themselves by now, oldest first: never the signed-in account, nor the author, nor somebody whom a block parts from the author, nor who said something else through the API.
 */
export function spontaneous(kind: Kind, post: StoredPost, { now, people, reactions, relations }: Audience): readonly Spontaneous[] {
  const { others } = people;
  const count = Math.min(kind === 'like' ? post.likes : post.reposts, others.length);
  const come = comeBy(count, now.getTime() - post.createdAtMs);
  if (come === 0) return [];
  const start = below(others.length, createDice(0, `${kind} ${post.id}`)(0));
  const spoken = new Set(reactions.on(kind, post.id).map(({ userId }) => userId));
  return Array.from({ length: come }, (_, index) => index).flatMap((index) => {
    const person = others[(start + index * STRIDE) % others.length];
    if (!person || person.id === post.authorId || spoken.has(person.id) || relations.parted(person.id, post.authorId)) return [];
    return [{ person, index, atMs: post.createdAtMs + arrivalMs(index, count) }];
  });
}
