import type { Total } from './records.ts';

/** A stored episode, as far as totals need it. */
export interface TotalledEpisode {
  readonly startedMs: number;
  /** The last poll with the item. */
  readonly endedMs: number;
  readonly peak: Readonly<Record<string, number>>;
  /** Empty if the rule does not read `episode.average`. */
  readonly average: Readonly<Record<string, number>>;
}

/** The announced episodes of 400 days. */
export interface TotalsLog {
  /** `rule`: a rule with all its instances, or one instance. */
  list(filter: { readonly rule: string; readonly sinceMs: number }): Promise<readonly TotalledEpisode[]>;
}

/** The clocks of a time zone. Wall time is in milliseconds, as if the wall clock were UTC. */
export interface WallClock {
  wallAt(atMs: number): number;
  firstInstantOf(wallMs: number): number;
}

export type Period = 'day' | 'week' | 'month';

interface Sum {
  readonly startMs: number;
  count: number;
  lengthMs: number;
  readonly peak: Map<string, number>;
  readonly weighted: Map<string, { sum: number; ms: number }>;
}

const DAY_MS = 86_400_000;

/** The totals of each period with an episode, newest first. An episode across midnight counts in the period of its start, and its length in both. */
export function totalsByPeriod(
  episodes: readonly TotalledEpisode[],
  { by, clock, sinceMs }: { readonly by: Period; readonly clock: WallClock; readonly sinceMs: number },
): readonly Total[] {
  const sums = new Map<string, Sum>();
  for (const { startedMs, endedMs: lastMs, peak, average } of episodes) {
    // The platform states the start, so it can be later than the poll that found the item.
    const endedMs = Math.max(startedMs, lastMs);
    // An episode of a single poll has no length, and counts.
    for (let fromMs = Math.max(startedMs, sinceMs); fromMs < endedMs || fromMs === startedMs;) {
      const { name, startMs, endMs } = periodAt(fromMs, by, clock);
      const sum = sums.get(name) ?? { startMs, count: 0, lengthMs: 0, peak: new Map(), weighted: new Map() };
      sums.set(name, sum);
      const lengthMs = Math.min(endedMs, endMs) - fromMs;
      sum.lengthMs += lengthMs;
      if (fromMs === startedMs) sum.count++;
      for (const [field, value] of Object.entries(peak)) sum.peak.set(field, Math.max(value, sum.peak.get(field) ?? value));
      for (const [field, value] of Object.entries(average)) {
        const before = sum.weighted.get(field) ?? { sum: 0, ms: 0 };
        sum.weighted.set(field, { sum: before.sum + value * Math.max(lengthMs, 1), ms: before.ms + Math.max(lengthMs, 1) });
      }
      fromMs = endMs;
    }
  }
  return [...sums]
    .map(([id, { startMs, count, lengthMs, peak, weighted }]) => ({
      id,
      startsAt: new Date(startMs),
      count,
      lengthMs,
      peak: Object.fromEntries(peak),
      average: Object.fromEntries([...weighted].map(([field, { sum, ms }]) => [field, sum / ms])),
    }))
    .toSorted((a, b) => b.startsAt.getTime() - a.startsAt.getTime());
}

/** The period of an instant: its name is its first day. */
function periodAt(atMs: number, by: Period, clock: WallClock): { readonly name: string; readonly startMs: number; readonly endMs: number } {
  const midnight = Math.floor(clock.wallAt(atMs) / DAY_MS) * DAY_MS;
  const date = new Date(midnight);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const [first, next] = {
    day: () => [midnight, midnight + DAY_MS] as const,
    week: () => {
      const monday = midnight - ((date.getUTCDay() + 6) % 7) * DAY_MS;
      return [monday, monday + 7 * DAY_MS] as const;
    },
    month: () => [Date.UTC(year, month), Date.UTC(year, month + 1)] as const,
  }[by]();
  return { name: new Date(first).toISOString().slice(0, 10), startMs: clock.firstInstantOf(first), endMs: clock.firstInstantOf(next) };
}
