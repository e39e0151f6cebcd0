import { createDice } from '../world/dice.ts';
import { memoize } from '#src/clients/operation/memoize.ts';
import type { World, WorldGame, WorldPerson } from '../world/world.ts';
import { SELF } from './people.ts';

type JoinPolicy = 'open' | 'approval' | 'invitation';

/** The communities: name, description, name of the game, join policy, and the share of all people who are members. */
const COMMUNITIES: readonly (readonly [string, string, string, JoinPolicy, number])[] = [
  ['Speedrunners', 'Routes, splits and very long evenings.', 'Retro Marathons', 'open', 0.02],
  ['Chess Club', 'Endings, openings, and a game at any hour.', 'Chess', 'open', 0.025],
  ['VALORANT Nights', 'Who queues tonight?', 'VALORANT', 'open', 0.04],
  ['Minecraft Builders', 'Castles, circuits and the odd sheep.', 'Minecraft', 'open', 0.03],
  ['Factory Floor', 'Belts that make belts.', 'Factorio', 'approval', 0.012],
  ['Farm Life', 'Crops, cows and quiet mornings.', 'Stardew Valley', 'open', 0.015],
  ['Deckbuilders', 'One more run, one card fewer.', 'Balatro', 'open', 0.014],
  ['Falling Blocks', 'Four lines at once or nothing.', 'Tetris', 'approval', 0.01],
  ['Summit Climbers', 'Every strawberry, every death counted.', 'Celeste', 'open', 0.01],
  ['Map Guessers', 'A bollard, a plate, a country.', 'GeoGuessr', 'open', 0.018],
  ['Rocket Garage', 'Aerials, boosts and paint.', 'Rocket League', 'approval', 0.016],
  ['Orchard Keepers', 'A small round of friends of one small game.', 'Hollow Orchard', 'invitation', 0.006],
];

const FIRST_CREATED_MS = Date.parse('2021-03-01T12:00:00Z');
const CREATION_DAYS = 1500;
const DAY_MS = 86_400_000;
const MODERATORS = 4;

export type Role = 'none' | 'member' | 'moderator' | 'admin';

/** A community. */
export interface StoredCommunity {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly game: WorldGame;
  readonly joinPolicy: JoinPolicy;
  readonly createdAtMs: number;
  /** The members, without the account of the API. */
  readonly people: readonly WorldPerson[];
  /** The roles of all members by person id: the admin first, then the moderators. */
  readonly roles: ReadonlyMap<string, Role>;
}

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

/** The communities of a world. The account of the API is a member of the open ones. */
export function communitiesOf({ people, games }: Pick<World, 'people' | 'games'>): Communities {
  return communitiesAmong(people)(games);
}

const communitiesAmong = memoize((people: readonly WorldPerson[]) => memoize((games: readonly WorldGame[]) => create(people, games)));

function create(people: readonly WorldPerson[], games: readonly WorldGame[]): Communities {
  const dice = createDice(0, 'communities');
  const all = COMMUNITIES.flatMap(([name, description, gameName, joinPolicy, share], index): StoredCommunity[] => {
    const game = games.find((one) => one.name === gameName);
    if (!game) return [];
    const joined = people.filter((_, person) => dice(index, 1, person) < share);
    const members = joinPolicy === 'open' ? [...joined, SELF] : joined;
    const createdAtMs = FIRST_CREATED_MS + Math.floor(dice(index) * CREATION_DAYS) * DAY_MS;
    const roles = new Map(members.map(({ id }, position) => [id, roleAt(position)]));
    return [{ id: name.toLowerCase().replaceAll(' ', '-'), name, description, game, joinPolicy, createdAtMs, people: joined, roles }];
  });
  const byId = new Map(all.map((community) => [community.id, community]));
  return { all, find: (id) => byId.get(id) };
}

function roleAt(index: number): Role {
  if (index === 0) return 'admin';
  return index <= MODERATORS ? 'moderator' : 'member';
}
