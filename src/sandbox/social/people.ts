import { createDice } from '../world/dice.ts';
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

/** Everybody who has an account on the social platform: the people of the world, and the one that writes through the API. */
export interface People {
  readonly all: readonly WorldPerson[];
  /** Without the one that writes through the API. */
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
