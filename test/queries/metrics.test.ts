import { readFileSync } from 'node:fs';
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

  const metrics = await metricsOf({
    ...store,
    registry: { now: { rules, diagnostics: [] }, running: rules },
    ready: () => ({ ready: true }),
  });

  const decisions = metrics.find(({ name }) => name === 'fanfare_decisions');
  expect(decisions?.samples.map(({ labels }) => labels?.['rule'])).toEqual(['live']);
});

test('paused rules and readiness are metrics', async () => {
  await using store = await openStore();
  await store.ruleStates.pause('live', 'ada');
  const rules = [makeRule({ id: 'live' }), makeRule({ id: 'other' })];
  const valueOf = (metrics: Awaited<ReturnType<typeof metricsOf>>, metric: string): number | undefined =>
    metrics.find(({ name }) => name === metric)?.samples[0]?.value;

  const metrics = await metricsOf({
    ...store,
    registry: { now: { rules, diagnostics: [] }, running: rules },
    ready: () => ({ ready: false }),
  });

  expect(valueOf(metrics, 'fanfare_rules_paused')).toBe(1);
  expect(valueOf(metrics, 'fanfare_ready')).toBe(0);
  expect(metrics.find(({ name }) => name === 'fanfare_deliveries')?.samples).toContainEqual({ labels: { state: 'unknown' }, value: 0 });
});

test('docs/reference/metrics.md has every metric with its labels', async () => {
  await using store = await openStore();
  await store.ruleStates.commit({
    rule: 'live',
    slotMs: 1_000,
    firings: [],
    withdrawals: [],
    decisions: [{ rule: 'live', atMs: 1_000, outcome: 'quiet', message: 'nothing changed' }],
  });
  const rules = [makeRule({ id: 'live' })];
  const registry = { now: { rules, diagnostics: [] }, running: rules };
  const page = readFileSync('docs/reference/metrics.md', 'utf8');

  const metrics = await metricsOf({ ...store, registry, ready: () => ({ ready: true }) });

  const documented = [...page.matchAll(/^\| `(\w+)` \| (?:gauge|counter) \| (.*?) \|/gmu)].map(([, name = '', labels = '']) => ({
    name,
    labels: [...labels.matchAll(/`(\w+)`/gu)].map(([, label]) => label),
  }));
  expect(documented).toEqual(metrics.map(({ name, samples: [first] }) => ({ name, labels: Object.keys(first?.labels ?? {}) })));
});
