import type { World, WorldPerson } from '../world/world.ts';

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
  /** By handle, with or without @ and whatever the case, or id. */
  find(name: string): WorldPerson | undefined;
}

/** The accounts of a world. */
export function peopleOf(world: World): People {
  return {
    all: [SELF, ...world.people],
    find(name) {
      const bare = name.replace(/^@/, '').toLowerCase();
      return bare === SELF.handle ? SELF : world.findPerson(bare);
    },
  };
}
