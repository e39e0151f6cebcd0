import { describe, expect, test } from 'vitest';
import { creating, firing, setting } from '../../support/firings.ts';
import { ruleOf } from '../../support/rule-language.ts';
import { runEngine } from './running-engine.ts';

const MINUTE_MS = 60_000;
const POST = creating(['x', 'mastodon'], { id: 'post', onError: 'stop' });

describe('a failed step with onError: stop', () => {
  test('skips the later steps of its list on all accounts if it fails at any target', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('mastodon', ['forbidden']);

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

  test('the reason names a step without an id by its position in the file, which counts waits', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('discord', ['forbidden']);
    const send = '{ do: discord.send, onError: stop, with: { channel: live, content: hi } }';
    const { then } = ruleOf(`id: r\nwhen: { every: 1m }\nthen: [{ wait: 5s }, { wait: 5s }, ${send}, ${send}]`);

    await running.commit([firing(then)]);
    await running.clock.advance(MINUTE_MS);

    const [last] = (await running.store.deliveryLog.list()).items;
    expect(last).toMatchObject({
      state: 'skipped',
      message: 'step 3 failed on discord, and it has onError: stop',
      reason: { kind: 'earlierStepFailed', step: '0', number: 3, account: 'discord' },
    });
  });

  test('the reason counts the steps if no position is stored', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', ['forbidden']);

    await running.commit([firing([creating(['x'], { onError: 'stop' }), creating(['discord'])])]);

    const [last] = (await running.store.deliveryLog.list()).items;
    expect(last).toMatchObject({ message: 'step 1 failed on x, and it has onError: stop' });
  });

  test('`finally` runs', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('mastodon', ['forbidden']);
    const opening = firing([POST]);

    await running.commit([opening, firing([setting(['discord'])], { section: 'finally', sees: [opening.id] })]);

    expect((await running.states()).at(-1)).toEqual(['discord', 'sent']);
  });

  test('the later steps wait for the outcome at all targets', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('mastodon', ['unavailable']);

    await running.commit([firing([POST, creating(['discord'])])]);
    const before = await running.states();
    await running.clock.advance(MINUTE_MS);

    expect(before.at(-1)).toEqual(['discord', 'pending']);
    expect((await running.states()).at(-1)).toEqual(['discord', 'sent']);
  });

  test('a question releases the later steps when it is sent, on any account', async () => {
    await using running = await runEngine();

    await running.commit([firing([creating(['discord'], { do: 'discord.ask', onError: 'stop' }), creating(['x'])])]);

    expect(await running.states()).toEqual([
      ['discord', 'asked'],
      ['x', 'sent'],
    ]);
  });

  test('an empty or an unknown step does not stop the later steps', async () => {
    await using running = await runEngine({
      traits: { finds: 'nothing' },
      render: ({ step, delivery }) =>
        delivery.account === 'x' ? { skip: { kind: 'emptyMessage', issue: 'nothing' } } : { params: step.with },
    });
    running.platform.nextFailures.set('mastodon', ['answerLost']);

    await running.commit([firing([POST, creating(['discord'])])]);
    await running.clock.advance(10 * MINUTE_MS);

    expect(await running.states()).toEqual([
      ['x', 'skipped'],
      ['mastodon', 'unknown'],
      ['discord', 'sent'],
    ]);
  });
});
