import { expect, test } from 'vitest';
import { creating, firing, keysOf, renderPlainly } from '../../support/firings.ts';
import { runEngine } from './running-engine.ts';

const MINUTE_MS = 60_000;
const THREAD = creating(['x'], { id: 'post', fit: 'thread', with: { text: 'one|two|three', files: ['card.png'] } });

test('a thread is sent post by post, each as a reply to the one before', async () => {
  await using running = await runEngine();

  await running.commit([firing([THREAD])]);

  expect(running.platform.records.map(({ id, params }) => [id, params])).toEqual([
    ['r1', { text: 'one', files: ['card.png'] }],
    ['r2', { text: 'two', replyTo: 'r1' }],
    ['r3', { text: 'three', replyTo: 'r2' }],
  ]);
});

test('a part that is retried delays the later parts, and no other post comes between them', async () => {
  await using running = await runEngine();
  running.platform.nextFailures.set('x', [undefined, 'unavailable', 'answerLost']);

  await running.commit([firing([THREAD]), firing([creating(['x'], { with: { text: 'next' } })], { occasion: '2' })]);
  await running.clock.advance(MINUTE_MS);

  expect(running.platform.records.map(({ params }) => params['text'])).toEqual(['one', 'two', 'three', 'next']);
});

test('a rejected part ends the thread with a reason', async () => {
  await using running = await runEngine();
  running.platform.nextFailures.set('x', [undefined, 'forbidden']);

  await running.commit([firing([THREAD])]);

  const { items } = await running.store.deliveryLog.list();
  expect(items.toReversed().map(({ state, message }) => [state, message])).toEqual([
    ['sent', undefined],
    ['failed', undefined],
    ['skipped', 'the previous part of the thread was not sent'],
  ]);
});

test('after an unknown part, later parts wait for the operator and delay no other delivery', async () => {
  await using running = await runEngine({ traits: { deduplicates: false, finds: 'nothing' } });
  running.platform.nextFailures.set('x', [undefined, 'unanswered']);
  const fired = firing([THREAD]);

  await running.commit([fired, firing([creating(['x'], { with: { text: 'next' } })], { occasion: '2' })]);
  await running.clock.advance(60 * MINUTE_MS);
  const before = running.platform.records.map(({ params }) => params['text']);
  const { items } = await running.store.deliveryLog.list({ state: 'unknown' });
  await running.engine.resolve(items[0]?.id ?? '', 'again');
  await running.clock.advance(MINUTE_MS);

  expect(before).toEqual(['one', 'next']);
  expect(running.platform.records.map(({ params }) => params['text'])).toEqual(['one', 'next', 'two', 'three']);
});

test('a partly sent thread is completed even if it is withdrawn and late', async () => {
  await using running = await runEngine();
  running.platform.nextFailures.set('x', [undefined, 'unavailable', 'unavailable']);
  await running.commit([firing([{ ...THREAD, maxAgeMs: 1_000 }])]);

  await running.commit([], { withdrawals: [{ rule: 'live', of: { episode: 'ada@1' }, section: 'then', message: 'restarted' }] });
  await running.clock.advance(MINUTE_MS);

  expect(running.platform.records.map(({ params }) => params['text'])).toEqual(['one', 'two', 'three']);
});

test('a begun thread is completed even if the rule is paused during a retry', async () => {
  await using running = await runEngine();
  running.platform.nextFailures.set('x', [undefined, 'unavailable', 'unavailable']);
  await running.commit([firing([THREAD])]);

  await running.store.ruleStates.changePauses(['live'], { pause: { by: 'ada' } });
  await running.commit([firing([creating(['x'], { with: { text: 'next' } })], { occasion: '2' })]);
  await running.clock.advance(MINUTE_MS);

  expect(running.platform.records.map(({ params }) => params['text']).slice(0, 3)).toEqual(['one', 'two', 'three']);
});

test('a step that reads a thread gets its first post', async () => {
  await using running = await runEngine();
  const fired = firing([THREAD, creating(['discord'], { reads: ['post'] })]);

  await running.commit([fired]);

  const { results } = await running.store.deliveries.prepare(await running.find(keysOf(fired)[1]));
  expect(results).toEqual({ post: [{ account: 'x', result: { id: 'r1' } }] });
});

test('a later part has the audience of the thread, even if it fails or waits', async () => {
  const origins = [{ restriction: 'direct', id: '1' }] as const;
  await using running = await runEngine({ render: (due) => ({ ...renderPlainly(due), origins }) });
  running.platform.nextFailures.set('x', [undefined, 'forbidden']);

  await running.commit([firing([THREAD])]);

  const { items } = await running.store.deliveryLog.list();
  expect(items.map(({ state, origins: its }) => [state, its])).toEqual([
    ['skipped', origins],
    ['failed', origins],
    ['sent', origins],
  ]);
});
