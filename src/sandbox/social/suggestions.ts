import type { WorldPerson } from '../world/world.ts';
import type { Moment } from './moment.ts';

const SUGGESTED = 20;

/** People whom somebody does not follow yet: those whom most of their own followings follow, then those who are best known. */
export function suggestionsFor({ id }: WorldPerson, { people, relations }: Moment): readonly WorldPerson[] {
  const known = new Map<string, number>();
  for (const followed of relations.followingsOf(id)) {
    for (const other of relations.followingsOf(followed)) known.set(other, (known.get(other) ?? 0) + 1);
  }
  const strangers = people.all.filter(
    (person) => person.id !== id && !relations.follows(id, person.id) && !relations.parted(id, person.id) && !people.isProtected(person.id),
  );
  const weightOf = (person: WorldPerson): number => known.get(person.id) ?? 0;
  return strangers.toSorted((a, b) => weightOf(b) - weightOf(a) || b.followerCount - a.followerCount).slice(0, SUGGESTED);
}
