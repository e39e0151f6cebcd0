import { describe, expect, test } from 'vitest';
import { creating, firing, setting } from '../support/firings.ts';
import { ruleOf } from '../support/rule-language.ts';
import { runEngine } from './running-engine.ts';

const MINUTE_MS = 60_000;
const POST = creating(['x', 'mastodon'], { id: 'post', onError: 'stop' });

describe('where a step fails that stops', () => {
  test('at any of its targets, the later steps of its list are skipped on all accounts, with the reason', async () => {
    await using running = await runEngine();
    running.platform.mishaps.set('mastodon', ['forbidden']);

    await running.commit([firing([creating(['x'], { id: 'before' }), POST, creating(['discord', 'x'], { id: 'after' })])]);

    expect(await running.states()).toEqual([
      ['x', 'sent'],
      ['x', 'sent'],
      ['mastodon', 'failed'],
      ['discord', 'skipped'],
      ['x', 'skipped'],
    ]);
    const [last] = (await running.store.deliveryLog.list()).items;
    expect(last).toMatchObject({ message: 'step post failed on mastodon, and it has onError: stop' });
  });

  test('the reason names one without an id by its place in the file, where waits have one', async () => {
    await using running = await runEngine();
    running.platform.mishaps.set('discord', ['forbidden']);
    const send = '{ do: discord.send, onError: stop, with: { channel: live, content: hi } }';
    const { then } = ruleOf(`id: r\nwhen: { every: 1m }\nthen: [{ wait: 5s }, { wait: 5s }, ${send}, ${send}]`);

    await running.commit([firing(then)]);
    await running.clock.advance(MINUTE_MS);

    const [last] = (await running.store.deliveryLog.list()).items;
    expect(last).toMatchObject({
      state: 'skipped',
      message: 'step 3 failed on discord, and it has onError: stop',
      reason: { kind: 'stopped', step: '0', number: 3, account: 'discord' },
    });
  });

  test('the reason counts the steps where an earlier version wrote down no place', async () => {
    await using running = await runEngine();
    running.platform.mishaps.set('x', ['forbidden']);

    await running.commit([firing([creating(['x'], { onError: 'stop' }), creating(['discord'])])]);

    const [last] = (await running.store.deliveryLog.list()).items;
    expect(last).toMatchObject({ message: 'step 1 failed on x, and it has onError: stop' });
  });

  test('`finally` goes on', async () => {
    await using running = await runEngine();
    running.platform.mishaps.set('mastodon', ['forbidden']);
    const opening = firing([POST]);

    await running.commit([opening, firing([setting(['discord'])], { section: 'finally', sees: [opening.id] })]);

    expect((await running.states()).at(-1)).toEqual(['discord', 'sent']);
  });

  test('the later steps wait until it is known at all targets', async () => {
    await using running = await runEngine();
    running.platform.mishaps.set('mastodon', ['unavailable']);

    await running.commit([firing([POST, creating(['discord'])])]);
    const before = await running.states();
    await running.clock.advance(MINUTE_MS);

    expect(before.at(-1)).toEqual(['discord', 'pending']);
    expect((await running.states()).at(-1)).toEqual(['discord', 'sent']);
  });

  test('a question lets the later steps go when it is asked, on whatever account', async () => {
    await using running = await runEngine();

    await running.commit([firing([creating(['discord'], { do: 'discord.ask', onError: 'stop' }), creating(['x'])])]);

    expect(await running.states()).toEqual([
      ['discord', 'asked'],
      ['x', 'sent'],
    ]);
  });

  test('one that had nothing to say, or of which nobody knows, stops nobody', async () => {
    await using running = await runEngine({
      habits: { finds: 'nothing' },
      render: ({ step, delivery }) =>
        delivery.account === 'x' ? { skip: { kind: 'emptySaying', issue: 'nothing' } } : { params: step.with },
    });
    running.platform.mishaps.set('mastodon', ['answerLost']);

    await running.commit([firing([POST, creating(['discord'])])]);
    await running.clock.advance(10 * MINUTE_MS);

    expect(await running.states()).toEqual([
      ['x', 'skipped'],
      ['mastodon', 'unknown'],
      ['discord', 'sent'],
    ]);
  });
});
