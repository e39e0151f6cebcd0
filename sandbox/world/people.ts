import { type Zone, bios, localHour, nameOf, regulars as namedRegulars, zones } from './content/people.ts';
import { games, VALORANT, type PlayedGame } from './content/games.ts';
import { below, createDice, pick, pickWeighted, type Dice } from './dice.ts';
import type { WorldPerson } from './world.ts';

/** The position of a person in the schedule. */
type Seat =
  | { readonly part: 'regular'; readonly place: number }
  | { readonly part: 'headliner'; readonly chair: number; readonly shift: number }
  | { readonly part: 'newcomer'; readonly lane: number; readonly club: number; readonly place: number };

/** A person as the schedule knows them. */
export interface Streamer {
  readonly person: WorldPerson;
  readonly seat: Seat;
  readonly zone: Zone;
  readonly home: PlayedGame;
  /** The popularity from 0 to 1. */
  readonly renown: number;
}

/** The people by their positions. */
export interface Cast {
  readonly all: readonly Streamer[];
  /** The same list for every world of a seed. */
  readonly people: readonly WorldPerson[];
  readonly regulars: readonly Streamer[];
  /** By chair, then by shift of the day. */
  readonly headliners: readonly (readonly Streamer[])[];
  /** By lane, then by club. */
  readonly newcomers: readonly (readonly (readonly Streamer[])[])[];
}

const HOUR_MS = 3_600_000;

/** Games with enough viewers for stars. */
export const starGames = games.filter(({ crowd }) => crowd >= 2600);
export const CHAIRS_A_GAME = 2;
export const SHIFTS_A_DAY = 3;

/** The number of clubs. Each club streams in two hours of the day, twelve hours apart. */
export const CLUBS = 12;
/** The members of a club in each lane: a prime number that is greater than the number of slots. Lane 0 plays VALORANT. */
export const LANE_MEMBERS: readonly number[] = [157, 157];

let latest: { readonly seed: number; readonly cast: Cast } | undefined;

/** The people of a seed. Sandboxes of one process share them, because they are constant and take long to generate. */
export function castOf(seed: number): Cast {
  if (latest?.seed !== seed) latest = { seed, cast: createCast(seed) };
  return latest.cast;
}

function createCast(seed: number): Cast {
  const dice = createDice(seed, 'people');
  const all: Streamer[] = [];
  const add = (seat: Seat, zone: Zone, home: PlayedGame): Streamer => {
    const streamer = createStreamer(dice, all.length, { seat, zone, home });
    all.push(streamer);
    return streamer;
  };

  const regulars = namedRegulars.map(({ plays }, place) => add({ part: 'regular', place }, homeZone, plays[0]));
  const headliners = starGames.flatMap((game, at) =>
    range(CHAIRS_A_GAME).map((seat) => {
      const chair = at * CHAIRS_A_GAME + seat;
      return range(SHIFTS_A_DAY).map((shift) =>
        add({ part: 'headliner', chair, shift }, pickWeighted(zonesAwakeAt([shift * 8 + 3]), dice(chair, 91, shift)), game),
      );
    }),
  );
  const newcomers = LANE_MEMBERS.map((members, lane) =>
    range(CLUBS).map((club) => {
      const awake = zonesAwakeAt([club, club + CLUBS]);
      return range(members).map((place) => {
        const home = lane === 0 ? VALORANT : pickWeighted(games, dice(club, 92, place));
        return add({ part: 'newcomer', lane, club, place }, pickWeighted(awake, dice(club, 93 + lane, place)), home);
      });
    }),
  );
  return { all, people: all.map(({ person }) => person), regulars, headliners, newcomers };
}

const homeZone: Zone = { language: 'en', offsetHours: 0, weight: 1 };

function createStreamer(dice: Dice, index: number, { seat, zone, home }: Pick<Streamer, 'seat' | 'zone' | 'home'>): Streamer {
  const renown = seat.part === 'newcomer' ? dice(index, 1) : 0.9 + dice(index, 1) / 10;
  const name = seat.part === 'regular' ? namedRegulars[seat.place]?.displayName : undefined;
  const { handle, displayName } = name ? { handle: name.toLowerCase(), displayName: name } : nameOf(index);
  const bio = pick(bios[zone.language] ?? [''], dice(index, 2)).replace('{game}', home.name);
  const person: WorldPerson = {
    id: String(24_000_000 + index * 7919),
    handle,
    displayName,
    bio,
    language: zone.language,
    createdAt: new Date(Date.UTC(2013, 0, 1) + below(4300, dice(index, 3)) * 24 * HOUR_MS + below(86_400, dice(index, 4)) * 1000),
    followerCount: Math.round(steadyViewers(home, renown) * (60 + 140 * dice(index, 5))),
  };
  return { person, seat, zone, home, renown };
}

/** The usual number of viewers: a few dozen for most people, thousands for few, and always fewer than a wave. */
export function steadyViewers({ crowd }: PlayedGame, renown: number): number {
  const tail = (crowd / 700) * (1.0001 - renown) ** -1.1;
  return Math.min(0.55 * crowd, 2 + tail);
}

/** The zones in which one of the UTC hours is late afternoon or evening. */
function zonesAwakeAt(hours: readonly number[]): readonly Zone[] {
  return zones.filter((zone) => hours.some((hour) => localHour(zone, (hour + 0.5) * HOUR_MS) >= 15));
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}
