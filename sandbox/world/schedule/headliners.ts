import { createDice, below } from '../dice.ts';
import { CHAIRS_A_GAME, SHIFTS_A_DAY, starGames, type Cast, type Streamer } from '../people.ts';
import { programMaker } from './program.ts';
import { type Show, type Timetable, touches } from './show.ts';

const MINUTE_MS = 60_000;
const SHIFT_MS = 8 * 60 * MINUTE_MS;
const CHAIRS = starGames.length * CHAIRS_A_GAME;
const ID_PREFIX = '42';

/** The shifts of different chairs end at different times. */
function delayMs(chair: number): number {
  return ((chair * 137) % 240) * MINUTE_MS;
}

/**
 * The stars: each big game has two chairs, and each chair has three people who take turns. At most two stars of a game are
 * live, so that the waves of newcomers reach the top five.
 */
export function createHeadliners(seed: number, { headliners }: Cast): Timetable {
  const dice = createDice(seed, 'headliners');
  const programOf = programMaker(seed, 'headliners');

  function showAt(chair: number, shift: number): Show | undefined {
    const number = shift * CHAIRS + chair;
    const dayOff = dice(number, 1) < 0.12;
    const streamer = headliners[chair]?.[shift % SHIFTS_A_DAY];
    if (dayOff || !streamer) return undefined;

    const startMs = shift * SHIFT_MS + delayMs(chair) + below(40 * 60, dice(number, 2)) * 1000;
    const endMs = startMs + below(100 * 60, dice(number, 3)) * 1000 + 330 * MINUTE_MS;
    // A star in another game would be a third star there.
    const program = programOf(number, { streamer, startMs, endMs, game: streamer.home, loyal: true });
    const audience = {
      steady: streamer.home.crowd * (1.3 + 2.4 * dice(number, 4) ** 2),
      warmUpSeconds: 240,
      wave: 0,
      rhythm: dice(number, 5),
    };
    return { id: ID_PREFIX + String(number).padStart(10, '0'), streamer, startMs, endMs, breaks: [], ...program, audience };
  }

  function showsOfChair(chair: number, fromMs: number, toMs: number): readonly Show[] {
    const shiftAt = (ms: number): number => Math.floor((ms - delayMs(chair)) / SHIFT_MS);
    const shows: Show[] = [];
    for (let shift = shiftAt(fromMs); shift <= shiftAt(toMs); shift++) {
      const show = showAt(chair, shift);
      if (show && touches(show, fromMs, toMs)) shows.push(show);
    }
    return shows;
  }

  return {
    showsBetween: (fromMs, toMs, only = () => true) =>
      headliners.flatMap((_, chair) => showsOfChair(chair, fromMs, toMs)).filter(({ streamer }) => only(streamer)),

    showsOf(streamer: Streamer, fromMs, toMs) {
      const { seat } = streamer;
      return seat.part === 'headliner' ? showsOfChair(seat.chair, fromMs, toMs).filter((show) => show.streamer === streamer) : [];
    },

    findShow(id) {
      if (!/^42\d{10}$/.test(id)) return undefined;
      const number = Number(id.slice(ID_PREFIX.length));
      return showAt(number % CHAIRS, Math.floor(number / CHAIRS));
    },
  };
}
