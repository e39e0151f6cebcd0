import { Cron } from 'croner';
import { zone } from '#src/rules/clocks/zone.ts';

const HOUR_MS = 3_600_000;

/** The slots of a cron expression. */
export interface CronSlots {
  /** The first slot after an instant; undefined where none ever comes. */
  next(afterMs: number): number | undefined;
}

/**
 * The slots of `cron` on the clocks of `timezone`.
 *
 * With every hour in its hour field a change of clocks by whole hours is not noticed: whatever instant shows a fitting wall time is a slot.
 * With hours named, wall times that come twice run the first time only. Wall times that are skipped become one slot right after the change,
 * with hours named, and where the change is not of whole hours: else an hour would be left out.
 */
export function cronSlots({ cron, timezone }: { readonly cron: string; readonly timezone: string }): CronSlots {
  const clocks = zone(timezone);
  const find = isEveryHour(cron) ? nextShown : nextNamed;
  let found: { readonly afterMs: number; readonly slotMs: number | undefined } | undefined;
  return {
    next(afterMs) {
      // It is asked again and again before it comes.
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
      // Looks again from the change, that instant included.
      wallMs = nextWall(cron, next.fromMs + next.offsetMs - 1000);
      span = next;
    }
    return wallMs === undefined ? undefined : wallMs - span.offsetMs;
  }
}

// One takes a hundred kilobytes and half a millisecond to make: too much to keep one a rule, and too slow to make one a slot.
const walls = new Map<string, Cron>();
const WALLS = 64;

/** The first wall time after one that fits `cron`. On UTC croner has no change of clocks to mind: it answers in wall time. */
function nextWall(cron: string, afterMs: number): number | undefined {
  const known = walls.get(cron) ?? new Cron(cron, { timezone: 'UTC', paused: true });
  walls.delete(cron);
  walls.set(cron, known);
  const [oldest] = walls.keys();
  if (walls.size > WALLS && oldest !== undefined) walls.delete(oldest);
  return known.nextRun(new Date(afterMs))?.getTime();
}

/** Whether all hours are in the hour field: the third from the right of five, or of six with seconds. */
function isEveryHour(cron: string): boolean {
  return ['*', '*/1', '0-23', '0-23/1'].includes(cron.trim().split(/\s+/).at(-4) ?? '');
}
