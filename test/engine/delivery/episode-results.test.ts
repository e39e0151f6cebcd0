import { expect, test } from 'vitest';
import type { Render } from '#src/engine/delivery/rendering.ts';
import type { StepResults } from '#src/rules/results.ts';
import { creating, firing, keysOf, renderPlainly, setting } from '../../support/firings.ts';
import { runEngine } from './running-engine.ts';

const MINUTE_MS = 60_000;
const card = creating(['discord'], { id: 'card', do: 'discord.send' });

/** The results that each delivery of an edit gets, by occasion. */
function seeing() {
  const seen = new Map<string, StepResults>();
  const render: Render = (due, results) => {
    if (due.step.do === 'discord.edit') seen.set(`${due.delivery.section} ${due.delivery.occasion}`, results);
    return due.step.if === 'false' ? { skip: { kind: 'emptyMessage', issue: 'nothing to send' } } : renderPlainly(due);
  };
  return { seen, render };
}

const edit = setting(['discord'], { reads: ['@card'] });

test('a later firing gets the last result of the episode, and the same step may read its own earlier result', async () => {
  const { seen, render } = seeing();
  await using running = await runEngine({ render });
  const skipped = { ...card, if: 'false' };

  await running.commit([firing([card])]);
  await running.commit([firing([skipped, edit], { occasion: '2' })]);
  await running.commit([firing([{ ...card, reads: ['@card'] }], { occasion: '3' })]);
  await running.commit([firing([edit], { occasion: '4' })]);

  const [first, third] = running.platform.records.filter(({ params }) => params['text'] === 'hello').map(({ id }) => id);
  expect([seen.get('then 2')?.['@card'], seen.get('then 4')?.['@card']]).toMatchObject([
    [{ result: { id: first } }],
    [{ result: { id: third } }],
  ]);
});

test('another episode and another rule have other results', async () => {
  const { seen, render } = seeing();
  await using running = await runEngine({ render });

  await running.commit([firing([card], { episode: 'grace@1' }), firing([card], { rule: 'other' })]);
  await running.commit([firing([edit], { occasion: '2' })]);

  expect(seen.get('then 2')).toEqual({});
});

test('`while` and `finally` get the last result beside that of the announcement', async () => {
  const { seen, render } = seeing();
  await using running = await runEngine({ render });
  const opening = firing([card]);
  const both = setting(['discord'], { reads: ['card', '@card'] });

  await running.commit([opening]);
  await running.commit([firing([card], { occasion: '2' })]);
  await running.commit([firing([both], { section: 'finally', sees: [opening.id] })]);

  const [first, second] = running.platform.records.map(({ id }) => id);
  expect(seen.get('finally 1')).toMatchObject({ card: [{ result: { id: first } }], '@card': [{ result: { id: second } }] });
});

test('a step waits for a result that is being sent', async () => {
  const { seen, render } = seeing();
  await using running = await runEngine({ render });
  const hanging = Promise.withResolvers<void>();
  running.platform.hangs.set('x', hanging.promise);

  await running.commit([firing([creating(['x'], { id: 'card' })])]);
  await running.commit([firing([edit], { occasion: '2' })]);
  await running.clock.advance(MINUTE_MS);
  const before = seen.size;
  hanging.resolve();
  await running.clock.advance(MINUTE_MS);

  expect([before, seen.get('then 2')?.['@card']]).toMatchObject([0, [{ account: 'x', result: { id: expect.any(String) } }]]);
});

test('a step waits for the operator if the outcome of a result is unknown', async () => {
  const { seen, render } = seeing();
  await using running = await runEngine({ render, traits: { deduplicates: false, finds: 'nothing' } });
  running.platform.nextFailures.set('x', ['answerLost']);
  const opening = firing([creating(['x'], { id: 'card' })]);

  await running.commit([opening]);
  await running.commit([firing([edit], { occasion: '2' })]);
  await running.clock.advance(60 * MINUTE_MS);
  const before = [seen.size, await running.states()];
  await running.engine.resolve(keysOf(opening)[0] ?? '', 'sent');
  await running.clock.advance(MINUTE_MS);

  expect(before).toEqual([
    0,
    [
      ['x', 'unknown'],
      ['discord', 'pending'],
    ],
  ]);
  expect(seen.get('then 2')).toEqual({ card: [{ account: 'x' }], '@card': [] });
});
