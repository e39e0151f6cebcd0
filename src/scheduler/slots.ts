import type { Schedule } from '#src/rules/rule.ts';
import { cronSlots } from './cron-slots.ts';

/** The instants at which a schedule is due, in milliseconds since 1970. */
export interface Slots {
  /** The first slot after an instant; undefined where none ever comes. */
  next(afterMs: number): number | undefined;
  /** The last slot in `(afterMs, untilMs]`. */
  latest(afterMs: number, untilMs: number): number | undefined;
}

/** The slots of a rule's schedule. */
export function slotsOf(schedule: Schedule): Slots {
  if ('everyMs' in schedule) return gridSlots(schedule.everyMs);
  const slots = cronSlots(schedule);
  return fromNext((afterMs) => slots.next(afterMs));
}

function gridSlots(everyMs: number): Slots {
  const atOrBefore = (ms: number): number => Math.floor(ms / everyMs) * everyMs;
  return {
    next: (afterMs) => atOrBefore(afterMs) + everyMs,
    latest(afterMs, untilMs) {
      const slotMs = atOrBefore(untilMs);
      return slotMs > afterMs ? slotMs : undefined;
    },
  };
}

function fromNext(next: Slots['next']): Slots {
  function lastIn(fromMs: number, untilMs: number): number | undefined {
    let found: number | undefined;
    for (let slotMs = next(fromMs); slotMs !== undefined && slotMs <= untilMs; slotMs = next(slotMs)) found = slotMs;
    return found;
  }

  return {
    next,
    latest(afterMs, untilMs) {
      // Slots may be dense or rare: look back further and further, so that neither costs much.
      for (let reachMs = 60_000; untilMs - reachMs > afterMs; reachMs *= 8) {
        const found = lastIn(untilMs - reachMs, untilMs);
        if (found !== undefined) return found;
      }
      return lastIn(afterMs, untilMs);
    },
  };
}
