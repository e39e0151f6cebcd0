import { expect, test } from 'vitest';
import type { Clock } from '#src/clock.ts';
import { createOvertaking } from '#src/engine/delivery/overtaking.ts';

/** A clock whose time and sleeps the test controls separately, like a clock that someone sets. */
function setClock(startMs: number) {
  const sleeps: { readonly ms: number; readonly end: () => void }[] = [];
  const time = { nowMs: startMs };
  const clock: Clock = {
    nowMs: () => time.nowMs,
    sleep(ms, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      sleeps.push({ ms, end: resolve });
      return promise;
    },
  };
  return { clock, time, sleeps };
}

const NEVER = new Promise<void>(() => undefined);

test('a wait of two seconds ends after two seconds, even if the clock was set back by an hour', async () => {
  const { clock, time, sleeps } = setClock(3_600_000);
  using overtaking = createOvertaking(clock);
  await overtaking.wait([Promise.resolve()]);
  const waiting = overtaking.wait([NEVER]);

  time.nowMs -= 3_600_000;
  sleeps[0]?.end();
  await expect.poll(() => sleeps.length).toBe(2);
  time.nowMs += 3_600_000 + 2_000;
  sleeps[1]?.end();

  await waiting;
  expect(sleeps.map(({ ms }) => ms)).toEqual([2_000, 2_000]);
});

test('attempts that end in time share one sleep, and a later one waits for two seconds of its time', async () => {
  const { clock, time, sleeps } = setClock(0);
  using overtaking = createOvertaking(clock);
  for (let attempt = 0; attempt < 10; attempt++) {
    await overtaking.wait([Promise.resolve()]);
    time.nowMs += 100;
  }
  const waiting = overtaking.wait([NEVER]);

  time.nowMs = 2_000;
  sleeps[0]?.end();
  await expect.poll(() => sleeps.length).toBe(2);
  time.nowMs = 3_000;
  sleeps[1]?.end();

  await waiting;
  expect(sleeps.map(({ ms }) => ms)).toEqual([2_000, 1_000]);
});

test('the end of the work ends the sleep', async () => {
  const { clock } = setClock(0);
  const ended = Promise.withResolvers<unknown>();
  const recording: Clock = {
    ...clock,
    sleep: (ms, signal) => {
      signal?.addEventListener('abort', () => ended.resolve(signal.reason), { once: true });
      return clock.sleep(ms, signal);
    },
  };
  {
    using overtaking = createOvertaking(recording);
    await overtaking.wait([Promise.resolve()]);
  }

  expect(await ended.promise).toBe('no attempt is awaited');
});
