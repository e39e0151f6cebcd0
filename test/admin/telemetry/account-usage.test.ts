import { expect, onTestFinished, test } from 'vitest';
import type { HourlyUsage } from '#src/admin/queries/usage-store.ts';
import { recordUsage, type UsageOptions } from '#src/admin/telemetry/account-usage.ts';
import { monthlySpending } from '#src/clients/operation/spending.ts';
import { usageOf } from '#src/admin/queries/usage-answer.ts';
import { ConfigError } from '#src/errors.ts';
import { silentLog } from '#src/log.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const START = '2026-11-20T18:02:00Z';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A process that records the use of the accounts x, which costs money, and mastodon. */
function processOn(store: Store, clock: ManualClock, over: Partial<UsageOptions> = {}) {
  const stopping = new AbortController();
  const sums = monthlySpending({ platform: 'x', account: 'x', sums: store.spentSums, clock });
  const notes: HourlyUsage[] = [];
  let rates = new Map<string, number>();
  const done = recordUsage({
    usage: {
      note: async (hours) => {
        notes.push(...hours);
        await store.accountUsage.note(hours);
      },
    },
    rateLimits: {
      takeLeast() {
        const taken = rates;
        rates = new Map();
        return taken;
      },
    },
    spendings: [{ account: 'x', spending: sums }],
    clock,
    log: silentLog,
    signal: stopping.signal,
    ...over,
  });
  onTestFinished(() => stopping.abort());
  return {
    notes,
    spend: async (usd: number) => (await sums.reserve(usd)).settle(usd),
    /** Responses state these rests. */
    state: (account: string, ratio: number) => void rates.set(account, Math.min(ratio, rates.get(account) ?? 1)),
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

async function opened() {
  const clock = new ManualClock(START);
  const store = await openStore({ clock });
  onTestFinished(() => store[Symbol.asyncDispose]());
  const usage = (account: string) => usageOf(account, { usage: store.accountUsage, clock });
  return { clock, store, usage };
}

test('an hour is written when it begins and when its values change', async () => {
  const { clock, store } = await opened();
  const running = processOn(store, clock);

  await clock.advance(5 * 60_000);
  expect(running.notes).toEqual([{ account: 'x', hourMs: Date.parse('2026-11-20T18:00:00Z'), spentUsd: 0 }]);
  running.state('x', 0.4);
  await clock.advance(5 * 60_000);
  running.state('x', 0.6);
  await clock.advance(5 * 60_000);
  await running.spend(0.25);
  await clock.advance(5 * 60_000);

  const hour = { account: 'x', hourMs: Date.parse('2026-11-20T18:00:00Z') };
  expect(running.notes.slice(1)).toEqual([
    { ...hour, leastLeftRatio: 0.4, spentUsd: 0 },
    { ...hour, leastLeftRatio: 0.4, spentUsd: 0.25 },
  ]);
  await clock.advance(HOUR_MS);
  expect(running.notes.slice(3)).toEqual([{ account: 'x', hourMs: hour.hourMs + HOUR_MS, spentUsd: 0.25 }]);
});

test('the last sample of an hour belongs to it, and the last one of a month to this month', async () => {
  const { clock, store, usage } = await opened();
  clock.set('2026-11-30T23:57:00Z');
  const running = processOn(store, clock);
  await clock.advance(0);
  await running.spend(2);
  running.state('x', 0.1);
  await clock.advance(179_500);
  expect(running.notes.at(-1)).toEqual({
    account: 'x',
    hourMs: Date.parse('2026-11-30T23:00:00Z'),
    leastLeftRatio: 0.1,
    spentUsd: 2,
  });
  await clock.advance(60_000);
  await running.spend(0.5);
  await clock.advance(DAY_MS);
  await running.spend(0.125);
  await clock.advance(5 * 60_000);

  expect(await usage('x')).toEqual([
    { day: '2026-11-30', spentUsd: undefined, leastLeftRatio: 0.1 },
    { day: '2026-12-01', spentUsd: 0.5, leastLeftRatio: undefined },
    { day: '2026-12-02', spentUsd: 0.125, leastLeftRatio: undefined },
  ]);
});

test('two processes and a restart count each cost once', async () => {
  const { clock, store, usage } = await opened();
  const [one, two] = [processOn(store, clock), processOn(store, clock)];
  await clock.advance(DAY_MS);
  await one.spend(1);
  await two.spend(2);
  one.state('x', 0.7);
  two.state('x', 0.2);
  await clock.advance(5 * 60_000);
  await one.stop();
  await two.stop();
  expect(clock.sleeping).toBe(0);
  const restarted = processOn(store, clock);
  restarted.state('x', 0.9);
  await clock.advance(5 * 60_000);
  await restarted.spend(0.5);
  await clock.advance(5 * 60_000);

  expect(await usage('x')).toEqual([
    { day: '2026-11-20', spentUsd: undefined, leastLeftRatio: undefined },
    { day: '2026-11-21', spentUsd: 3.5, leastLeftRatio: 0.2 },
  ]);
});

test('a clock that is set back by a day counts no cost twice', async () => {
  const { clock, store, usage } = await opened();
  const before = processOn(store, clock);
  await clock.advance(DAY_MS);
  await before.spend(1);
  await clock.advance(DAY_MS);
  await before.spend(2);
  await clock.advance(5 * 60_000);
  await before.stop();
  clock.set(clock.nowMs() - DAY_MS);
  const after = processOn(store, clock);
  await after.spend(4);
  await clock.advance(5 * 60_000);
  await after.stop();
  clock.set(clock.nowMs() + DAY_MS);

  expect((await usage('x')).map(({ day, spentUsd }) => [day, spentUsd])).toEqual([
    ['2026-11-20', undefined],
    ['2026-11-21', 7],
    ['2026-11-22', 0],
  ]);
});

test('values of an outage of the database are stored after it', async () => {
  const { clock, store, usage } = await opened();
  const logged: string[] = [];
  let isDown = true;
  const running = processOn(store, clock, {
    spendings: [],
    usage: {
      note: (hours) =>
        isDown ? Promise.reject(new ConfigError('the disk is full', { file: 'fanfare.sqlite' })) : store.accountUsage.note(hours),
    },
    log: { ...silentLog, error: (_, message) => void logged.push(message) },
  });
  running.state('mastodon', 0.3);
  await clock.advance(5 * 60_000);
  running.state('mastodon', 0.8);
  isDown = false;
  await clock.advance(5 * 60_000);

  expect(await usage('mastodon')).toEqual([{ day: '2026-11-20', spentUsd: undefined, leastLeftRatio: 0.3 }]);
  expect(logged).toEqual([]);
});

test('another error is logged, and the next sample follows', async () => {
  const { clock, store, usage } = await opened();
  const logged: string[] = [];
  let failures = 1;
  const running = processOn(store, clock, {
    spendings: [],
    usage: { note: (hours) => (failures-- > 0 ? Promise.reject(new Error('no table')) : store.accountUsage.note(hours)) },
    log: { ...silentLog, error: (_, message) => void logged.push(message) },
  });
  running.state('mastodon', 0.3);
  await clock.advance(10 * 60_000);

  expect(logged).toEqual(['the use of the accounts could not be stored; Fanfare retries']);
  expect(await usage('mastodon')).toMatchObject([{ leastLeftRatio: 0.3 }]);
});
