import type { Cast } from '../people.ts';
import { createHeadliners } from './headliners.ts';
import { createNewcomers } from './newcomers.ts';
import { createRegulars } from './regulars.ts';
import type { Timetable } from './show.ts';

/** The whole schedule: what would happen if nobody gave orders. */
export function createSchedule(seed: number, cast: Cast): Timetable {
  const parts = [createRegulars(seed, cast), createHeadliners(seed, cast), createNewcomers(seed, cast)];
  return {
    showsBetween: (fromMs, toMs, only) => parts.flatMap((part) => part.showsBetween(fromMs, toMs, only)),
    showsOf: (streamer, fromMs, toMs) => parts.flatMap((part) => part.showsOf(streamer, fromMs, toMs)),
    findShow: (id) => parts.map((part) => part.findShow(id)).find((show) => show !== undefined),
  };
}
