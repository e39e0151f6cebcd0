import { expect, test } from 'vitest';
import { createFirstPolls } from '#src/app/first-polls.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** Whether Discord may load. */
function open() {
  const clock = new ManualClock();
  const stopping = new AbortController();
  const polls = createFirstPolls({ clock, signal: stopping.signal });
  let isOver = false;
  const waiting = polls.wait().then(() => (isOver = true));
  return { clock, stopping, polls, waiting, isOver: () => isOver };
}

test('Discord waits for the end of the first tick', async () => {
  const { clock, polls, waiting, isOver } = open();
  await clock.advance(2_000);
  expect(isOver()).toBe(false);

  polls.ended();

  await waiting;
  expect(isOver()).toBe(true);
});

test('a slow platform delays Discord by three seconds', async () => {
  const { clock, waiting, isOver } = open();
  await clock.advance(2_999);
  expect(isOver()).toBe(false);

  await clock.advance(1);

  await waiting;
  expect(isOver()).toBe(true);
});

test('a stop does not wait for the first polls', async () => {
  const { stopping, waiting, isOver } = open();

  stopping.abort();

  await waiting;
  expect(isOver()).toBe(true);
});
