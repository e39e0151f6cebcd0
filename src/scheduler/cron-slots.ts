import { Cron } from 'croner';
import { zone } from './zone.ts';

/** The slots of a cron expression. */
export interface CronSlots {
  /** The first slot after an instant; undefined where none ever comes. */
  next(afterMs: number): number | undefined;
}

/**
 * The slots of `cron` on the clocks of `timezone`.
 *
 * With `*` as its hour field a change of clocks is not noticed: whatever instant shows a fitting wall time is a slot. With hours named,
 * wall times that are skipped become one slot right after the change, and those that come twice run the first time only.
 */
export function cronSlots({ cron, timezone }: { readonly cron: string; readonly timezone: string }): CronSlots {
  // On UTC croner has no change of clocks to mind: it answers in wall time.
  const walls = new Cron(cron, { timezone: 'UTC', paused: true });
  const clocks = zone(timezone);
  return { next: everyHour(cron) ? nextShown : nextNamed };

  function nextWall(afterMs: number): number | undefined {
    return walls.nextRun(new Date(afterMs))?.getTime();
  }

  function nextNamed(afterMs: number): number | undefined {
    let wallMs = nextWall(clocks.wallAt(afterMs));
    while (wallMs !== undefined) {
      const slotMs = clocks.firstInstantOf(wallMs);
      if (slotMs > afterMs) return slotMs;
      wallMs = nextWall(wallMs);
    }
    return undefined;
  }

  function nextShown(afterMs: number): number | undefined {
    let fromMs = afterMs;
    let hereMs = clocks.wallAt(afterMs);
    for (;;) {
      const wallMs = nextWall(hereMs);
      if (wallMs === undefined) return undefined;
      const slotMs = fromMs + (wallMs - hereMs);
      if (clocks.wallAt(slotMs) === wallMs) return slotMs;
      // The clocks change on the way there: look again from where they do, that instant included.
      const changeMs = clocks.changeBetween(fromMs, slotMs);
      fromMs = changeMs - 1000;
      hereMs = clocks.wallAt(changeMs) - 1000;
    }
  }
}

/** Whether the hour field is `*`: the third from the right of five, or of six with seconds. */
function everyHour(cron: string): boolean {
  return cron.trim().split(/\s+/).at(-4) === '*';
}
