import { Cron } from 'croner';
import { DAY_MS, daysOf, type Calendar, type DayExclusion } from './calendar.ts';
import { zone } from './zone.ts';

const HOUR_MS = 3_600_000;
/** A schedule whose next slot is later never runs. */
const LONGEST_MS = 40 * 366 * DAY_MS;

/** The slots of a cron expression. */
export interface CronSlots {
  /** The first slot after an instant; undefined if no slot follows. */
  next(afterMs: number): number | undefined;
}

/** The wall times of a schedule with a calendar. */
export type CronSchedule = Calendar & { readonly cron: string; readonly timezone: string };

/** A slot that the calendar of a schedule leaves out. */
export interface LeftOutSlot {
  readonly atMs: number;
  readonly by: DayExclusion;
  /** When the rule runs instead. */
  readonly movedToMs?: number | undefined;
}

/** The first slot after an instant that `weeks` or `except` leaves out, until `untilMs`. */
export function leftOutSlot({ weeks, except, ...plain }: CronSchedule, afterMs: number, untilMs: number): LeftOutSlot | undefined {
  if (!weeks && !except) return undefined;
  const clocks = zone(plain.timezone);
  const days = daysOf({ weeks, except });
  const slots = cronSlots(plain);
  for (let atMs = slots.next(afterMs); atMs !== undefined && atMs <= untilMs; atMs = slots.next(atMs)) {
    const wallMs = clocks.wallAt(atMs);
    const day = Math.floor(wallMs / DAY_MS);
    const by = days.exclusion(day);
    if (!by) continue;
    const nextDay = by === 'except' && except?.then === 'next' ? days.nextDay(day) : undefined;
    return { atMs, by, movedToMs: nextDay === undefined ? undefined : clocks.firstInstantOf(wallMs + (nextDay - day) * DAY_MS) };
  }
  return undefined;
}

/**
 * The slots of `cron` in the time zone `timezone`, on the days of the calendar.
 *
 * If the hour field has every hour, a clock change by whole hours skips and repeats nothing. With named hours, repeated wall times run in
 * the first pass only. Skipped wall times become one slot right after the change if hours are named or the change is not by whole hours.
 */
export function cronSlots({ cron, timezone, weeks, except }: CronSchedule): CronSlots {
  const clocks = zone(timezone);
  const days = daysOf({ weeks, except });
  const moves = except?.then === 'next';
  const find = isEveryHour(cron) ? (weeks || except ? nextShownDay : nextShown) : weeks || except ? nextNamedDay : nextNamed;
  let found: { readonly afterMs: number; readonly slotMs: number | undefined } | undefined;
  return {
    next(afterMs) {
      // The scheduler asks for the same slot until it comes.
      if (!found || afterMs < found.afterMs || (found.slotMs !== undefined && afterMs >= found.slotMs))
        found = { afterMs, slotMs: find(afterMs) };
      return found.slotMs;
    },
  };

  function nextNamed(afterMs: number): number | undefined {
    let wallMs = nextWall(cron, clocks.wallAt(afterMs));
    while (wallMs !== undefined) {
      const slotMs = clocks.firstInstantOf(wallMs);
      if (slotMs > afterMs) return slotMs;
      wallMs = nextWall(cron, wallMs);
    }
    return undefined;
  }

  /** As `nextNamed`, on the days of the calendar. A slot of an excepted day may move to a later day. */
  function nextNamedDay(afterMs: number): number | undefined {
    const nowMs = clocks.wallAt(afterMs);
    let firstDay = Math.floor(nowMs / DAY_MS);
    // Slots of excepted days before may move to this day.
    while (moves && days.isExcepted(firstDay - 1)) firstDay--;
    let movedMs: number | undefined;
    let wallMs = nextWall(cron, moves ? firstDay * DAY_MS - 1000 : nowMs);
    while (wallMs !== undefined && wallMs - nowMs < LONGEST_MS) {
      const slotMs = clocks.firstInstantOf(wallMs);
      if (movedMs !== undefined && movedMs <= slotMs) return movedMs;
      const day = Math.floor(wallMs / DAY_MS);
      const exclusion = days.exclusion(day);
      if (!exclusion && slotMs > afterMs) return slotMs;
      if (exclusion === 'except' && moves) movedMs = earlier(movedMs, movedSlot(wallMs, day, afterMs));
      else if (exclusion) wallMs = (day + 1) * DAY_MS - 1000;
      wallMs = nextWall(cron, wallMs);
    }
    return movedMs;
  }

  function movedSlot(wallMs: number, day: number, afterMs: number): number | undefined {
    const nextDay = days.nextDay(day);
    const slotMs = nextDay === undefined ? undefined : clocks.firstInstantOf(wallMs + (nextDay - day) * DAY_MS);
    return slotMs !== undefined && slotMs > afterMs ? slotMs : undefined;
  }

  /** As `nextShown`, on the days of the calendar. */
  function nextShownDay(afterMs: number): number | undefined {
    let slotMs = nextShown(afterMs);
    while (slotMs !== undefined && slotMs - afterMs < LONGEST_MS) {
      const day = Math.floor(clocks.wallAt(slotMs) / DAY_MS);
      if (!days.exclusion(day)) return slotMs;
      slotMs = nextShown(Math.max(slotMs, clocks.firstInstantOf((day + 1) * DAY_MS) - 1000));
    }
    return undefined;
  }

  function nextShown(afterMs: number): number | undefined {
    let span = clocks.spanAt(afterMs);
    let wallMs = nextWall(cron, afterMs + span.offsetMs);
    while (wallMs !== undefined && wallMs - span.offsetMs >= span.untilMs) {
      const next = clocks.spanAt(span.untilMs);
      // Not `next.fromMs`: without a change between them, the next span contains this one.
      const isSkipped = wallMs < span.untilMs + next.offsetMs;
      if (isSkipped && (next.offsetMs - span.offsetMs) % HOUR_MS !== 0) return span.untilMs;
      // The search continues at the change, and includes that instant.
      wallMs = nextWall(cron, span.untilMs + next.offsetMs - 1000);
      span = next;
    }
    return wallMs === undefined ? undefined : wallMs - span.offsetMs;
  }
}

// A Cron takes 100 KB and half a millisecond to create: too much for one per rule, too slow for one per slot.
const walls = new Map<string, Cron>();
const WALLS = 64;

/** The first wall time after `afterMs` that fits `cron`. croner runs on UTC, where no clock change affects it. */
function nextWall(cron: string, afterMs: number): number | undefined {
  const known = walls.get(cron) ?? new Cron(cron, { timezone: 'UTC', paused: true });
  walls.delete(cron);
  walls.set(cron, known);
  const [oldest] = walls.keys();
  if (walls.size > WALLS && oldest !== undefined) walls.delete(oldest);
  return known.nextRun(new Date(afterMs))?.getTime();
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

/** Whether the hour field has every hour. It is the third field from the right, of five, or of six with seconds. */
export function isEveryHour(cron: string): boolean {
  return ['*', '*/1', '0-23', '0-23/1'].includes(cron.trim().split(/\s+/).at(-4) ?? '');
}
