import { expect, test } from 'vitest';
import { usageOf } from '#src/admin/queries/usage-answer.ts';
import type { DailyUsage } from '#src/admin/queries/usage-store.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const DAY_MS = 86_400_000;
const dayOf = (day: string, spentUsd?: number, leastLeftRatio?: number): DailyUsage => ({
  dayMs: Date.parse(day),
  spentUsd,
  leastLeftRatio,
});

/** The answer on a day, from these stored days. */
async function answered(today: string, days: readonly DailyUsage[]) {
  const clock = new ManualClock(`${today}T12:00:00Z`);
  const usage = { days: (_: string, sinceMs: number) => Promise.resolve(days.filter(({ dayMs }) => dayMs >= sinceMs)) };
  return usageOf('x', { usage, clock });
}

const spending = async (today: string, days: readonly DailyUsage[]) =>
  (await answered(today, days)).map(({ day, spentUsd }) => [day, spentUsd]);

test('the spending of a day is what it adds to the sum of the month', async () => {
  const days = [dayOf('2026-10-30', 4), dayOf('2026-10-31', 4.1), dayOf('2026-11-01', 0.2), dayOf('2026-11-03', 0.3)];

  expect(await spending('2026-11-03', days)).toEqual([
    ['2026-10-30', undefined],
    ['2026-10-31', 0.1],
    ['2026-11-01', 0.2],
    ['2026-11-03', 0.1],
  ]);
});

test('the sum of the first recorded day may have earlier spending, except on the first day of a month', async () => {
  expect(await spending('2026-11-20', [dayOf('2026-11-20', 4)])).toEqual([['2026-11-20', undefined]]);
  expect(await spending('2026-11-01', [dayOf('2026-11-01', 4)])).toEqual([['2026-11-01', 4]]);
});

test('the first of 30 days is compared with the day before it', async () => {
  const last = Date.parse('2026-11-30');
  const days = Array.from({ length: 40 }, (_, index) => dayOf(new Date(last - (39 - index) * DAY_MS).toISOString(), index / 10));

  const shown = await spending('2026-11-30', days);

  expect(shown).toHaveLength(30);
  expect(shown[0]).toEqual(['2026-11-01', 1]);
  expect(shown.slice(1).every(([, usd]) => usd === 0.1)).toBe(true);
});

test('a day without a sum has the rest of its limits, and the next sum continues', async () => {
  const days = [dayOf('2026-11-18', 1, 0.5), dayOf('2026-11-19', undefined, 0), dayOf('2026-11-20', 1.5)];

  expect(await answered('2026-11-20', days)).toEqual([
    { day: '2026-11-18', spentUsd: undefined, leastLeftRatio: 0.5 },
    { day: '2026-11-19', leastLeftRatio: 0 },
    { day: '2026-11-20', spentUsd: 0.5, leastLeftRatio: undefined },
  ]);
});
