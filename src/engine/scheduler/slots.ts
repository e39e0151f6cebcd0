import type { Schedule } from '#src/rules/rule.ts';
import { cronSlots } from '#src/rules/clocks/cron-slots.ts';

/** The instants at which a schedule is due, in milliseconds since 1970. */
export interface Slots {
  /** The first slot after an instant; undefined if no slot follows. */
  next(afterMs: number): number | undefined;
  /** The last slot in `(afterMs, untilMs]`. */
  latest(afterMs: number, untilMs: number): number | undefined;
  /** The last `count` slots in `(afterMs, untilMs]`, in order. */
  lastOf(afterMs: number, untilMs: number, count: number): readonly number[];
}

/** A rule that answers a command or a webhook runs only when one arrives. */
const NO_SLOTS: Slots = { next: () => undefined, latest: () => undefined, lastOf: () => [] };

// Thousands of rules share a few grids.
const grids = new Map<number, Slots>();

/** Whether more than two slots passed between two polls; undefined for `every` and before the first poll. */
export function hasGap(
  schedule: Schedule,
  slots: Slots,
  { sinceMs, slotMs }: { readonly sinceMs: number | undefined; readonly slotMs: number },
): boolean | undefined {
  if ('everyMs' in schedule || sinceMs === undefined) return undefined;
  const third = [1, 2, 3].reduce<number | undefined>((atMs) => (atMs === undefined ? undefined : slots.next(atMs)), sinceMs);
  return third !== undefined && third <= slotMs;
}

/** As `hasGap`, for every schedule. */
export function isGap(schedule: Schedule, span: { readonly sinceMs: number; readonly slotMs: number }): boolean {
  if ('everyMs' in schedule) return span.slotMs - span.sinceMs > 2 * schedule.everyMs;
  return hasGap(schedule, slotsOf(schedule), span) ?? false;
}

/** The slots of a rule's schedule. */
export function slotsOf(schedule: Schedule): Slots {
  if ('everyMs' in schedule) {
    const grid = grids.get(schedule.everyMs) ?? gridSlots(schedule.everyMs);
    grids.set(schedule.everyMs, grid);
    return grid;
  }
  if ('atMs' in schedule) return onceSlots(schedule.atMs);
  if ('command' in schedule || 'webhook' in schedule) return NO_SLOTS;
  const slots = cronSlots(schedule);
  return fromNext((afterMs) => slots.next(afterMs));
}

/** The last slot of `every` before an instant. */
export function slotBefore(everyMs: number, atMs: number): number {
  return Math.floor((atMs - 1) / everyMs) * everyMs;
}

function onceSlots(atMs: number): Slots {
  const isIn = (afterMs: number, untilMs: number): boolean => atMs > afterMs && atMs <= untilMs;
  return {
    next: (afterMs) => (atMs > afterMs ? atMs : undefined),
    latest: (afterMs, untilMs) => (isIn(afterMs, untilMs) ? atMs : undefined),
    lastOf: (afterMs, untilMs) => (isIn(afterMs, untilMs) ? [atMs] : []),
  };
}

function gridSlots(everyMs: number): Slots {
  const atOrBefore = (ms: number): number => Math.floor(ms / everyMs) * everyMs;
  return {
    next: (afterMs) => atOrBefore(afterMs) + everyMs,
    latest(afterMs, untilMs) {
      const slotMs = atOrBefore(untilMs);
      return slotMs > afterMs ? slotMs : undefined;
    },
    lastOf(afterMs, untilMs, count) {
      const lastMs = atOrBefore(untilMs);
      const there = Math.max(0, Math.ceil((lastMs - afterMs) / everyMs));
      return Array.from({ length: Math.min(count, there) }, (_, index) => lastMs - index * everyMs).toReversed();
    },
  };
}

function fromNext(next: Slots['next']): Slots {
  function allIn(fromMs: number, untilMs: number): readonly number[] {
    const found: number[] = [];
    for (let slotMs = next(fromMs); slotMs !== undefined && slotMs <= untilMs; slotMs = next(slotMs)) found.push(slotMs);
    return found;
  }

  function lastOf(afterMs: number, untilMs: number, count: number): readonly number[] {
    // Slots may be dense or rare, so the search reaches back further step by step.
    for (let reachMs = 60_000; untilMs - reachMs > afterMs; reachMs *= 8) {
      const found = allIn(untilMs - reachMs, untilMs);
      if (found.length >= count) return found.slice(-count);
    }
    return allIn(afterMs, untilMs).slice(-count);
  }

  return { next, lastOf, latest: (afterMs, untilMs) => lastOf(afterMs, untilMs, 1).at(-1) };
}
