import { below, createDice } from '../world/dice.ts';
import type { WorldPerson } from '../world/world.ts';
import type { StoredPost } from './posts.ts';
import type { Moment } from './moment.ts';

/** A prime: in steps of it one comes to each of fewer people once. */
const STRIDE = 7919;

/** Who likes a post, or passed it on: those who said so through the API, the latest first, then those who do by themselves. */
export function whoReacted(kind: 'like' | 'repost', post: StoredPost, { people, reactions }: Moment): readonly WorldPerson[] {
  const said = reactions.on(kind, post.id);
  const spoken = new Set(said.map(({ userId }) => userId));
  const standing = said.filter(({ on }) => on).flatMap(({ userId }) => people.find(userId) ?? []);
  return [...standing, ...crowd(kind, post, people.all).filter(({ id }) => !spoken.has(id))];
}

/** Whether somebody is among those of {@link whoReacted}. */
export function hasReacted(
  kind: 'like' | 'repost',
  { person, post }: { readonly person: WorldPerson; readonly post: StoredPost },
  moment: Moment,
): boolean {
  const said = moment.reactions.find(kind, { userId: person.id, postId: post.id });
  return said ?? crowd(kind, post, moment.people.all).some(({ id }) => id === person.id);
}

/** Who does so by themselves: never the signed-in account, which comes first of all. */
function crowd(kind: 'like' | 'repost', post: StoredPost, people: readonly WorldPerson[]): readonly WorldPerson[] {
  const others = people.length - 1;
  const start = below(others, createDice(0, `${kind} ${post.id}`)(0));
  const count = Math.min(kind === 'like' ? post.likes : post.reposts, others);
  return Array.from({ length: count }, (_, index) => people[1 + ((start + index * STRIDE) % others)]).filter(
    (person) => person !== undefined,
  );
}
