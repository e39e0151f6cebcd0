import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { monthlySpending } from '#src/clients/operation/spending.ts';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { startPostgres } from '../../support/postgres.ts';

const run = promisify(execFile);
const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

test('processes that spend at once stay within the budget and use all of it', async () => {
  const schema = server.newSchema();
  await using store = await openPostgresStore({ url: server.url, schema });
  const args = [join(import.meta.dirname, 'spend-process.ts'), server.url, schema, '7000', '5000000'];

  const added = await Promise.all([1, 2, 3, 4].map(async () => Number((await run(process.execPath, args)).stdout)));

  const count = Math.floor(5_000_000 / 7_000);
  expect(added.reduce((sum, one) => sum + one)).toBe(count);
  expect(await store.spentSums.sum('x', '2026-11')).toBe(count * 7_000);
});

test('reservations of several workers add up, and the month is that of the clock of the worker', async () => {
  const schema = server.newSchema();
  const clock = new ManualClock('2026-11-30T23:59:59Z');
  await using one = await openPostgresStore({ url: server.url, schema });
  await using other = await openPostgresStore({ url: server.url, schema });
  const [first, second] = [one, other].map(({ spentSums: sums }) =>
    monthlySpending({ platform: 'x', account: 'x', monthUsd: 1, sums, clock }),
  );
  if (!first || !second) throw new Error('two workers');
  const attempts = await Promise.allSettled(Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? first : second).reserve(0.1)));
  const reserves = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? attempt.value : []));
  clock.set('2026-12-01T00:00:00Z');
  await Promise.all(reserves.map((reserve) => reserve.settle(0.05)));

  expect(reserves).toHaveLength(10);
  expect(await one.spentSums.sum('x', '2026-11')).toBe(500_000);
  expect(await second.spent()).toMatchObject({ spentUsd: 0, month: '2026-12' });
});

test('a row that several workers read on one day is billed once', async () => {
  const schema = server.newSchema();
  await using one = await openPostgresStore({ url: server.url, schema });
  await using other = await openPostgresStore({ url: server.url, schema });

  for (let round = 0; round < 10; round++) {
    const rows = Array.from({ length: 2_000 }, (_, index) => `post ${round} ${index}`);
    const added = await Promise.all(
      [one, other, one, other].map(({ spentSums }, index) =>
        // Two responses can have the same posts in another order.
        spentSums.addRows({ account: 'x', day: '2026-11-20', rows: index % 2 === 0 ? rows : rows.toReversed() }),
      ),
    );

    expect(added.reduce((sum, count) => sum + count)).toBe(2_000);
  }
});
