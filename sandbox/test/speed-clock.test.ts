import { expect, test } from 'vitest';
import { speedClock } from '../speed-clock.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';

test('at speed 60, a minute passes and a sleep of a minute ends in a second', async () => {
  const manual = new ManualClock('2026-11-20T18:00:00Z');
  const clock = speedClock(manual, 60);
  let woke = false;
  const sleep = clock.sleep(60_000).then(() => (woke = true));

  await manual.advance(999);
  const before = woke;
  await manual.advance(1);
  await sleep;

  expect(before).toBe(false);
  expect(new Date(clock.nowMs())).toEqual(new Date('2026-11-20T18:01:00Z'));
});

test('a sleep rejects with the reason of its signal', async () => {
  const clock = speedClock(new ManualClock(), 2);
  const stop = new AbortController();

  const sleep = clock.sleep(1000, stop.signal);
  stop.abort(new Error('enough'));

  await expect(sleep).rejects.toThrow('enough');
});

test.each([0, -1, Number.NaN])('a clock refuses the speed %d', (speed) => {
  expect(() => speedClock(new ManualClock(), speed)).toThrow(RangeError);
});
