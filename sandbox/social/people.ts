import { below, createDice, pick } from '../world/dice.ts';
import { memoize } from '#src/clients/operation/memoize.ts';
import type { World, WorldPerson } from '../world/world.ts';

/** People with at least this many followers are not protected. */
const WELL_KNOWN = 5000;
const PROTECTED_CHANCE = 0.08;

/** The account of `SANDBOX_TOKEN`. */
export const SELF: WorldPerson = {
  id: 'fanfare',
  handle: 'fanfare',
  displayName: 'Fanfare',
  bio: 'Announces streams.',
  language: 'en',
  createdAt: new Date('2024-02-01T12:00:00Z'),
  followerCount: 42,
};

/** The accounts of the platform: the people of the world and the account of the API. */
export interface People {
  readonly all: readonly WorldPerson[];
  /** Without the account of the API. */
  readonly others: readonly WorldPerson[];
  /** Finds a person by id or by handle, with or without @, in any case. */
  find(name: string): WorldPerson | undefined;
  /** Whether only followers see the posts of a person. */
  isProtected(id: string): boolean;
}

/** The accounts of a world. */
export function peopleOf(world: World): People {
  return {
    ...accountsOf(world.people),
    find(name) {
      const bare = name.replace(/^@/, '').toLowerCase();
      return bare === SELF.handle ? SELF : world.findPerson(bare);
    },
  };
}

const accountsOf = memoize((others: readonly WorldPerson[]): Omit<People, 'find'> => {
  const dice = createDice(0, 'protected');
  const hidden = others.filter(({ id, followerCount }) => followerCount < WELL_KNOWN && dice(Number(id)) < PROTECTED_CHANCE);
  const protectedIds = new Set(hidden.map(({ id }) => id));
  return { all: [SELF, ...others], others, isProtected: (id) => protectedIds.has(id) };
});

const FEWEST_FOLLOWED = 8;
const MOST_FOLLOWED = 60;
const SUBSCRIBER_CHANCE = 0.06;

/** The generated follows. They are constant for a world and not stored. */
export interface FollowGraph {
  has(from: string, to: string): boolean;
  /** Ids. */
  followingsOf(id: string): readonly string[];
  /** Ids. */
  followersOf(id: string): readonly string[];
  /** Whether a follower is a paying subscriber. */
  pays(from: string, to: string): boolean;
}

/** The follows of a world. Each person follows a few dozen people, mostly well-known ones. The account of the API follows nobody. */
export function followGraphOf({ all }: Pick<People, 'all'>): FollowGraph {
  // The graph takes longer to generate than everything else, and few requests need it.
  const follows = (): Follows => followsAmong(all);
  const has = (from: string, to: string): boolean => follows().followings.get(from)?.has(to) ?? false;
  return {
    has,
    followingsOf: (id) => [...(follows().followings.get(id) ?? [])],
    followersOf: (id) => follows().followers.get(id) ?? [],
    pays: (from, to) => has(from, to) && createDice(0, `${from} pays ${to}`)(0) < SUBSCRIBER_CHANCE,
  };
}

interface Follows {
  readonly followings: ReadonlyMap<string, ReadonlySet<string>>;
  readonly followers: ReadonlyMap<string, readonly string[]>;
}

const followsAmong = memoize((people: readonly WorldPerson[]): Follows => {
  const dice = createDice(0, 'follows');
  const ranked = people.toSorted((a, b) => b.followerCount - a.followerCount);
  const followings = new Map<string, ReadonlySet<string>>();
  const followers = new Map<string, string[]>(people.map(({ id }) => [id, []]));
  for (const [index, { id }] of people.entries()) {
    if (id === SELF.id) continue;
    const throws = FEWEST_FOLLOWED + below(MOST_FOLLOWED - FEWEST_FOLLOWED, dice(index));
    const chosen = new Set<string>();
    for (let each = 0; each < throws; each += 1) chosen.add(pick(ranked, dice(index, 1, each) ** 2).id);
    chosen.delete(id);
    followings.set(id, chosen);
    for (const followed of chosen) followers.get(followed)?.push(id);
  }
  return { followings, followers };
});
