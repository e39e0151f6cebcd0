import { afterAll, beforeAll, expect, test } from 'vitest';
import { examineClock, examineStoredClock } from '#src/admin/doctor/wall-clock.ts';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { badServer, nobodysAddress, selfSigned } from '../../adapters/bad-input/bad-server.ts';

const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({});
});
afterAll(() => sandbox[Symbol.asyncDispose]());

const offBy = (ms: number) => ({
  clock: { nowMs: () => Date.now() + ms, sleep: () => Promise.reject(new Error('unexpected call')) },
  signal: new AbortController().signal,
});

test.for([
  [5 * MINUTE_MS, /^it is (299|300|301) s ahead of the clock of 127\.0\.0\.1:\d+$/],
  [-5 * MINUTE_MS, /^it is (299|300|301) s behind the clock of 127\.0\.0\.1:\d+$/],
] as const)('a clock that is off by %i ms is bad, with a remedy', async ([ms, what]) => {
  expect(await examineClock([sandbox.url], offBy(ms))).toEqual([
    {
      about: 'the clock',
      state: 'bad',
      what: expect.stringMatching(what),
      remedy: 'turn on time synchronization: timedatectl set-ntp true',
      reason: { kind: 'clockOff', host: new URL(sandbox.url).host, seconds: expect.any(Number), isAhead: ms > 0 },
    },
  ]);
});

test('a clock that agrees with a platform is good', async () => {
  expect(await examineClock([sandbox.url], offBy(0))).toMatchObject([{ state: 'good' }]);
});

test('without a response from any platform, there is no result', async () => {
  await using untrusted = await selfSigned(() => ({}));
  await using undated = await badServer(() => ({ by: (response) => void response.writeHead(200, { date: 'today' }).end() }));

  expect(await examineClock([await nobodysAddress(), untrusted.url, undated.url], offBy(5 * MINUTE_MS))).toEqual([]);
});

test('the first platform that responds counts', async () => {
  expect(await examineClock([await nobodysAddress(), sandbox.url], offBy(0))).toMatchObject([{ state: 'good' }]);
});

test('the age of a cached response counts', async () => {
  const kept = { date: new Date(Date.now() - 5 * MINUTE_MS).toUTCString(), age: '300' };
  await using between = await badServer(() => ({ by: (response) => void response.writeHead(200, kept).end() }));

  expect(await examineClock([between.url], offBy(0))).toMatchObject([{ state: 'good' }]);
});

test('the doctor reports for a week that the clock was set back', async () => {
  const clock = new ManualClock();
  const setBack = { atMs: clock.nowMs(), byMs: 2 * 60 * MINUTE_MS };
  const examine = () => examineStoredClock({ storedClock: { aheadMs: async () => 0, lastSetBack: async () => setBack }, clock });

  await clock.advance(WEEK_MS);
  const atItsEnd = await examine();
  await clock.advance(1);

  expect(atItsEnd).toMatchObject([{ state: 'warning' }]);
  expect(await examine()).toEqual([]);
});
