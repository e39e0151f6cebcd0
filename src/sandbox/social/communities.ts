import { createDice } from '../world/dice.ts';
import type { World, WorldGame, WorldPerson } from '../world/world.ts';
import { foundings } from './foundings.ts';
import { SELF } from './people.ts';

const FOUNDED_FIRST_MS = Date.parse('2021-03-01T12:00:00Z');
const DAYS_OF_FOUNDING = 1500;
const DAY_MS = 86_400_000;
const MODERATORS = 4;

export type Role = 'none' | 'member' | 'moderator' | 'admin';

/** A community as the platform keeps it. */
export interface StoredCommunity {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly game: WorldGame;
  readonly joinPolicy: 'open' | 'approval' | 'invitation';
  readonly createdAtMs: number;
  /** Those of the world who are in it. */
  readonly people: readonly WorldPerson[];
  /** Who is what in it, by id: the admin first, then the moderators. */
  readonly roles: ReadonlyMap<string, Role>;
}

/** The communities that there are. */
export interface Communities {
  readonly all: readonly StoredCommunity[];
  find(id: string): StoredCommunity | undefined;
}

export function roleIn({ roles }: StoredCommunity, personId: string): Role {
  return roles.get(personId) ?? 'none';
}

/** Whether somebody may post into a community: its members may, and where it is open, everybody. */
export function mayPostIn(community: StoredCommunity, personId: string): boolean {
  return community.joinPolicy === 'open' || roleIn(community, personId) !== 'none';
}

/** The communities of a world: the same at every look. The signed-in account has joined those that are open. */
export function communitiesOf({ people, games }: Pick<World, 'people' | 'games'>): Communities {
  const dice = createDice(0, 'communities');
  const all = foundings.flatMap(({ game: gameName, share, ...founding }, place) => {
    const game = games.find(({ name }) => name === gameName);
    if (!game) return [];
    const joined = people.filter((_, index) => dice(place, 1, index) < share);
    const members = founding.joinPolicy === 'open' ? [...joined, SELF] : joined;
    const createdAtMs = FOUNDED_FIRST_MS + Math.floor(dice(place) * DAYS_OF_FOUNDING) * DAY_MS;
    return [{ ...founding, game, createdAtMs, people: joined, roles: new Map(members.map(({ id }, index) => [id, roleAt(index)])) }];
  });
  const byId = new Map(all.map((community) => [community.id, community]));
  return { all, find: (id) => byId.get(id) };
}

function roleAt(index: number): Role {
  if (index === 0) return 'admin';
  return index <= MODERATORS ? 'moderator' : 'member';
}
