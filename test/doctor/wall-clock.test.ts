import { afterAll, beforeAll, expect, test } from 'vitest';
import { examineClock } from '#src/doctor/wall-clock.ts';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { badServer, nobodysAddress, selfSigned } from '../adapters/bad-input/bad-server.ts';

const MINUTE_MS = 60_000;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({});
});
afterAll(() => sandbox[Symbol.asyncDispose]());

const offBy = (ms: number) => ({
  clock: { nowMs: () => Date.now() + ms, sleep: () => Promise.reject(new Error('nobody sleeps')) },
  signal: new AbortController().signal,
});

test.for([
  [5 * MINUTE_MS, /^it is (299|300|301) s ahead of that of 127\.0\.0\.1:\d+$/],
  [-5 * MINUTE_MS, /^it is (299|300|301) s behind that of 127\.0\.0\.1:\d+$/],
] as const)('a clock that is off by %i ms is bad, and says how to set it', async ([ms, what]) => {
  expect(await examineClock([sandbox.url], offBy(ms))).toEqual([
    {
      about: 'the clock',
      state: 'bad',
      what: expect.stringMatching(what),
      remedy: 'let the machine set it by itself: timedatectl set-ntp true',
    },
  ]);
});

test('a clock that goes as those of the platforms is good', async () => {
  expect(await examineClock([sandbox.url], offBy(0))).toMatchObject([{ state: 'good' }]);
});

test('where no platform can be asked, nothing is said of the clock', async () => {
  await using untrusted = await selfSigned(() => ({}));
  await using undated = await badServer(() => ({ by: (response) => void response.writeHead(200, { date: 'today' }).end() }));

  expect(await examineClock([await nobodysAddress(), untrusted.url, undated.url], offBy(5 * MINUTE_MS))).toEqual([]);
});

test('the platform that answers tells it, whoever does not', async () => {
  expect(await examineClock([await nobodysAddress(), sandbox.url], offBy(0))).toMatchObject([{ state: 'good' }]);
});

test('an answer that was kept on the way counts from when it was given', async () => {
  const kept = { date: new Date(Date.now() - 5 * MINUTE_MS).toUTCString(), age: '300' };
  await using between = await badServer(() => ({ by: (response) => void response.writeHead(200, kept).end() }));

  expect(await examineClock([between.url], offBy(0))).toMatchObject([{ state: 'good' }]);
});
