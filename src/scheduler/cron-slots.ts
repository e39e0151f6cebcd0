import { Cron } from 'croner';
import { zone } from '#src/rules/clocks/zone.ts';

const HOUR_MS = 3_600_000;

/** The slots of a cron expression. */
export interface CronSlots {
  /** The first slot after an instant; undefined if no slot follows. */
  next(afterMs: number): number | undefined;
}

/**
 * The slots of `cron` in the time zone `timezone`.
 *
 * If the hour field has every hour, a clock change by whole hours skips and repeats nothing. With named hours, repeated wall times run in
 * the first pass only. Skipped wall times become one slot right after the change if hours are named or the change is not by whole hours.
 */
export function cronSlots({ cron, timezone }: { readonly cron: string; readonly timezone: string }): CronSlots {
  const clocks = zone(timezone);
  const find = isEveryHour(cron) ? nextShown : nextNamed;
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

  function nextShown(afterMs: number): number | undefined {
    let span = clocks.spanAt(afterMs);
    let wallMs = nextWall(cron, afterMs + span.offsetMs);
    while (wallMs !== undefined && wallMs - span.offsetMs >= span.untilMs) {
      const next = clocks.spanAt(span.untilMs);
      const isSkipped = wallMs < next.fromMs + next.offsetMs;
      if (isSkipped && (next.offsetMs - span.offsetMs) % HOUR_MS !== 0) return next.fromMs;
      // The search continues at the change, and includes that instant.
      wallMs = nextWall(cron, next.fromMs + next.offsetMs - 1000);
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

/** Whether the hour field has every hour. It is the third field from the right, of five, or of six with seconds. */
function isEveryHour(cron: string): boolean {
  return ['*', '*/1', '0-23', '0-23/1'].includes(cron.trim().split(/\s+/).at(-4) ?? '');
}
