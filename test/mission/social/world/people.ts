import type { User } from '#src/social/records/user.ts';
import type { WorldPerson } from '#sandbox/world/world.ts';
import type { SocialGround } from '../ground.ts';
import { ME } from '../installation/past.ts';

interface Relation {
  readonly kind: 'follow' | 'block' | 'notify';
  readonly from: string;
  readonly to: string;
  readonly on: boolean;
  readonly number: number;
  readonly atMs: number;
}

function relations({ store }: SocialGround, kind: Relation['kind']): readonly Relation[] {
  const all = store.all('social.relations') as unknown as readonly Relation[]; // as the platform wrote them
  return all.filter((one) => one.kind === kind).toSorted((a, b) => b.number - a.number);
}

function lastRelation(ground: SocialGround, kind: Relation['kind'], from: string, to: string): Relation | undefined {
  return relations(ground, kind).find((one) => one.from === from && one.to === to);
}

export function follows(ground: SocialGround, from: string, to: string): boolean {
  return lastRelation(ground, 'follow', from, to)?.on ?? ground.graph.has(from, to);
}

export function blocks(ground: SocialGround, from: string, to: string): boolean {
  return lastRelation(ground, 'block', from, to)?.on ?? false;
}

/** Since when one wants to hear of another. */
export function hearsSinceMs(ground: SocialGround, from: string, to: string): number | undefined {
  const relation = lastRelation(ground, 'notify', from, to);
  return relation?.on ? relation.atMs : undefined;
}

/** Ids, the latest first: those who said so, then those who do anyway. */
export function followersOf(ground: SocialGround, id: string): readonly string[] {
  const spoken = relations(ground, 'follow').filter(({ to }) => to === id);
  const silent = ground.graph.followersOf(id).filter((follower) => !spoken.some(({ from }) => from === follower));
  return [...spoken.flatMap(({ from, on }) => (on ? [from] : [])), ...silent];
}

/** Ids, the latest first. */
export function followingsOf(ground: SocialGround, id: string): readonly string[] {
  const spoken = relations(ground, 'follow').filter(({ from }) => from === id);
  const silent = ground.graph.followingsOf(id).filter((followed) => !spoken.some(({ to }) => to === followed));
  return [...spoken.flatMap(({ to, on }) => (on ? [to] : [])), ...silent];
}

/** Ids, the latest first. */
export function blockedByMe(ground: SocialGround): readonly string[] {
  return relations(ground, 'block').flatMap(({ from, to, on }) => (from === ME && on ? [to] : []));
}

/** Those whom a block parts from the account, whoever made it. */
export function partedFromMe(ground: SocialGround): ReadonlySet<string> {
  const standing = relations(ground, 'block').filter(({ from, to, on }) => on && (from === ME || to === ME));
  return new Set(standing.map(({ from, to }) => (from === ME ? to : from)));
}

export function personIn({ people }: SocialGround, id: string): WorldPerson {
  const person = people.all.find((one) => one.id === id);
  if (!person) throw new Error(`nobody has the id ${id}`);
  return person;
}

/** Ada, who comes first of all. */
export function ada({ people }: SocialGround): WorldPerson {
  const [first] = people.others;
  if (!first) throw new Error('the world is empty');
  return first;
}

/** Whom most people follow. */
export function mostFollowed(ground: SocialGround): WorldPerson {
  return ground.people.others.reduce((most, one) =>
    ground.graph.followersOf(one.id).length > ground.graph.followersOf(most.id).length ? one : most,
  );
}

function personFacts({ id, handle, displayName, bio, createdAt, language }: WorldPerson): unknown {
  return { id, handle, displayName, bio, createdAt, language };
}

export function seenPerson({ id, handle, displayName, bio, createdAt, language }: User): unknown {
  return { id, handle, displayName, bio, createdAt, language };
}

/** People by their ids, as lists show them. */
export function factsOf(ground: SocialGround, ids: readonly string[]): readonly unknown[] {
  return ids.map((id) => personFacts(personIn(ground, id)));
}
