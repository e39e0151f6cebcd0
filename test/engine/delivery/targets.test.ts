import { describe, expect, test } from 'vitest';
import { failing } from '../../support/fake-platform.ts';
import { creating, firing, keysOf, setting } from '../../support/firings.ts';
import { runEngine } from './running-engine.ts';

const MINUTE_MS = 60_000;
const FIVE = ['a', 'b', 'c', 'd', 'e'];

describe('targets are independent', () => {
  test('the second of five rejects it: four get it, one is reported, and it is not repeated there', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('b', ['forbidden']);

    await running.commit([firing([creating(FIVE)])]);
    await running.clock.advance(30 * MINUTE_MS);

    expect(running.platform.records.map(({ account }) => account).toSorted()).toEqual(['a', 'c', 'd', 'e']);
    expect(running.platform.attempts.filter(({ account }) => account === 'b')).toHaveLength(1);
    expect((await running.states()).filter(([, state]) => state === 'failed')).toEqual([['b', 'failed']]);
  });

  test('the second of five is down: the others get it at once, and the second gets it later', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('b', ['unreachable', 'unanswered', 'unavailable']);

    await running.commit([firing([creating(FIVE)])]);
    const atOnce = running.platform.records.map(({ account }) => account);
    await running.clock.advance(MINUTE_MS);

    expect(atOnce).toEqual(['a', 'c', 'd', 'e']);
    expect(Object.values(running.platform.counts())).toEqual([1, 1, 1, 1, 1]);
  });

  test('a target that never responds delays only its own account', async () => {
    await using running = await runEngine();
    const hanging = Promise.withResolvers<void>();
    running.platform.hangs.set('b', hanging.promise);

    await running.commit([firing([creating(FIVE)]), firing([creating(FIVE)], { episode: 'grace@1' })]);

    expect(running.platform.records.map(({ account }) => account).toSorted()).toEqual(['a', 'a', 'c', 'c', 'd', 'd', 'e', 'e']);
    hanging.reject(failing('unanswered'));
  });

  test('a step that reads a result of another account is sent as soon as the result exists', async () => {
    await using running = await runEngine();
    const hanging = Promise.withResolvers<void>();
    running.platform.hangs.set('x', hanging.promise);

    await running.commit([firing([creating(['x'], { id: 'post' }), creating(['discord'], { reads: ['post'] })])]);
    hanging.resolve();
    await running.clock.advance(0);

    expect(running.platform.records.map(({ account }) => account)).toEqual(['x', 'discord']);
  });

  test('a reply is sent on the account of its post even if another account has no post', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('bluesky', ['unavailable', 'unavailable', 'unavailable']);
    const post = creating(['bluesky', 'mastodon'], { id: 'post' });
    const reply = creating(['bluesky', 'mastodon'], { id: 'reply', reads: ['post.own'] });

    await running.commit([firing([post, reply])]);

    expect(running.platform.records.map(({ account }) => account)).toEqual(['mastodon', 'mastodon']);
  });
});

describe('the order of deliveries', () => {
  test('deliveries for one target and item keep the order of their decisions under all faults', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', ['unavailable', 'unanswered', undefined, 'answerLost', 'rateLimited']);
    const firings = ['1', '2', '3'].map((occasion) => firing([creating(['x'], { id: 'a' }), creating(['x'], { id: 'b' })], { occasion }));

    for (const one of firings) await running.commit([one]);
    await running.clock.advance(5 * MINUTE_MS);

    expect(running.platform.records.map(({ key }) => key)).toEqual(firings.flatMap(keysOf));
  });

  test('another item does not wait for a retry', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', ['unavailable']);
    const [ada, grace] = [firing([creating(['x'])]), firing([creating(['x'])], { episode: 'grace@1' })];

    await running.commit([ada, grace]);

    expect(running.platform.records.map(({ key }) => key)).toEqual(keysOf(grace));
  });

  test('one account sends one delivery at a time', async () => {
    await using running = await runEngine();
    const hanging = Promise.withResolvers<void>();
    running.platform.hangs.set('x', hanging.promise);

    await running.commit([firing([creating(['x'])]), firing([creating(['x'])], { episode: 'grace@1' })]);
    const begun = await running.states();
    hanging.resolve();
    await running.clock.advance(0);

    expect(begun).toEqual([
      ['x', 'sending'],
      ['x', 'pending'],
    ]);
    expect(running.platform.records).toHaveLength(2);
  });
});

describe('a withdrawn delivery', () => {
  const back = { rule: 'live', of: { episode: 'ada@1' }, section: 'finally', message: 'ada is back' } as const;

  test('is not sent, even if it was waiting for a retry', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', ['unavailable']);

    await running.commit([firing([creating(['x'])], { section: 'finally' })]);
    await running.commit([], { withdrawals: [back] });
    await running.clock.advance(MINUTE_MS);

    expect(running.platform.records).toEqual([]);
    expect(await running.states()).toEqual([['x', 'skipped']]);
  });

  test('is completed if an attempt runs, and later deliveries follow', async () => {
    await using running = await runEngine();
    const hanging = Promise.withResolvers<void>();
    running.platform.hangs.set('discord', hanging.promise);
    const opening = firing([creating(['discord'], { id: 'card' })]);
    const closing = firing([setting(['discord'], { reads: ['card'] })], { section: 'finally', sees: [opening.id] });

    await running.commit([opening]);
    await running.commit([closing], { withdrawals: [{ ...back, section: 'then' }] });
    const duringAttempt = await running.states();
    hanging.resolve();
    await running.clock.advance(MINUTE_MS);

    expect(duringAttempt).toEqual([
      ['discord', 'sending'],
      ['discord', 'pending'],
    ]);
    expect(running.platform.records.map(({ key }) => key)).toEqual([...keysOf(opening), ...keysOf(closing)]);
  });

  test('is not sent if it was withdrawn during rendering', async () => {
    const rendering = Promise.withResolvers<void>();
    await using running = await runEngine({
      render: async ({ step }) => {
        await rendering.promise;
        return { params: step.with };
      },
    });

    await running.commit([firing([creating(['x'])], { section: 'finally' })]);
    await running.commit([], { withdrawals: [back] });
    rendering.resolve();
    await running.clock.advance(0);

    expect(running.platform.attempts).toEqual([]);
    expect(await running.states()).toEqual([['x', 'skipped']]);
  });

  test('may be decided again, and is then sent once', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', ['unavailable']);
    const closing = (occasion: string) => firing([creating(['x'])], { section: 'finally', occasion });

    await running.commit([closing('1')]);
    await running.commit([], { withdrawals: [back] });
    await running.commit([closing('2')]);
    await running.commit([closing('3')]);
    await running.clock.advance(MINUTE_MS);

    expect(Object.values(running.platform.counts())).toEqual([1]);
  });
});
