import { expect, test } from 'vitest';
import { creating, firing, keysOf, SLOT_MS } from '../support/firings.ts';
import { runEngine } from './running-engine.ts';

const MINUTE_MS = 60_000;

test('a step behind a wait goes out at its end, counted from the slot', async () => {
  await using running = await runEngine();
  const fired = firing([creating(['x']), creating(['x'], { afterMs: 10 * MINUTE_MS })], { atMs: SLOT_MS - MINUTE_MS });

  await running.commit([fired]);
  await running.clock.advance(9 * MINUTE_MS - 1);
  const before = running.platform.records.length;
  await running.clock.advance(1);

  expect(before).toBe(1);
  expect(running.platform.records.map(({ atMs }) => atMs)).toEqual([SLOT_MS, SLOT_MS + 9 * MINUTE_MS]);
});

test('the next firing of a queue is sent after the waiting one, through the same account', async () => {
  await using running = await runEngine();
  const first = firing([creating(['x']), creating(['x'], { afterMs: MINUTE_MS })]);
  const second = firing([creating(['x', 'mastodon'])], { occasion: '2' });

  await running.commit([first]);
  await running.commit([second]);
  await running.clock.advance(MINUTE_MS);

  const [atX, atMastodon] = keysOf(second);
  expect(running.platform.records.map(({ key, atMs }) => [key, atMs - SLOT_MS])).toEqual([
    [keysOf(first)[0], 0],
    [atMastodon, 0],
    [keysOf(first)[1], MINUTE_MS],
    [atX, MINUTE_MS],
  ]);
});

test('what an end waits for holds nothing up', async () => {
  await using running = await runEngine();
  const first = firing([creating(['x'], { afterMs: MINUTE_MS })], { section: 'finally' });
  const second = firing([creating(['x'])], { occasion: '2' });

  await running.commit([first]);
  await running.commit([second]);
  await running.clock.advance(MINUTE_MS);

  expect(running.platform.records.map(({ key }) => key)).toEqual([...keysOf(second), ...keysOf(first)]);
});

test('a step behind a wait has its time from the end of the wait', async () => {
  await using running = await runEngine();
  const fired = firing([creating(['x'], { afterMs: 10 * MINUTE_MS, maxAgeMs: MINUTE_MS })]);

  await running.commit([fired]);
  await running.clock.advance(10 * MINUTE_MS);

  expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sent', expiresAt: new Date(SLOT_MS + 11 * MINUTE_MS) });
});
