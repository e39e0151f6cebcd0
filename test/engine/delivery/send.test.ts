import { expect, test } from 'vitest';
import { renderPlainly, creating, firing, keysOf, setting, SLOT_MS } from '../../support/firings.ts';
import { runEngine } from './running-engine.ts';

test('a committed step is sent, and the record of the platform is stored', async () => {
  await using running = await runEngine();
  const fired = firing([creating(['x'], { with: { text: 'ada is live' } })]);

  await running.commit([fired]);

  expect(running.platform.records).toMatchObject([{ key: keysOf(fired)[0], account: 'x', params: { text: 'ada is live' } }]);
  expect(await running.find(keysOf(fired)[0])).toMatchObject({
    state: 'sent',
    attempts: 1,
    result: { id: 'r1' },
    sentAt: new Date(SLOT_MS),
    since: new Date(SLOT_MS),
    params: { text: 'ada is live' },
  });
});

test('each change of a delivery is published', async () => {
  await using running = await runEngine();

  await running.commit([firing([creating(['x'])])]);

  expect(running.changes.map(({ state }) => state)).toEqual(['sending', 'sent']);
});

test('a step is rendered once, with the results that it reads; a retry sends exactly that', async () => {
  let renderings = 0;
  await using running = await runEngine({
    render: ({ step }, { post }) => ({ params: { ...step.with, after: post?.[0]?.result, rendering: ++renderings } }),
  });
  running.platform.nextFailures.set('discord', ['unavailable', 'unavailable']);
  const fired = firing([creating(['x'], { id: 'post' }), creating(['discord'], { reads: ['post'] })]);

  await running.commit([fired]);
  await running.clock.advance(60_000);

  const sent = { text: 'hello', after: { id: 'r1' }, rendering: 2 };
  const attempts = running.platform.attempts.filter(({ account }) => account === 'discord');
  expect(attempts.map(({ params }) => params)).toEqual([sent, sent, sent]);
  expect(new Set(attempts.map(({ key }) => key)).size).toBe(1);
});

test('an empty step is skipped with a reason, and the next step reads it as empty', async () => {
  await using running = await runEngine({
    render: ({ step }, { card }) =>
      step.id === 'card' ? { skip: { kind: 'emptyList', source: 'items' } } : { params: { card: card?.[0]?.result ?? 'empty' } },
  });
  const fired = firing([creating(['discord'], { id: 'card' }), creating(['discord'], { reads: ['card'] })]);

  await running.commit([fired]);

  expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'skipped', message: 'forEach: items is empty', attempts: 0 });
  expect(running.platform.records).toMatchObject([{ params: { card: 'empty' } }]);
});

test('a step that cannot be rendered fails before its first attempt', async () => {
  await using running = await runEngine({ render: () => ({ failure: 'no such key: viewers' }) });
  const fired = firing([creating(['x'])]);

  await running.commit([fired]);

  expect(running.platform.attempts).toEqual([]);
  expect(await running.find(keysOf(fired)[0])).toMatchObject({
    state: 'failed',
    attempts: 0,
    error: { fault: 'expression', message: 'no such key: viewers' },
  });
});

test('an error of a renderer fails only its step', async () => {
  await using running = await runEngine({
    render: (due) => {
      if (due.delivery.account === 'x') throw new TypeError('token=hunter2');
      return renderPlainly(due);
    },
  });
  const fired = firing([creating(['x', 'mastodon'])]);

  await running.commit([fired]);

  expect(await running.states()).toEqual([
    ['x', 'failed'],
    ['mastodon', 'sent'],
  ]);
  expect(JSON.stringify(await running.find(keysOf(fired)[0]))).not.toContain('hunter2');
});

test('a step that could not start in time is skipped; one without a time limit is not', async () => {
  await using running = await runEngine();
  const fired = firing([creating(['x'], { id: 'a', maxAgeMs: 1_000 }), setting(['x'])], { atMs: SLOT_MS - 1_001 });

  await running.commit([fired]);

  const [post, edit] = keysOf(fired);
  expect(await running.find(post)).toMatchObject({
    state: 'skipped',
    message: 'too late: the maxAge of the step ended at 2026-11-20T17:59:59.999Z',
  });
  expect(await running.find(edit)).toMatchObject({ state: 'sent' });
});

test('a step that started in time is retried after that', async () => {
  await using running = await runEngine();
  running.platform.nextFailures.set('x', ['unavailable']);
  const fired = firing([creating(['x'], { maxAgeMs: 1 })]);

  await running.commit([fired]);
  await running.clock.advance(10_000);

  expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sent', attempts: 2 });
});

test('`while` sends the changed parameters, and repeats them if the message must not stay as it is', async () => {
  let text = 'one';
  await using running = await runEngine({ render: () => ({ params: { message: '1', content: text } }) });
  const poll = async (occasion: string, content: string, evenIfUnchanged = false) => {
    text = content;
    await running.commit([firing([setting(['discord'])], { section: 'while', occasion, evenIfUnchanged })]);
  };

  await poll('1', 'one', true);
  await poll('2', 'one');
  await poll('3', 'two');
  await poll('4', 'two');
  await poll('5', 'two', true);

  expect(running.platform.attempts.map(({ params }) => params['content'])).toEqual(['one', 'two', 'two']);
  const { items } = await running.store.deliveryLog.list({ idle: true });
  expect(items.toReversed().map(({ state, message }) => message ?? state)).toEqual(['sent', 'unchanged', 'sent', 'unchanged', 'sent']);
});

test('deliveries that are committed without a signal to the delivery engine are found', async () => {
  await using running = await runEngine({ maxPauseMs: 30_000 });

  const { ruleStates } = running.store;
  await ruleStates.commit({ rule: 'live', slotMs: SLOT_MS, firings: [firing([creating(['x'])])], withdrawals: [], decisions: [] });
  await running.clock.advance(60_000);

  expect(await running.states()).toEqual([['x', 'sent']]);
});
