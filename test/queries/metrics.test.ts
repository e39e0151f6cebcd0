import { expect, test } from 'vitest';
import { metricsOf } from '#src/queries/metrics.ts';
import { openStore } from '#src/store/store.ts';
import { makeRule } from '../support/rules.ts';

test('decisions of removed rules are not counted', async () => {
  await using store = await openStore();
  for (const rule of ['live', 'removed'])
    await store.ruleStates.commit({
      rule,
      slotMs: 1_000,
      firings: [],
      withdrawals: [],
      decisions: [{ rule, atMs: 1_000, outcome: 'quiet', message: 'nothing changed' }],
    });
  const rules = [makeRule({ id: 'live' })];

  const metrics = await metricsOf({ ...store, registry: { now: { rules, diagnostics: [] }, running: rules } });

  const decisions = metrics.find(({ name }) => name === 'fanfare_decisions');
  expect(decisions?.samples.map(({ labels }) => labels?.['rule'])).toEqual(['live']);
});
