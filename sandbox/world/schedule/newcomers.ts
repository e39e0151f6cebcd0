import { games, VALORANT, type PlayedGame } from '../content/games.ts';
import { below, createDice, pickWeighted, shuffled, unshuffled } from '../dice.ts';
import { CLUBS, LANE_MEMBERS, steadyViewers, type Cast, type Streamer } from '../people.ts';
import { programMaker } from './program.ts';
import { type Show, type Timetable, touches } from './show.ts';

const HOUR_MS = 3_600_000;
/** In each slot, a stream starts within the first four seconds. */
const SLOT_SECONDS = 12;
const SLOTS_AN_HOUR = 300;
const LONGEST_MS = 4.5 * HOUR_MS;
const ID_PREFIX = '40';
const MOST_HOURS_KEPT = 8;

/** The lane of each slot of an hour. Every second slot belongs to VALORANT. */
const laneOfSlot = Array.from({ length: SLOTS_AN_HOUR }, (_, slot) => slot % 2);
/** The slots of each lane, and the index of each slot in its lane. */
const slotsOfLane = [0, 1].map((lane) => laneOfSlot.flatMap((each, slot) => (each === lane ? [slot] : [])));
const positionOfSlot = laneOfSlot.map((lane, slot) => slotsOfLane[lane]?.indexOf(slot) ?? 0);

/**
 * Most people of the world: they stream every twelve hours at a changing time of their hour, and sometimes not at all. A wave
 * of viewers at the start brings them to the top of their game for a minute.
 */
export function createNewcomers(seed: number, { newcomers }: Cast): Timetable {
  const dice = createDice(seed, 'newcomers');
  const programOf = programMaker(seed, 'newcomers');
  const everybody = newcomers.flat(2);
  const hours = new Map<number, readonly Show[]>();

  /** Selects the order of the members of a lane in an hour. */
  const orderOf = (hour: number, lane: number): number => dice(hour, 1, lane);

  function memberAt(slot: number): Streamer {
    const hour = Math.floor(slot / SLOTS_AN_HOUR);
    const inHour = slot - hour * SLOTS_AN_HOUR;
    const lane = laneOfSlot[inHour] ?? 0;
    const place = shuffled(positionOfSlot[inHour] ?? 0, LANE_MEMBERS[lane] ?? 1, orderOf(hour, lane));
    const member = newcomers[lane]?.[hour % CLUBS]?.[place];
    if (!member) throw new RangeError(`slot ${slot} has no member`);
    return member;
  }

  function showAt(slot: number): Show {
    const streamer = memberAt(slot);
    const startMs = (slot * SLOT_SECONDS + below(4, dice(slot, 2))) * 1000;
    const endMs = startMs + lengthMs(slot);
    const game = gameOf(slot, streamer);
    const program = programOf(slot, { streamer, startMs, endMs, game });
    const steady = Math.min(...program.chapters.map((chapter) => steadyViewers(chapter.game, streamer.renown)));
    const audience = {
      steady: steady * (0.7 + 0.5 * dice(slot, 3)),
      warmUpSeconds: 60,
      wave: game.crowd * (1 + 0.1 * dice(slot, 4)),
      rhythm: dice(slot, 10),
    };
    return { id: ID_PREFIX + String(slot).padStart(10, '0'), streamer, startMs, endMs, breaks: [], ...program, audience };
  }

  function gameOf(slot: number, { seat, home }: Streamer): PlayedGame {
    if (seat.part === 'newcomer' && seat.lane === 0) return VALORANT;
    return dice(slot, 5) < 0.8 ? home : pickWeighted(games, dice(slot, 6));
  }

  /** About an hour, and up to four and a half hours. */
  function lengthMs(slot: number): number {
    const bell = dice(slot, 7) + dice(slot, 8) + dice(slot, 9) - 1.5;
    const minutes = Math.min(270, Math.max(14, 55 * Math.exp(1.4 * bell)));
    return Math.round(minutes * 60) * 1000;
  }

  function showsOfHour(hour: number): readonly Show[] {
    const kept = hours.get(hour);
    if (kept) return kept;
    const shows = Array.from({ length: SLOTS_AN_HOUR }, (_, slot) => showAt(hour * SLOTS_AN_HOUR + slot));
    if (hours.size >= MOST_HOURS_KEPT) hours.delete(hours.keys().next().value ?? hour);
    hours.set(hour, shows);
    return shows;
  }

  function showsBetween(fromMs: number, toMs: number, only?: (streamer: Streamer) => boolean): readonly Show[] {
    if (only) return everybody.filter(only).flatMap((streamer) => showsOf(streamer, fromMs, toMs));
    const shows: Show[] = [];
    for (let hour = Math.floor((fromMs - LONGEST_MS) / HOUR_MS); hour <= Math.floor(toMs / HOUR_MS); hour++) {
      for (const show of showsOfHour(hour)) if (touches(show, fromMs, toMs)) shows.push(show);
    }
    return shows;
  }

  function showsOf({ seat }: Streamer, fromMs: number, toMs: number): readonly Show[] {
    if (seat.part !== 'newcomer') return [];
    const shows: Show[] = [];
    for (let hour = Math.floor((fromMs - LONGEST_MS) / HOUR_MS); hour <= Math.floor(toMs / HOUR_MS); hour++) {
      if (hour % CLUBS !== seat.club) continue;
      const position = unshuffled(seat.place, LANE_MEMBERS[seat.lane] ?? 1, orderOf(hour, seat.lane));
      // A member without a slot does not stream in this hour.
      const slot = slotsOfLane[seat.lane]?.[position];
      if (slot === undefined) continue;
      const show = showAt(hour * SLOTS_AN_HOUR + slot);
      if (touches(show, fromMs, toMs)) shows.push(show);
    }
    return shows;
  }

  return {
    showsBetween,
    showsOf,
    findShow: (id) => (/^40\d{10}$/.test(id) ? showAt(Number(id.slice(ID_PREFIX.length))) : undefined),
  };
}
