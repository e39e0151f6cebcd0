import { createDice } from '../world/dice.ts';
import type { World, WorldGame, WorldPerson } from '../world/world.ts';
import { SELF } from './people.ts';

/** The name and the subject of a community. */
interface Founding {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Its name. */
  readonly game: string;
  readonly joinPolicy: 'open' | 'approval' | 'invitation';
  /** How much of everybody is in it, from 0 to 1. */
  readonly share: number;
}

/** The communities of the platform. */
const foundings: readonly Founding[] = [
  {
    id: 'speedrunners',
    name: 'Speedrunners',
    description: 'Routes, splits and very long evenings.',
    game: 'Retro Marathons',
    joinPolicy: 'open',
    share: 0.02,
  },
  {
    id: 'chess-club',
    name: 'Chess Club',
    description: 'Endings, openings, and a game at any hour.',
    game: 'Chess',
    joinPolicy: 'open',
    share: 0.025,
  },
  {
    id: 'valorant-nights',
    name: 'VALORANT Nights',
    description: 'Who queues tonight?',
    game: 'VALORANT',
    joinPolicy: 'open',
    share: 0.04,
  },
  {
    id: 'minecraft-builders',
    name: 'Minecraft Builders',
    description: 'Castles, circuits and the odd sheep.',
    game: 'Minecraft',
    joinPolicy: 'open',
    share: 0.03,
  },
  {
    id: 'factory-floor',
    name: 'Factory Floor',
    description: 'Belts that make belts.',
    game: 'Factorio',
    joinPolicy: 'approval',
    share: 0.012,
  },
  {
    id: 'farm-life',
    name: 'Farm Life',
    description: 'Crops, cows and quiet mornings.',
    game: 'Stardew Valley',
    joinPolicy: 'open',
    share: 0.015,
  },
  {
    id: 'deckbuilders',
    name: 'Deckbuilders',
    description: 'One more run, one card fewer.',
    game: 'Balatro',
    joinPolicy: 'open',
    share: 0.014,
  },
  {
    id: 'falling-blocks',
    name: 'Falling Blocks',
    description: 'Four lines at once or nothing.',
    game: 'Tetris',
    joinPolicy: 'approval',
    share: 0.01,
  },
  {
    id: 'summit-climbers',
    name: 'Summit Climbers',
    description: 'Every strawberry, every death counted.',
    game: 'Celeste',
    joinPolicy: 'open',
    share: 0.01,
  },
  {
    id: 'map-guessers',
    name: 'Map Guessers',
    description: 'A bollard, a plate, a country.',
    game: 'GeoGuessr',
    joinPolicy: 'open',
    share: 0.018,
  },
  {
    id: 'rocket-garage',
    name: 'Rocket Garage',
    description: 'Aerials, boosts and paint.',
    game: 'Rocket League',
    joinPolicy: 'approval',
    share: 0.016,
  },
  {
    id: 'orchard-keepers',
    name: 'Orchard Keepers',
    description: 'A small round of friends of one small game.',
    game: 'Hollow Orchard',
    joinPolicy: 'invitation',
    share: 0.006,
  },
];

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

/** Whether a person can post in a community: its members, and everyone if it is open. */
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
