import { describe, expect, test } from 'vitest';
import { join } from 'node:path';
import { fc } from '../../support/property.ts';
import { monthlySpending, usdText } from '#src/clients/operation/spending.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const START = '2026-11-20T18:00:00Z';

async function openSpending(monthUsd?: number, file?: string) {
  const clock = new ManualClock(START);
  const store = await openStore({ clock, file });
  const of = (account: string) => monthlySpending({ platform: 'x', account, monthUsd, sums: store.spentSums, clock });
  return { clock, spending: of('x'), of, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

describe('the budget of a month', () => {
  test('is not exceeded, and the error names the amounts, the reset and the remedy', async () => {
    await using opened = await openSpending(0.5);
    await (await opened.spending.reserve(0.3)).settle(0.3);

    await expect(opened.spending.reserve(0.25)).rejects.toMatchObject({
      fault: 'quotaExhausted',
      platform: 'x',
      retryAt: new Date('2026-12-01T00:00:00Z'),
      message:
        'x: the budget of the account x is used up: 0.30 USD of 0.50 USD are spent this month, and this request can cost 0.25 USD. Nothing was sent. ' +
        'The budget resets on 2026-12-01; to continue earlier, raise budgets.x.month in fanfare.yaml and restart.',
    });
    expect((await opened.spending.spent()).spentUsd).toBe(0.3);
  });

  test('that cannot be read fails the request as unreachable', async () => {
    const unavailable = () => Promise.reject(new Error('the database is not available'));
    const sums = { add: unavailable, sum: unavailable, addRows: unavailable };
    const spending = monthlySpending({ platform: 'x', account: 'x', monthUsd: 1, sums, clock: new ManualClock(START) });

    await expect(spending.reserve(0.1)).rejects.toMatchObject({ fault: 'unreachable' });
  });

  test('is charged with the real cost of a request instead of the reserved cost', async () => {
    await using opened = await openSpending(0.5);
    const reserve = await opened.spending.reserve(0.5);

    await reserve.settle(0.01);

    expect((await opened.spending.spent()).spentUsd).toBe(0.01);
    await opened.spending.reserve(0.49);
  });

  test('is not exceeded by the first request of a month', async () => {
    await using opened = await openSpending(0.1);

    await expect(opened.spending.reserve(0.2)).rejects.toMatchObject({ fault: 'quotaExhausted' });
    expect((await opened.spending.spent()).spentUsd).toBe(0);
  });

  test('resets at the start of a month in UTC', async () => {
    await using opened = await openSpending(0.1);
    await opened.spending.reserve(0.1);
    await opened.clock.advance(Date.parse('2026-11-30T23:59:59.999Z') - Date.parse(START));
    await expect(opened.spending.reserve(0.1)).rejects.toMatchObject({ fault: 'quotaExhausted' });

    await opened.clock.advance(1);

    await opened.spending.reserve(0.1);
    expect(await opened.spending.spent()).toEqual({
      spentUsd: 0.1,
      monthUsd: 0.1,
      month: '2026-12',
      until: new Date('2027-01-01T00:00:00Z'),
    });
  });

  test('is separate for each account', async () => {
    await using opened = await openSpending(0.1);
    await opened.spending.reserve(0.1);

    await expect(opened.of('x_club').reserve(0.1)).resolves.toBeDefined();
  });

  test('keeps its expenses and reservations after a restart', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'fanfare.sqlite');
    {
      await using before = await openSpending(1, file);
      await (await before.spending.reserve(0.5)).settle(0.4);
      await before.spending.reserve(0.2);
    }

    await using after = await openSpending(1, file);

    expect((await after.spending.spent()).spentUsd).toBe(0.6);
    await expect(after.spending.reserve(0.41)).rejects.toMatchObject({ fault: 'quotaExhausted' });
  });

  test('without a limit is counted and never used up', async () => {
    await using opened = await openSpending();

    await opened.spending.reserve(1_000_000);

    expect((await opened.spending.spent()).spentUsd).toBe(1_000_000);
  });

  test('is not exceeded by concurrent requests, in any order of their ends', async () => {
    const requests = fc.array(fc.record({ most: fc.integer({ min: 0, max: 400 }), part: fc.integer({ min: 0, max: 100 }) }), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(requests, async (wanted) => {
        await using opened = await openSpending(1);
        const costs = await Promise.all(
          wanted.map(async ({ most, part }) => {
            const reserve = await opened.spending.reserve(most / 1000).catch(() => undefined);
            const cost = Math.floor((most * part) / 100);
            await reserve?.settle(cost / 1000);
            return reserve ? cost : 0;
          }),
        );
        const { spentUsd } = await opened.spending.spent();

        expect(Math.round(spentUsd * 1000)).toBe(costs.reduce((sum, cost) => sum + cost, 0));
        expect(spentUsd).toBeLessThanOrEqual(1);
      }),
      { numRuns: 40 },
    );
  });
});

test.for([
  [0.015, '0.015 USD'],
  [0.2, '0.20 USD'],
  [0, '0.00 USD'],
  [19.999, '20.00 USD'],
  [1234.5, '1234.50 USD'],
] as const)('%s is written as %s', ([usd, text]) => {
  expect(usdText(usd)).toBe(text);
});
