import { Cron } from 'croner';
import { zone } from '../clocks/zone.ts';

/** A change of the clocks of a zone. */
interface ClockChange {
  /** Wall time at which it comes, and to which the clocks are set. */
  readonly fromWallMs: number;
  readonly toWallMs: number;
}

/** A local time that a change of clocks skips or repeats. */
export interface Oddity {
  readonly kind: 'skipped' | 'repeated';
  /** As the clocks would show it, `2027-03-28 02:30`. */
  readonly wall: string;
}

const YEAR_MS = 366 * 86_400_000;

/** The first time of each kind within a year at which a cron expression with named hours meets a change of clocks. */
export function oddTimesOf(cron: string, { timezone, fromMs }: { readonly timezone: string; readonly fromMs: number }): readonly Oddity[] {
  if (cron.trim().split(/\s+/u).at(-4)?.includes('*')) return [];
  const walls = new Cron(cron, { timezone: 'UTC', paused: true, mode: '5-or-6-parts' });
  const odd = changesIn(timezone, fromMs).flatMap((change) => {
    const wallMs = walls.nextRun(new Date(Math.min(change.fromWallMs, change.toWallMs) - 1))?.getTime();
    return wallMs === undefined ? [] : (oddityOf(wallMs, change) ?? []);
  });
  return (['skipped', 'repeated'] as const).flatMap((kind) => odd.find((one) => one.kind === kind) ?? []);
}

/** What a change of clocks does to one local time. */
export function oddityAt(wallMs: number, timezone: string): Oddity | undefined {
  return changesIn(timezone, wallMs - YEAR_MS / 2)
    .map((change) => oddityOf(wallMs, change))
    .find((one) => one !== undefined);
}

function oddityOf(wallMs: number, { fromWallMs, toWallMs }: ClockChange): Oddity | undefined {
  const wall = new Date(wallMs).toISOString().slice(0, 16).replace('T', ' ');
  if (wallMs >= fromWallMs && wallMs < toWallMs) return { kind: 'skipped', wall };
  return wallMs >= toWallMs && wallMs < fromWallMs ? { kind: 'repeated', wall } : undefined;
}

/** The changes of clocks in the year from then on. */
function changesIn(timezone: string, fromMs: number): readonly ClockChange[] {
  const clocks = zone(timezone);
  const changes: ClockChange[] = [];
  let before = clocks.spanAt(fromMs);
  while (before.untilMs < fromMs + YEAR_MS) {
    const after = clocks.spanAt(before.untilMs);
    // Where no change is near, a span ends all the same, and the next one goes on as it was.
    if (after.offsetMs !== before.offsetMs)
      changes.push({ fromWallMs: before.untilMs + before.offsetMs, toWallMs: before.untilMs + after.offsetMs });
    before = after;
  }
  return changes;
}
