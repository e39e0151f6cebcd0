import { expect, test } from 'vitest';
import { creating, firing, keysOf, setting, renderPlainly } from '../../support/firings.ts';
import { runEngine } from './running-engine.ts';

const MINUTE_MS = 60_000;

test('a step runs for each element of a list in order, and the list delivery records that', async () => {
  await using running = await runEngine();
  const fired = firing([creating(['x'], { forEach: 'ada,grace,linus' }), creating(['x'], { with: { text: 'all of them' } })]);

  await running.commit([fired]);

  expect(running.platform.records.map(({ params }) => params['it'] ?? params['text'])).toEqual(['ada', 'grace', 'linus', 'all of them']);
  expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'skipped', message: 'done for each of 3', attempts: 0 });
});

test('each element has its own attempts: a rejected one does not affect the others', async () => {
  await using running = await runEngine();
  running.platform.nextFailures.set('x', [undefined, 'forbidden', 'unavailable']);

  await running.commit([firing([creating(['x'], { forEach: 'ada,grace,linus' })])]);
  await running.clock.advance(MINUTE_MS);

  expect(running.platform.records.map(({ params }) => params['it'])).toEqual(['ada', 'linus']);
  expect(await running.states()).toEqual([
    ['x', 'skipped'],
    ['x', 'sent'],
    ['x', 'failed'],
    ['x', 'sent'],
  ]);
});

test('a list is evaluated once: later elements change nothing', async () => {
  let list = 'ada,grace';
  await using running = await runEngine({
    render: (due) => renderPlainly(due.element ? due : { step: { ...due.step, forEach: list } }),
  });
  running.platform.nextFailures.set('x', ['unavailable']);
  await running.commit([firing([creating(['x'], { forEach: 'x' })])]);

  list = 'linus';
  await running.clock.advance(MINUTE_MS);

  expect(running.platform.records.map(({ params }) => params['it'])).toEqual(['ada', 'grace']);
});

test('`while` sends the changed parameters of each element', async () => {
  let views = { ada: '1', grace: '1' };
  await using running = await runEngine({
    render: ({ step, element }) =>
      element
        ? { params: { message: element.key, content: views[element.key === 'ada' ? 'ada' : 'grace'] } }
        : renderPlainly({ step, element }),
  });
  const poll = (occasion: string, evenIfUnchanged = false) =>
    running.commit([firing([setting(['discord'], { forEach: 'ada,grace' })], { section: 'while', occasion, evenIfUnchanged })]);

  await poll('1', true);
  await poll('2');
  views = { ada: '1', grace: '2' };
  await poll('3');
  await poll('4', true);

  const sent = running.platform.attempts.map(({ params }) => [params['message'], params['content']]);
  expect(sent).toEqual([
    ['ada', '1'],
    ['grace', '1'],
    ['grace', '2'],
    ['ada', '1'],
    ['grace', '2'],
  ]);
});
