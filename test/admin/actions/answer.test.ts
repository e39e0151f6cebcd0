import { expect, test } from 'vitest';
import { idOfDiscord } from '#src/admin/access/discord-sign-in.ts';
import type { Actor } from '#src/admin/actions/actor.ts';
import { createDeliveryActions } from '#src/admin/actions/delivery-actions.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import { runEngine, type RunningEngine } from '../../engine/delivery/running-engine.ts';
import { creating, firing, keysOf } from '../../support/firings.ts';

const ASK = creating(['discord'], { id: 'verdict', do: 'discord.ask', with: { content: 'shall I?', choices: ['send', 'do  not'] } });
const GRACE: Actor = { name: 'grace', displayName: 'Grace', via: 'discord', role: 'editor', id: '7', origin: '42' };
const LOCAL: Actor = { name: 'local', via: 'api', role: 'admin' };

/** An open question, and the actions on it. `closed`: the questions whose message must change. */
async function ask(running: RunningEngine, step = ASK) {
  const fired = firing([step, creating(['x'], { reads: ['verdict'] })]);
  await running.commit([fired]);
  const [question = '', next = ''] = keysOf(fired);
  const closed: Delivery[] = [];
  const { store, engine, clock } = running;
  const actions = createDeliveryActions({
    deliveries: store.deliveries,
    deliveryEngine: engine,
    onAnswered: (one) => closed.push(one),
    auditLog: store.auditLog,
    ruleStates: store.ruleStates,
    findRule: () => undefined,
    isPost: () => false,
    clock,
  });
  return { question, next, closed, actions };
}

test('a question is answered once, by a person in any front end, and the rule reads the person', async () => {
  await using running = await runEngine();
  const { question, next, closed, actions } = await ask(running);

  const both = await Promise.all([
    actions.answerDelivery({ delivery: question, choice: 'do not', text: 'too late' }, LOCAL),
    actions.answerDelivery({ delivery: question, choice: 'send' }, GRACE),
  ]);

  expect(both).toMatchObject([{ answered: { state: 'sent' } }, { refused: { kind: 'closed' } }]);
  expect(closed.map(({ id }) => id)).toEqual([question]);
  const { results } = await running.store.deliveries.prepare(await running.find(next));
  const by = { platform: 'fanfare', id: 'local', handle: 'local', displayName: 'local' };
  expect(results).toMatchObject({ verdict: [{ result: { choice: 'do  not', text: 'too late', by } }] });
  const { items } = await running.store.auditLog.list();
  expect(
    items.toSorted((a, b) => (a.outcome < b.outcome ? -1 : 1)).map(({ by: { via }, outcome, after }) => [via, outcome, after]),
  ).toEqual([
    ['api', 'done', { state: 'sent', choice: 'do  not', rule: 'live' }],
    ['discord', 'refused', { refused: 'closed' }],
  ]);
});

test('an answer in Discord names the user, and its message changes with the click', async () => {
  await using running = await runEngine();
  const { question, closed, actions } = await ask(running);

  await actions.answerDelivery({ delivery: question, choice: 'send' }, GRACE);

  const by = { platform: 'discord', id: '7', url: 'https://discord.com/users/7', handle: 'grace', displayName: 'Grace' };
  expect(await running.find(question)).toMatchObject({ state: 'sent', result: { choice: 'send', by } });
  expect(closed).toEqual([]);
});

test('a user who answers in Discord, and again on the page after a sign-in with Discord, is one person of two', async () => {
  await using running = await runEngine();
  const { question, actions } = await ask(running, { ...ASK, with: { ...ASK.with, answers: 2 } });
  const onPage: Actor = { name: 'grace', via: 'page', role: 'editor', id: idOfDiscord({ id: '7' }), origin: '203.0.113.7' };

  await actions.answerDelivery({ delivery: question, choice: 'send' }, GRACE);
  await actions.answerDelivery({ delivery: question, choice: 'send' }, onPage);

  const by = { platform: 'discord', id: '7', url: 'https://discord.com/users/7', handle: 'grace', displayName: 'grace' };
  expect(await running.find(question)).toMatchObject({ state: 'asked', result: { answers: [{ choice: 'send', by }] } });
  await actions.answerDelivery({ delivery: question, choice: 'send' }, LOCAL);
  expect(await running.find(question)).toMatchObject({ state: 'sent', result: { answers: [{ by }, { by: { id: 'local' } }] } });
});

test('a choice that the question does not have, a delivery that is no question, and a question of another server are refused', async () => {
  await using running = await runEngine();
  const { question, next, actions } = await ask(running);
  const answer = (delivery: string, choice: string) => actions.answerDelivery({ delivery, choice }, LOCAL);

  expect(await answer(question, 'drop')).toEqual({ refused: { kind: 'choice', choices: ['send', 'do  not'] } });
  expect(await answer(next, 'send')).toBeUndefined();
  expect(await answer('none', 'send')).toBeUndefined();
  const elsewhere: Actor = { ...GRACE, scope: { server: '43', accounts: ['second'] } };
  expect(await actions.answerDelivery({ delivery: question, choice: 'send' }, elsewhere)).toBeUndefined();
  expect(await running.find(question)).toMatchObject({ state: 'asked' });
  await expect(actions.answerDelivery({ delivery: question, choice: 'send' }, { ...LOCAL, role: 'viewer' })).rejects.toThrow('editor');
});
