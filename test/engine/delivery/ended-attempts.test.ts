import { expect, test } from 'vitest';
import { creating, firing, keysOf, SLOT_MS } from '../../support/firings.ts';
import { runEngine } from './running-engine.ts';

test('each attempt is reported with its outcome and its duration', async () => {
  await using running = await runEngine();
  running.platform.latencyMs = () => 40;
  running.platform.nextFailures.set('x', ['unavailable']);
  const fired = firing([creating(['x'])]);

  await running.commit([fired]);
  await running.clock.advance(60_000);

  expect(
    running.attempts.map(({ kind, delivery, change, beganMs, endedMs }) => [
      kind,
      delivery.id,
      change.state,
      change.error?.fault,
      endedMs - beganMs,
    ]),
  ).toEqual([
    ['attempt', keysOf(fired)[0], 'pending', 'unavailable', 40],
    ['attempt', keysOf(fired)[0], 'sent', undefined, 40],
  ]);
});

test('each search for a lost attempt is reported', async () => {
  await using running = await runEngine({ traits: { deduplicates: false, searchMs: 70 } });
  running.platform.nextFailures.set('x', ['answerLost']);

  await running.commit([firing([creating(['x'])])]);
  await running.clock.advance(60_000);

  expect(running.attempts.map(({ kind, change, beganMs, endedMs }) => [kind, change.state, endedMs - beganMs])).toEqual([
    ['attempt', 'sending', 0],
    ['reconcile', 'sent', 70],
  ]);
});

test('a delivery and its stored row have the end of its wait', async () => {
  await using running = await runEngine();
  const fired = firing([creating(['x']), creating(['mastodon'], { afterMs: 60_000 })]);

  await running.commit([fired]);

  const [first, second] = keysOf(fired);
  expect(await running.find(first)).toMatchObject({ beginsAt: undefined });
  expect(await running.find(second)).toMatchObject({ beginsAt: new Date(SLOT_MS + 60_000) });
});
