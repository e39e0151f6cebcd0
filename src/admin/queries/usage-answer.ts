import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { DailyUsage, UsageStore } from './usage-store.ts';

const DAY_MS = 24 * 60 * 60_000;
const DAYS = 30;
/** The length of the month in an ISO instant, for example `2026-11`. */
const MONTH = 7;

/** The use of an account on one day. */
export const UsageDayAnswer = z
  .object({
    day: z.iso.date().describe('The day in UTC.'),
    spentUsd: z
      .number()
      .min(0)
      .optional()
      .describe('The spending of the day in USD; absent for accounts that cost nothing, and for the first day that was recorded.'),
    leastLeftRatio: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('The smallest rest of its rate limits, from 0 to 1; absent if no answer of the platform stated one.'),
  })
  .meta({ examples: [{ day: '2026-11-20', spentUsd: 0.35, leastLeftRatio: 0.12 }] });

type UsageDay = z.output<typeof UsageDayAnswer>;

/** The recorded days of an account among the last 30 days, oldest first. */
export async function usageOf(
  account: string,
  { usage, clock }: { readonly usage: Pick<UsageStore, 'days'>; readonly clock: Clock },
): Promise<readonly UsageDay[]> {
  const nowMs = clock.nowMs();
  const firstMs = nowMs - (nowMs % DAY_MS) - (DAYS - 1) * DAY_MS;
  // The spending of the first day is the difference to the day before.
  return spendingByDay(await usage.days(account, firstMs - DAY_MS)).filter(({ day }) => day >= dayOf(firstMs));
}

/** Replaces the sum of each month by what a day added to it. */
function spendingByDay(days: readonly DailyUsage[]): readonly UsageDay[] {
  let last: { readonly month: string; readonly sumUsd: number } | undefined;
  return days.map(({ dayMs, leastLeftRatio, spentUsd }) => {
    const day = dayOf(dayMs);
    if (spentUsd === undefined) return { day, leastLeftRatio };
    const month = day.slice(0, MONTH);
    const beforeUsd = last?.month === month ? last.sumUsd : 0;
    // Without an earlier day, the sum may have spending of before the records.
    const isFirst = last === undefined && !day.endsWith('-01');
    // A clock that was set back notes a later sum on an earlier day.
    const sumUsd = Math.max(beforeUsd, spentUsd);
    last = { month, sumUsd };
    return { day, spentUsd: isFirst ? undefined : rounded(sumUsd - beforeUsd), leastLeftRatio };
  });
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Sums are in millionths of a USD, and a difference of floats is not. */
function rounded(usd: number): number {
  return Math.round(usd * 1_000_000) / 1_000_000;
}
