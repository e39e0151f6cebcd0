import { Cron } from 'croner';
import { zone } from './zone.ts';

/** A clock change of a time zone. */
interface ClockChange {
  /** The wall time before and after the change. */
  readonly fromWallMs: number;
  readonly toWallMs: number;
}

/** A local time that a clock change skips or repeats. */
export interface ClockAnomaly {
  readonly kind: 'skipped' | 'repeated';
  /** As `2027-03-28 02:30`. */
  readonly wall: string;
}

const YEAR_MS = 366 * 86_400_000;

/** The first skipped and the first repeated run within a year, for a cron expression with named hours. */
export function clockAnomaliesOf(
  cron: string,
  { timezone, fromMs }: { readonly timezone: string; readonly fromMs: number },
): readonly ClockAnomaly[] {
  if (cron.trim().split(/\s+/u).at(-4)?.includes('*')) return [];
  const walls = new Cron(cron, { timezone: 'UTC', paused: true, mode: '5-or-6-parts' });
  const anomalies = changesIn(timezone, fromMs).flatMap((change) => {
    const wallMs = walls.nextRun(new Date(Math.min(change.fromWallMs, change.toWallMs) - 1))?.getTime();
    return wallMs === undefined ? [] : (anomalyOf(wallMs, change) ?? []);
  });
  return (['skipped', 'repeated'] as const).flatMap((kind) => anomalies.find((one) => one.kind === kind) ?? []);
}

/** The anomaly of a local time; undefined if clocks show it once. */
export function clockAnomalyAt(wallMs: number, timezone: string): ClockAnomaly | undefined {
  return changesIn(timezone, wallMs - YEAR_MS / 2)
    .map((change) => anomalyOf(wallMs, change))
    .find((one) => one !== undefined);
}

function anomalyOf(wallMs: number, { fromWallMs, toWallMs }: ClockChange): ClockAnomaly | undefined {
  const wall = new Date(wallMs).toISOString().slice(0, 16).replace('T', ' ');
  if (wallMs >= fromWallMs && wallMs < toWallMs) return { kind: 'skipped', wall };
  return wallMs >= toWallMs && wallMs < fromWallMs ? { kind: 'repeated', wall } : undefined;
}

/** The clock changes of one year. */
function changesIn(timezone: string, fromMs: number): readonly ClockChange[] {
  const clocks = zone(timezone);
  const changes: ClockChange[] = [];
  let before = clocks.spanAt(fromMs);
  while (before.untilMs < fromMs + YEAR_MS) {
    const after = clocks.spanAt(before.untilMs);
    // A span without a near change ends early, and the next one has the same offset.
    if (after.offsetMs !== before.offsetMs)
      changes.push({ fromWallMs: before.untilMs + before.offsetMs, toWallMs: before.untilMs + after.offsetMs });
    before = after;
  }
  return changes;
}
