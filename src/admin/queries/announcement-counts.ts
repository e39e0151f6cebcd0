import type { Clock } from '#src/clock.ts';
import type { DeliveryLog } from '#src/engine/delivery/delivery-log.ts';

/** The number of counted days, with today. */
const COUNTED_DAYS = 7;
const DAY_MS = 86_400_000;
/** One statement counts this period, so that no other work waits long. */
const PART_MS = 3_600_000;
/** A slot can be committed this late, so that newer announcements are counted each time. */
const LATE_MS = 3_600_000;
/** A request waits this long for days that no earlier request counted. */
const WITHIN_MS = 50;

/** The announcements of rules by day. */
export interface AnnouncementCounts {
  /**
   * The number of announcements of each of these rules on each of the last seven days in UTC, the oldest day first. After a start, the
   * oldest days are absent until they are counted.
   */
  of(rules: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>>;
}

/** The counts of a day. Earlier announcements are counted once. */
interface Day {
  readonly beginMs: number;
  readonly counts: Map<string, number>;
  countedUntilMs: number;
}

interface AnnouncementCountsOptions {
  readonly deliveryLog: Pick<DeliveryLog, 'announcements'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** How long a request may count, in milliseconds. */
  readonly withinMs?: number | undefined;
}

/** Counts announcements by day. Counted days stay in memory, because a count of a week reads every firing of it. */
export function createAnnouncementCounts({ deliveryLog, clock, withinMs = WITHIN_MS }: AnnouncementCountsOptions): AnnouncementCounts {
  let days: readonly Day[] = [];
  let counting: Promise<readonly ReadonlyMap<string, number>[]> | undefined;

  /** The counts of each day, the oldest day first. */
  async function count(): Promise<readonly ReadonlyMap<string, number>[]> {
    const nowMs = clock.nowMs();
    const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
    days = Array.from({ length: COUNTED_DAYS }, (_, ago) => dayAt(today - ago * DAY_MS));
    const begunMs = performance.now();
    const counted: ReadonlyMap<string, number>[] = [];
    for (const day of days) {
      const isComplete = await extend(day, Math.min(day.beginMs + DAY_MS, nowMs - LATE_MS), () => performance.now() - begunMs < withinMs);
      if (!isComplete) break;
      counted.unshift(await withLatest(day));
    }
    return counted;
  }

  function dayAt(beginMs: number): Day {
    return days.find((day) => day.beginMs === beginMs) ?? { beginMs, counts: new Map(), countedUntilMs: beginMs };
  }

  /** Counts a day until an instant. False: the time for it is over. */
  async function extend(day: Day, untilMs: number, hasTime: () => boolean): Promise<boolean> {
    while (day.countedUntilMs < untilMs) {
      if (!hasTime()) return false;
      const endMs = Math.min(day.countedUntilMs + PART_MS, untilMs);
      add(day.counts, await deliveryLog.announcements({ fromMs: day.countedUntilMs, untilMs: endMs }));
      day.countedUntilMs = endMs;
    }
    return true;
  }

  /** The counts of a day with those that can still change. */
  async function withLatest({ beginMs, counts, countedUntilMs }: Day): Promise<ReadonlyMap<string, number>> {
    const endMs = beginMs + DAY_MS;
    if (countedUntilMs >= endMs) return counts;
    const all = new Map(counts);
    add(all, await deliveryLog.announcements({ fromMs: countedUntilMs, untilMs: endMs }));
    return all;
  }

  return {
    async of(rules) {
      // Two counts at once would add the same announcements twice.
      counting ??= count().finally(() => (counting = undefined));
      const counted = await counting;
      return new Map(rules.map((rule) => [rule, counted.map((counts) => counts.get(rule) ?? 0)]));
    },
  };
}

function add(sums: Map<string, number>, counts: ReadonlyMap<string, number>): void {
  for (const [rule, count] of counts) sums.set(rule, (sums.get(rule) ?? 0) + count);
}
