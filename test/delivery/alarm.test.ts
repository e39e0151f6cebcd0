import { expect, test } from 'vitest';
import { Alarm } from '#src/delivery/alarm.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** Waits a minute for the alarm; the second value says how long that took so far. */
function waiting(alarm: Alarm): { readonly clock: ManualClock; readonly isOver: () => boolean } {
  const clock = new ManualClock();
  let isOver = false;
  void alarm.wait(60_000, { clock, signal: new AbortController().signal }).then(() => (isOver = true));
  return { clock, isOver: () => isOver };
}

test('a wait lasts as long as it was asked to', async () => {
  const { clock, isOver } = waiting(new Alarm());

  await clock.advance(59_999);
  expect(isOver()).toBe(false);
  await clock.advance(1);
  expect(isOver()).toBe(true);
});

test('a ring ends a wait, and none but this', async () => {
  const alarm = new Alarm();
  const first = waiting(alarm);
  await first.clock.advance(0);

  alarm.ring();
  await first.clock.advance(0);
  const second = waiting(alarm);
  await second.clock.advance(0);

  expect([first.isOver(), second.isOver()]).toEqual([true, false]);
});

test('a ring before a wait ends that wait at once, and none but this', async () => {
  const alarm = new Alarm();

  alarm.ring();
  const first = waiting(alarm);
  await first.clock.advance(0);
  const second = waiting(alarm);
  await second.clock.advance(0);

  expect([first.isOver(), second.isOver()]).toEqual([true, false]);
});
