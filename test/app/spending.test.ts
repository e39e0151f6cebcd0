import { expect, test } from 'vitest';
import { createAccountHealth } from '#src/admin/queries/accounts.ts';
import { noteUsedUp, spendingsIn } from '#src/app/spending.ts';
import type { Account } from '#src/config/accounts.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../support/manual-clock.ts';

const accountOf = (account: string): Account => ({ platform: 'x', account, bearerToken: 'b', apiUrl: 'https://api.x.com' });

test('after a start, an account with a used-up monthly budget is reported before its first request, without a cost', async () => {
  await using store = await openStore();
  await store.spentSums.add({ account: 'x', month: '2026-11', microUsd: 20_000_000 });
  await store.spentSums.add({ account: 'x_club', month: '2026-11', microUsd: 19_000_000 });
  const budgets = { x: { monthUsd: 20 }, x_club: { monthUsd: 20 } };
  const spendingOf = spendingsIn(store, { budgets }, new ManualClock('2026-11-20T18:00:00Z'));
  const health = createAccountHealth(() => undefined);

  await noteUsedUp([accountOf('x'), accountOf('x_club'), accountOf('x_free')], spendingOf, health);

  expect(health.problemOf('x')).toMatchObject({
    fault: 'quotaExhausted',
    problem: expect.stringContaining('The budget resets on 2026-12-01') as string,
  });
  expect(health.problemOf('x_club')).toBeUndefined();
  expect(health.problemOf('x_free')).toBeUndefined();
  expect([await store.spentSums.sum('x', '2026-11'), await store.spentSums.sum('x_club', '2026-11')]).toEqual([20_000_000, 19_000_000]);
});
