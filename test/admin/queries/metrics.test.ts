import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Decision } from '#src/rules/decision.ts';
import { metricsOf } from '#src/admin/queries/metrics.ts';
import type { Metric } from '#src/admin/queries/records.ts';
import { openStore } from '#src/store/store.ts';
import { makeRule } from '../../support/rules.ts';
import { committing, creating, firing, keysOf, SLOT_MS } from '../../support/firings.ts';
import { settle } from '../../contract/delivery-steps.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { processMetrics } from '../../support/process-metrics.ts';

const OUTAGE = { access: 'write', fault: 'unauthorized', problem: 'the token expired', sinceMs: SLOT_MS, seenMs: SLOT_MS } as const;

test('decisions of removed rules are not counted', async () => {
  await using store = await openStore();
  for (const rule of ['live', 'removed'])
    await store.ruleStates.commit({
      rule,
      slotMs: 1_000,
      firings: [],
      withdrawals: [],
      decisions: [{ rule, atMs: 1_000, outcome: 'unchanged', message: 'nothing changed' }],
    });
  const rules = [makeRule({ id: 'live' })];

  const metrics = await metricsOf({
    ...store,
    ...processMetrics,
    registry: { now: { rules, diagnostics: [] }, running: rules },
    ready: () => ({ ready: true }),
  });

  const decisions = metrics.find(({ name }) => name === 'fanfare_decisions');
  expect(decisions?.samples.map(({ labels }) => labels?.['rule'])).toEqual(['live']);
});

test('paused rules and readiness are metrics', async () => {
  await using store = await openStore();
  await store.ruleStates.changePauses(['live'], { pause: { by: 'ada' } });
  const rules = [makeRule({ id: 'live' }), makeRule({ id: 'other' })];
  const valueOf = (metrics: Awaited<ReturnType<typeof metricsOf>>, metric: string): number | undefined =>
    metrics.find(({ name }) => name === metric)?.samples[0]?.value;

  const metrics = await metricsOf({
    ...store,
    ...processMetrics,
    registry: { now: { rules, diagnostics: [] }, running: rules },
    ready: () => ({ ready: false }),
  });

  expect(valueOf(metrics, 'fanfare_rules_paused')).toBe(1);
  expect(valueOf(metrics, 'fanfare_ready')).toBe(0);
  expect(metrics.find(({ name }) => name === 'fanfare_deliveries')?.samples).toContainEqual({ labels: { state: 'unknown' }, value: 0 });
});

test('a rule whose last poll failed is a metric until a poll works again or a person pauses it', async () => {
  await using store = await openStore();
  const rules = ['live', 'other', 'paused', 'off'].map((id) => makeRule({ id }));
  const decide = (rule: string, slotMs: number, ...made: readonly Pick<Decision, 'outcome' | 'reason'>[]) => {
    const decisions = made.map((one) => ({ rule, atMs: slotMs, message: 'the feed', ...one }));
    return store.ruleStates.commit({ rule, slotMs, firings: [], withdrawals: [], decisions });
  };
  const failed = { outcome: 'failed', reason: { kind: 'pollFailed', failure: 'the feed has moved' } } as const;
  const keyless = { outcome: 'failed', reason: { kind: 'missingKey', items: { count: 1, named: [] } } } as const;
  const failing = async () => {
    const registry = { now: { rules, diagnostics: [] }, running: rules.slice(0, 3) };
    const metrics = await metricsOf({ ...store, ...processMetrics, registry, ready: () => ({ ready: true }) });
    return metrics.find(({ name }) => name === 'fanfare_rules_failing')?.samples;
  };
  for (const { id } of rules) await decide(id, 1_000, failed);
  await store.ruleStates.changePauses(['paused'], { pause: { by: 'ada' } });

  expect(await failing()).toEqual([{ value: 2 }]);
  await decide('live', 2_000, { outcome: 'unchanged' });
  expect(await failing()).toEqual([{ value: 1 }]);
  // The poll worked, and the other items count.
  await decide('other', 2_000, { outcome: 'unchanged' }, keyless);
  expect(await failing()).toEqual([{ value: 0 }]);
});

test('docs/reference/metrics.md has every metric with its labels', async () => {
  await using store = await openStore({ clock: processMetrics.clock });
  await store.ruleStates.commit({
    rule: 'live',
    slotMs: 1_000,
    firings: [firing([creating(['x'])])],
    withdrawals: [],
    decisions: [{ rule: 'live', atMs: 1_000, outcome: 'unchanged', message: 'nothing changed' }],
  });
  await store.outages.put({ ...OUTAGE, account: 'x' });
  const rules = [makeRule({ id: 'live' })];
  const registry = { now: { rules, diagnostics: [] }, running: rules };
  const page = readFileSync('docs/reference/metrics.md', 'utf8');

  const metrics = await metricsOf({ ...store, ...processMetrics, registry, ready: () => ({ ready: true }) });

  const documented = [...page.matchAll(/^\| `(\w+)` \| (?:gauge|counter|histogram) \| (.*?) \|/gmu)].map(([, name = '', labels = '']) => ({
    name,
    labels: [...labels.matchAll(/`(\w+)`/gu)].map(([, label]) => label),
  }));
  const labelsOf = ([first]: Metric['samples']) => Object.keys(first?.labels ?? {}).filter((label) => label !== 'le');
  expect(documented).toEqual(metrics.map(({ name, samples }) => ({ name, labels: labelsOf(samples) })));
});

test('while the database does not answer, the metrics of the process are there', async () => {
  await using store = await openStore();
  const lost = { ...processMetrics, database: () => ({ lostAtMs: 1_000, code: 'ECONNREFUSED' }) };
  const lostStore = { ...store, deliveryLog: { ...store.deliveryLog, counts: () => new Promise<never>(() => undefined) } };

  const metrics = await metricsOf({
    ...lostStore,
    ...lost,
    registry: { now: { rules: [], diagnostics: [] }, running: [] },
    ready: () => ({ ready: false }),
  });

  const valueOf = (metric: string) => metrics.find(({ name }) => name === metric)?.samples.map(({ value }) => value);
  expect(valueOf('fanfare_database_up')).toEqual([0]);
  expect(valueOf('fanfare_deliveries')).toEqual([]);
  expect(valueOf('fanfare_poll_failures_total')).toEqual([1]);
});

test('the queue of an account, its budget and the lease of its lane are metrics', async () => {
  const clock = new ManualClock(SLOT_MS);
  await using store = await openStore({ clock });
  await store.ruleStates.commit(committing([firing([creating(['x', 'y']), creating(['x'], { afterMs: 60_000 })])]));
  clock.set(SLOT_MS + 5_000);

  const metrics = await metricsOf({
    ...store,
    ...processMetrics,
    clock,
    registry: { now: { rules: [], diagnostics: [] }, running: [] },
    ready: () => ({ ready: true }),
  });

  const of = (metric: string) => metrics.find(({ name }) => name === metric)?.samples;
  expect(of('fanfare_deliveries_due')).toEqual([
    { labels: { account: 'x' }, value: 1 },
    { labels: { account: 'y' }, value: 1 },
  ]);
  expect(of('fanfare_deliveries_due_oldest_seconds')).toContainEqual({ labels: { account: 'x' }, value: 5 });
  expect(of('fanfare_budget_left_usd')).toEqual([{ labels: { account: 'x' }, value: 8 }]);
  expect(of('fanfare_lane_lease_age_seconds')).toEqual([{ labels: { account: 'x' }, value: 1.5 }]);
  expect(of('fanfare_slots_open')).toEqual([{ value: 3 }]);
  expect(of('fanfare_last_backup_time_seconds')).toEqual([{ value: SLOT_MS / 1_000 - 3_600 }]);
});

test('a step behind an open question is not due, however long members take to answer', async () => {
  const clock = new ManualClock(SLOT_MS);
  await using store = await openStore({ clock });
  const asking = { do: 'discord.ask', id: 'q' };
  const fired = firing([
    creating(['discord'], asking),
    creating(['x'], { id: 'post', reads: ['q'] }),
    creating(['x'], { reads: ['post'] }),
  ]);
  await store.ruleStates.commit(committing([fired]));
  const [question, post] = keysOf(fired);
  const dueAt = new Date(SLOT_MS + 86_400_000);
  await settle(store, question, { state: 'asked', dueAt });
  const due = () => store.deliveryLog.dueByAccount(SLOT_MS + 3_600_000);

  expect(await due()).toEqual([]);
  await settle(store, question, { state: 'sent', result: { choice: 'send' } });
  expect(await due()).toEqual([{ account: 'x', count: 1, oldestMs: SLOT_MS }]);
  await settle(store, post, { state: 'unknown' });
  expect(await due()).toEqual([]);
});

test('an account that fails has a metric until it works again or is removed', async () => {
  const clock = new ManualClock(SLOT_MS);
  await using store = await openStore({ clock });
  for (const account of ['x', 'removed']) await store.outages.put({ ...OUTAGE, account });
  const failAgain = (seenMs: number) => store.outages.put({ ...OUTAGE, account: 'x', seenMs });
  clock.set(SLOT_MS + 900_000);
  const given = { ...store, ...processMetrics, clock, registry: { now: { rules: [], diagnostics: [] }, running: [] } };
  const failing = async () => {
    const metrics = await metricsOf({ ...given, ready: () => ({ ready: true }) });
    return metrics.find(({ name }) => name === 'fanfare_account_failing_seconds')?.samples;
  };

  const labels = { account: 'x', access: 'write' };
  expect(await failing()).toEqual([{ labels, value: 0 }]);
  await failAgain(SLOT_MS + 60_000);
  expect(await failing()).toEqual([{ labels, value: 900 }]);
  clock.set(SLOT_MS + 3 * 3_600_000);
  expect(await failing()).toEqual([]);
  await failAgain(SLOT_MS + 2 * 3_600_000);
  expect(await failing()).toEqual([{ labels, value: 3 * 3_600 }]);
  await store.outages.end({ account: 'x', access: 'write' });
  expect(await failing()).toEqual([]);
});
