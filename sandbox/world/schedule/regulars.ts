import { below, createDice, pick } from '../dice.ts';
import { regulars as namedRegulars } from '../content/people.ts';
import type { Cast, Streamer } from '../people.ts';
import { programMaker } from './program.ts';
import { type Show, type Span, type Timetable, touches } from './show.ts';

/** Each regular is live for three and a half of six minutes. The starts are a minute apart, so that one starts or ends every half minute. */
const CYCLE_SECONDS = 360;
const APART_SECONDS = 60;
const LIVE_SECONDS = 210;
const ID_PREFIX = '41';

/** The six regulars: they are live for a few minutes, offline for a few minutes, and sometimes interrupted for half a minute. */
export function createRegulars(seed: number, { regulars }: Cast): Timetable {
  const dice = createDice(seed, 'regulars');
  const programOf = programMaker(seed, 'regulars');

  function showAt(cycle: number, place: number): Show | undefined {
    const streamer = regulars[place];
    if (!streamer) return undefined;
    const number = cycle * regulars.length + place;
    const dueSeconds = cycle * CYCLE_SECONDS + place * APART_SECONDS;
    const startMs = (dueSeconds + below(5, dice(number, 1))) * 1000;
    const endMs = (dueSeconds + LIVE_SECONDS + below(5, dice(number, 2))) * 1000;
    const game = pick(namedRegulars[place]?.plays ?? [streamer.home], dice(number, 3));
    const audience = { steady: 250 + 1800 * dice(place, 4), warmUpSeconds: 15, wave: 0, rhythm: dice(number, 8) };
    return {
      id: ID_PREFIX + String(number).padStart(10, '0'),
      streamer,
      startMs,
      endMs,
      breaks: breaksOf(number, startMs),
      ...programOf(number, { streamer, startMs, endMs, game }),
      audience,
    };
  }

  /** One of five shows has an interruption of 20 to 40 seconds. */
  function breaksOf(number: number, startMs: number): readonly Span[] {
    if (dice(number, 5) >= 0.2) return [];
    const fromMs = startMs + (85 + below(25, dice(number, 6))) * 1000;
    return [{ fromMs, toMs: fromMs + (20 + below(21, dice(number, 7))) * 1000 }];
  }

  function showsOfPlace(place: number, fromMs: number, toMs: number): readonly Show[] {
    const cycleAt = (ms: number): number => Math.floor((ms / 1000 - place * APART_SECONDS) / CYCLE_SECONDS);
    const shows: Show[] = [];
    for (let cycle = cycleAt(fromMs); cycle <= cycleAt(toMs); cycle++) {
      const show = showAt(cycle, place);
      if (show && touches(show, fromMs, toMs)) shows.push(show);
    }
    return shows;
  }

  return {
    showsBetween: (fromMs, toMs, only = () => true) =>
      regulars.flatMap((streamer, place) => (only(streamer) ? showsOfPlace(place, fromMs, toMs) : [])),

    showsOf: ({ seat }: Streamer, fromMs, toMs) => (seat.part === 'regular' ? showsOfPlace(seat.place, fromMs, toMs) : []),

    findShow(id) {
      if (!/^41\d{10}$/.test(id)) return undefined;
      const number = Number(id.slice(ID_PREFIX.length));
      return showAt(Math.floor(number / regulars.length), number % regulars.length);
    },
  };
}
