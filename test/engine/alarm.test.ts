import { expect, test } from 'vitest';
import { Alarm } from '#src/engine/alarm.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** Waits a minute for the alarm. The second value is the time so far. */
function waiting(alarm: Alarm): { readonly clock: ManualClock; readonly isOver: () => boolean } {
  const clock = new ManualClock();
  let isOver = false;
  void alarm.wait(60_000, { clock, signal: new AbortController().signal }).then(() => (isOver = true));
  return { clock, isOver: () => isOver };
}

test('a wait lasts the requested time', async () => {
  const { clock, isOver } = waiting(new Alarm());

  await clock.advance(59_999);
  expect(isOver()).toBe(false);
  await clock.advance(1);
  expect(isOver()).toBe(true);
});

test('a signal ends one wait', async () => {
  const alarm = new Alarm();
  const first = waiting(alarm);
  await first.clock.advance(0);

  alarm.ring();
  await first.clock.advance(0);
  const second = waiting(alarm);
  await second.clock.advance(0);

  expect([first.isOver(), second.isOver()]).toEqual([true, false]);
});

test('a signal before a wait ends that wait at once, and no later one', async () => {
  const alarm = new Alarm();

  alarm.ring();
  const first = waiting(alarm);
  await first.clock.advance(0);
  const second = waiting(alarm);
  await second.clock.advance(0);

  expect([first.isOver(), second.isOver()]).toEqual([true, false]);
});
