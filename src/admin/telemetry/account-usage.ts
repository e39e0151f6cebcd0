import type { HourlyUsage, UsageStore } from '#src/admin/queries/usage-store.ts';
import type { Spent } from '#src/clients/operation/spending.ts';
import type { Clock } from '#src/clock.ts';
import { isOutage } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { RateLimits } from './rate-limits.ts';

const HOUR_MS = 60 * 60_000;
const EVERY_MS = 5 * 60_000;
/** A sample shortly before the hour ends belongs to the hour, the day and the month that it is about. */
const BEFORE_END_MS = 1_000;

/** The spending of an account that costs money. */
interface AccountSpending {
  readonly account: string;
  readonly spending: { spent(): Promise<Pick<Spent, 'month' | 'spentUsd'>> };
}

export interface UsageOptions {
  readonly usage: Pick<UsageStore, 'note'>;
  readonly rateLimits: Pick<RateLimits, 'takeLeast'>;
  readonly spendings: readonly AccountSpending[];
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Stores the use of accounts every five minutes, until `signal` aborts. */
export async function recordUsage({ usage, rateLimits, spendings, clock, log, signal }: UsageOptions): Promise<void> {
  /** The current hour of each account. An outage of the database keeps it here. */
  const hours = new Map<string, { readonly hour: HourlyUsage; isStored: boolean }>();

  function add(sample: HourlyUsage): void {
    const known = hours.get(sample.account);
    const hour = known?.hour.hourMs === sample.hourMs ? together(known.hour, sample) : sample;
    const isSame = known?.hour.hourMs === hour.hourMs && isEqual(known.hour, hour);
    if (!isSame) hours.set(hour.account, { hour, isStored: false });
  }

  async function addAll(): Promise<void> {
    const nowMs = clock.nowMs();
    const hourMs = nowMs - (nowMs % HOUR_MS);
    for (const [account, leastLeftRatio] of rateLimits.takeLeast()) add({ account, hourMs, leastLeftRatio });
    for (const { account, spending } of spendings) {
      const { month, spentUsd } = await spending.spent();
      // The month may end between the two readings of the clock.
      if (new Date(hourMs).toISOString().startsWith(month)) add({ account, hourMs, spentUsd });
    }
  }

  async function store(): Promise<void> {
    const changed = [...hours.values()].filter(({ isStored }) => !isStored);
    if (changed.length === 0) return;
    await usage.note(changed.map(({ hour }) => hour));
    for (const one of changed) one.isStored = true;
  }

  while (!signal.aborted) {
    try {
      await addAll();
      await store();
    } catch (error) {
      if (signal.aborted) return;
      if (!isOutage(error)) log.error({ error }, 'the use of the accounts could not be stored; Fanfare retries');
    }
    await clock.sleep(untilNextMs(clock.nowMs()), signal).catch(() => undefined);
  }
}

function untilNextMs(nowMs: number): number {
  const leftMs = EVERY_MS - (nowMs % EVERY_MS) - BEFORE_END_MS;
  return leftMs > 0 ? leftMs : leftMs + EVERY_MS;
}

function together(one: HourlyUsage, other: HourlyUsage): HourlyUsage {
  return {
    ...one,
    leastLeftRatio: chosen(Math.min, one.leastLeftRatio, other.leastLeftRatio),
    spentUsd: chosen(Math.max, one.spentUsd, other.spentUsd),
  };
}

function chosen(choose: (a: number, b: number) => number, a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : choose(a, b);
}

function isEqual(one: HourlyUsage, other: HourlyUsage): boolean {
  return one.leastLeftRatio === other.leastLeftRatio && one.spentUsd === other.spentUsd;
}
