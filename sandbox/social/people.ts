import { below, createDice, pick } from '../world/dice.ts';
import type { World, WorldPerson } from '../world/world.ts';

/** Nobody hides from so many followers. */
const WELL_KNOWN = 5000;
const PROTECTED_CHANCE = 0.08;

/** Whose token `SANDBOX_TOKEN` is. */
export const SELF: WorldPerson = {
  id: 'fanfare',
  handle: 'fanfare',
  displayName: 'Fanfare',
  bio: 'Says who is live.',
  language: 'en',
  createdAt: new Date('2024-02-01T12:00:00Z'),
  followerCount: 42,
};

/** The accounts of the platform: the people of the world and the account of the API. */
export interface People {
  readonly all: readonly WorldPerson[];
  /** Without the account of the API. */
  readonly others: readonly WorldPerson[];
  /** By handle, with or without @ and whatever the case, or id. */
  find(name: string): WorldPerson | undefined;
  /** Whether only followers see what somebody writes. */
  isProtected(id: string): boolean;
}

/** The accounts of a world. */
export function peopleOf(world: World): People {
  const dice = createDice(0, 'protected');
  const shy = world.people.filter(({ id, followerCount }) => followerCount < WELL_KNOWN && dice(Number(id)) < PROTECTED_CHANCE);
  const protectedIds = new Set(shy.map(({ id }) => id));
  return {
    all: [SELF, ...world.people],
    others: world.people,
    isProtected: (id) => protectedIds.has(id),
    find(name) {
      const bare = name.replace(/^@/, '').toLowerCase();
      return bare === SELF.handle ? SELF : world.findPerson(bare);
    },
  };
}

const FEWEST_FOLLOWED = 8;
const MOST_FOLLOWED = 60;
const SUBSCRIBER_CHANCE = 0.06;

/** Whom people follow of their own accord: the same at every look, and nothing of it is stored. */
export interface FollowGraph {
  has(from: string, to: string): boolean;
  /** Ids. */
  followingsOf(id: string): readonly string[];
  /** Ids. */
  followersOf(id: string): readonly string[];
  /** Whether a follower pays for it. */
  pays(from: string, to: string): boolean;
}

/** Who follows whom in a world: each a few dozen, most of all those who are well known. The signed-in account begins with nobody. */
export function followGraphOf(people: readonly WorldPerson[]): FollowGraph {
  let made: Follows | undefined;
  // It takes longer than all the rest of a sandbox, and is seldom looked at.
  const follows = (): Follows => (made ??= followsAmong(people));
  const has = (from: string, to: string): boolean => follows().followings.get(from)?.has(to) ?? false;
  return {
    has,
    followingsOf: (id) => [...(follows().followings.get(id) ?? [])],
    followersOf: (id) => follows().followers.get(id) ?? [],
    pays: (from, to) => has(from, to) && createDice(0, `${from} pays ${to}`)(0) < SUBSCRIBER_CHANCE,
  };
}

/** By id. */
interface Follows {
  readonly followings: ReadonlyMap<string, ReadonlySet<string>>;
  readonly followers: ReadonlyMap<string, readonly string[]>;
}

function followsAmong(people: readonly WorldPerson[]): Follows {
  const dice = createDice(0, 'follows');
  const ranked = people.toSorted((a, b) => b.followerCount - a.followerCount);
  const followings = new Map<string, ReadonlySet<string>>();
  const followers = new Map<string, string[]>(people.map(({ id }) => [id, []]));
  for (const [index, { id }] of people.entries()) {
    if (id === SELF.id) continue;
    const throws = FEWEST_FOLLOWED + below(MOST_FOLLOWED - FEWEST_FOLLOWED, dice(index));
    const chosen = new Set(Array.from({ length: throws }, (_, each) => pick(ranked, dice(index, 1, each) ** 2).id));
    chosen.delete(id);
    followings.set(id, chosen);
    for (const followed of chosen) followers.get(followed)?.push(id);
  }
  return { followings, followers };
}
