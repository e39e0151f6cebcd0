import { expect, test } from 'vitest';
import { creating, firing, keysOf, setting, SLOT_MS } from '../../support/firings.ts';
import { runEngine } from './running-engine.ts';

const MINUTE_MS = 60_000;

test('a step after a wait is sent at the end of the wait, counted from the slot', async () => {
  await using running = await runEngine();
  const fired = firing([creating(['x']), creating(['x'], { afterMs: 10 * MINUTE_MS })], { atMs: SLOT_MS - MINUTE_MS });

  await running.commit([fired]);
  await running.clock.advance(9 * MINUTE_MS - 1);
  const before = running.platform.records.length;
  await running.clock.advance(1);

  expect(before).toBe(1);
  expect(running.platform.records.map(({ atMs }) => atMs)).toEqual([SLOT_MS, SLOT_MS + 9 * MINUTE_MS]);
});

test('a step after a wait delays neither the next firing of its queue nor the steps that read it', async () => {
  await using running = await runEngine();
  const first = firing([creating(['x']), creating(['x'], { id: 'late', afterMs: MINUTE_MS })]);
  const second = firing([creating(['x', 'mastodon'])], { occasion: '2' });
  const closing = firing([setting(['x'], { reads: ['late'] }), setting(['x'])], { section: 'finally', sees: [first.id] });

  await running.commit([first]);
  await running.commit([second]);
  await running.commit([closing]);
  await running.clock.advance(MINUTE_MS);

  const [reader, other] = keysOf(closing);
  const [atX, atMastodon] = keysOf(second);
  expect(running.platform.records.map(({ key, atMs }) => [key, atMs - SLOT_MS])).toEqual([
    [keysOf(first)[0], 0],
    [atX, 0],
    [atMastodon, 0],
    [other, 0],
    [keysOf(first)[1], MINUTE_MS],
    [reader, MINUTE_MS],
  ]);
});

test('the waits of `finally` delay no other delivery', async () => {
  await using running = await runEngine();
  const first = firing([creating(['x'], { afterMs: MINUTE_MS })], { section: 'finally' });
  const second = firing([creating(['x'])], { occasion: '2' });

  await running.commit([first]);
  await running.commit([second]);
  await running.clock.advance(MINUTE_MS);

  expect(running.platform.records.map(({ key }) => key)).toEqual([...keysOf(second), ...keysOf(first)]);
});

test('the time limit of a step after a wait begins at the end of the wait', async () => {
  await using running = await runEngine();
  const fired = firing([creating(['x'], { afterMs: 10 * MINUTE_MS, maxAgeMs: MINUTE_MS })]);

  await running.commit([fired]);
  await running.clock.advance(10 * MINUTE_MS);

  expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sent', expiresAt: new Date(SLOT_MS + 11 * MINUTE_MS) });
});
