import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PlatformError, UnsupportedOperation, ValidationError, type Fault } from '#src/errors.ts';
import { openStore } from '#src/store/store.ts';
import { failing, type PlatformTraits } from '../../support/fake-platform.ts';
import { creating, firing, keysOf, setting, SLOT_MS } from '../../support/firings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runEngine, type RunningEngine } from './running-engine.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The instant of each attempt, in seconds after the commit. */
function attemptTimes({ changes }: RunningEngine): readonly number[] {
  return changes.flatMap(({ state, attemptedAt }) => (state === 'sending' && attemptedAt ? (attemptedAt.getTime() - SLOT_MS) / 1_000 : []));
}

describe('an attempt that wrote nothing is repeated', () => {
  test.for([
    ['unreachable', [0, 2, 6, 14, 30]],
    ['unavailable', [0, 2, 6, 14, 30]],
    ['rateLimited', [0, 2, 6, 14, 30]],
    ['unauthorized', [0, 60, 180, 420, 900]],
  ] as const)('%s: with growing pauses', async ([fault, times]) => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', [fault, fault, fault, fault]);
    const fired = firing([creating(['x'])]);

    await running.commit([fired]);
    await running.clock.advance(3 * 60 * MINUTE_MS);

    expect(attemptTimes(running)).toEqual(times);
    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sent', attempts: 5, error: undefined });
    expect(running.platform.records).toHaveLength(1);
  });

  test('unauthorized: at once after a sign-in or a restart', async () => {
    await using running = await runEngine({ maxPauseMs: 30_000 });
    running.platform.nextFailures.set('x', ['unauthorized', 'unauthorized', 'unauthorized', 'unauthorized']);
    running.platform.nextFailures.set('mastodon', [
      'unavailable',
      'unavailable',
      'unavailable',
      'unavailable',
      'unavailable',
      'unavailable',
    ]);
    const fired = firing([creating(['x'])]);
    await running.commit([fired, firing([creating(['mastodon'])], { episode: 'grace@1' })]);
    await running.clock.advance(10 * MINUTE_MS);
    const mastodon = await running.find(keysOf(firing([creating(['mastodon'])], { episode: 'grace@1' }))[0]);

    await running.store.deliveries.retryRefused({ account: 'y', nowMs: running.clock.nowMs() });
    expect(await running.find(keysOf(fired)[0])).toMatchObject({ dueAt: new Date(SLOT_MS + 15 * MINUTE_MS) });
    await running.store.deliveries.retryRefused({ account: 'x', nowMs: running.clock.nowMs() });
    await running.clock.advance(30_000);

    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sent' });
    expect(await running.find(mastodon.id)).toEqual(mastodon);
  });

  test('the platform names the time of the next attempt', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', [failing('rateLimited', new Date(SLOT_MS + 5 * MINUTE_MS))]);

    await running.commit([firing([creating(['x'])])]);
    await running.clock.advance(10 * MINUTE_MS);

    expect(attemptTimes(running)).toEqual([0, 301]);
  });

  test('posts of other items that a rate limit refuses keep their order', async () => {
    const jitter = [0.9, 0.1, 0.5, 0, 0.7, 0.3];
    await using running = await runEngine({ random: () => jitter.shift() ?? 0.5 });
    const refused = failing('rateLimited', new Date(SLOT_MS + 5 * MINUTE_MS));
    running.platform.nextFailures.set('x', [undefined, refused, refused, refused, 'rateLimited', 'rateLimited']);
    const texts = ['one', 'two', 'three', 'four', 'five', 'six'];

    await running.commit(texts.map((text) => firing([creating(['x'], { with: { text } })], { episode: `${text}@1` })));
    await running.clock.advance(10 * MINUTE_MS);

    const sent = running.platform.records.map(({ params }) => params['text']);
    expect(sent.filter((text) => text !== 'five' && text !== 'six')).toEqual(['one', 'two', 'three', 'four']);
    expect(sent.filter((text) => text === 'five' || text === 'six')).toEqual(['five', 'six']);
  });

  test('until then the delivery has the reason', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', ['unavailable']);
    const fired = firing([creating(['x'])]);

    await running.commit([fired]);

    expect(await running.find(keysOf(fired)[0])).toMatchObject({
      state: 'pending',
      attempts: 1,
      dueAt: new Date(SLOT_MS + 2_000),
      error: { fault: 'unavailable', message: 'it said unavailable' },
    });
  });

  test('a day after the first attempt it fails with the last reason', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set(
      'x',
      Array.from({ length: 1_000 }, () => 'unavailable' as const),
    );
    const fired = firing([creating(['x'])]);

    await running.commit([fired]);
    await running.clock.advance(DAY_MS + 60 * MINUTE_MS);

    const times = attemptTimes(running);
    expect(times.at(-1)).toBeGreaterThan((DAY_MS - 16 * MINUTE_MS) / 1_000);
    expect(times.at(-1)).toBeLessThanOrEqual(DAY_MS / 1_000);
    expect(await running.find(keysOf(fired)[0])).toMatchObject({
      state: 'failed',
      error: { fault: 'unavailable' },
      message: 'no attempt within 1d succeeded',
    });
  });

  test('after a sleep of a day there is no further attempt', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', ['unavailable']);
    await running.commit([firing([creating(['x'])])]);

    running.clock.set(SLOT_MS + DAY_MS + MINUTE_MS);
    await running.clock.advance(MINUTE_MS);

    expect(attemptTimes(running)).toEqual([0]);
    expect(await running.states()).toEqual([['x', 'failed']]);
  });

  test('a used-up quota is not requested again automatically', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', ['quotaExhausted']);
    const fired = firing([creating(['x'])]);

    await running.commit([fired]);
    await running.clock.advance(DAY_MS);

    expect(attemptTimes(running)).toEqual([0]);
    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'failed', error: { fault: 'quotaExhausted' } });
  });

  test('a quota that is used up until an instant is used after it', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', [failing('quotaExhausted', new Date(SLOT_MS + 60 * MINUTE_MS))]);

    await running.commit([firing([creating(['x'])])]);
    await running.clock.advance(2 * 60 * MINUTE_MS);

    expect(attemptTimes(running)).toEqual([0, 3_601]);
    expect(await running.states()).toEqual([['x', 'sent']]);
  });

  test('it fails at once if the platform names a later time than the limit', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', [failing('quotaExhausted', new Date(SLOT_MS + 2 * DAY_MS))]);

    await running.commit([firing([creating(['x'])])]);

    expect(await running.states()).toEqual([['x', 'failed']]);
  });
});

describe('the retry limits of a step', () => {
  test('a duration', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set(
      'x',
      Array.from({ length: 100 }, () => 'unreachable' as const),
    );
    const fired = firing([creating(['x'], { retry: { forMs: 10_000 } })]);

    await running.commit([fired]);
    await running.clock.advance(10 * MINUTE_MS);

    expect(attemptTimes(running)).toEqual([0, 2, 6]);
    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'failed', message: 'no attempt within 10s succeeded' });
  });

  test('a number of attempts', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set(
      'x',
      Array.from({ length: 100 }, () => 'unreachable' as const),
    );
    const fired = firing([creating(['x'], { retry: { attempts: 2 } })]);

    await running.commit([fired]);
    await running.clock.advance(10 * MINUTE_MS);

    expect(attemptTimes(running)).toEqual([0, 2]);
    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'failed', message: 'no attempt of 2 succeeded' });
  });

  test('a number of attempts that includes lost ones', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', ['unanswered']);
    const fired = firing([creating(['x'], { retry: { attempts: 1 } })]);

    await running.commit([fired]);
    await running.clock.advance(10 * MINUTE_MS);

    expect(running.platform.attempts).toHaveLength(1);
    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'failed', error: { fault: 'unanswered' } });
  });
});

describe('a server error during a write', () => {
  /** Creates the record, and then answers with a server error. */
  const breaking = (traits: PlatformTraits) => {
    const running = runEngine({ traits });
    return running.then((one) => {
      one.platform.nextFailures.set('x', ['doneAndUnavailable']);
      return one;
    });
  };

  test('is followed by a search if the platform has no idempotency keys', async () => {
    await using running = await breaking({ deduplicates: false, finds: 'content' });
    const fired = firing([creating(['x'])]);

    await running.commit([fired]);
    await running.clock.advance(MINUTE_MS);

    expect(running.platform.attempts).toHaveLength(1);
    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sent', result: { id: 'r1' } });
  });

  test('is followed by a repeat if nothing is found', async () => {
    await using running = await runEngine({ traits: { deduplicates: false, finds: 'content' } });
    running.platform.nextFailures.set('x', ['unavailable']);

    await running.commit([firing([creating(['x'])])]);
    await running.clock.advance(MINUTE_MS);

    expect(running.platform.records).toHaveLength(1);
    expect(await running.states()).toEqual([['x', 'sent']]);
  });

  test('is not followed by a repeat if the platform cannot be searched', async () => {
    await using running = await breaking({ deduplicates: false, finds: 'nothing' });

    await running.commit([firing([creating(['x'])])]);
    await running.clock.advance(60 * MINUTE_MS);

    expect(running.platform.records).toHaveLength(1);
    expect(await running.states()).toEqual([['x', 'unknown']]);
  });

  test('is followed by a repeat with the same idempotency key, which creates one record', async () => {
    await using running = await breaking({ deduplicates: true });

    await running.commit([firing([creating(['x'])])]);
    await running.clock.advance(MINUTE_MS);

    expect(running.platform.attempts).toHaveLength(2);
    expect(running.platform.records).toHaveLength(1);
  });

  test('is followed by a repeat at once if the write is idempotent', async () => {
    await using running = await runEngine({ traits: { deduplicates: false, finds: 'nothing' } });
    running.platform.nextFailures.set('discord', ['unavailable']);

    await running.commit([firing([setting(['discord'])])]);
    await running.clock.advance(MINUTE_MS);

    expect(await running.states()).toEqual([['discord', 'sent']]);
  });
});

describe('a permanent fault ends the delivery', () => {
  const errors = [
    ...(['forbidden', 'missing', 'rejected'] satisfies Fault[]).map((fault) => [fault, failing(fault)] as const),
    ['unsupported', new UnsupportedOperation({ platform: 'fake', operation: 'createPost', reason: 'NO_ENDPOINT' })] as const,
    ['invalid', new ValidationError('text: too long', { path: 'text' })] as const,
  ];

  test.for(errors)('%s', async ([fault, error]) => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', [error]);
    const fired = firing([creating(['x'])]);

    await running.commit([fired]);
    await running.clock.advance(120 * MINUTE_MS);

    expect(attemptTimes(running)).toEqual([0]);
    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'failed', error: { fault, message: error.message } });
  });
});

describe('an idempotent write', () => {
  test('is repeated without a search if no response came', async () => {
    await using running = await runEngine({ traits: { finds: 'nothing' } });
    running.platform.nextFailures.set('discord', ['answerLost']);

    await running.commit([firing([setting(['discord'])])]);
    await running.clock.advance(MINUTE_MS);

    expect(running.platform.attempts).toHaveLength(2);
    expect(await running.states()).toEqual([['discord', 'sent']]);
  });

  test('is repeated if the response cannot be read', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('twitch', ['malformed']);

    await running.commit([firing([setting(['twitch'], { do: 'streaming.getUserVideos' })])]);
    await running.clock.advance(10_000);

    expect(running.platform.attempts).toHaveLength(2);
    expect(await running.states()).toEqual([['twitch', 'sent']]);
  });
});

describe('a question to the assistant, which costs money', () => {
  const asking = () => firing([setting(['assistant'], { do: 'assistant.ask' })]);

  test.for(['unanswered', 'malformed'] as const)('is repeated a few times if it was %s, and then needs a person', async (fault) => {
    await using running = await runEngine();
    running.platform.nextFailures.set(
      'assistant',
      Array.from({ length: 200 }, () => fault),
    );
    const fired = asking();

    await running.commit([fired]);
    await running.clock.advance(DAY_MS);

    expect(attemptTimes(running)).toEqual([0, 15, 45, 105]);
    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'failed', error: { fault }, message: 'no attempt of 4 succeeded' });
  });

  test('is repeated as often as its step says', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set(
      'assistant',
      Array.from({ length: 200 }, () => 'unanswered' as const),
    );

    await running.commit([firing([setting(['assistant'], { do: 'assistant.ask', retry: { attempts: 6 } })])]);
    await running.clock.advance(DAY_MS);

    expect(running.platform.attempts).toHaveLength(6);
  });

  test('is repeated for a day if the provider does not accept it', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set(
      'assistant',
      Array.from({ length: 10 }, () => 'unavailable' as const),
    );

    await running.commit([asking()]);
    await running.clock.advance(DAY_MS);

    expect(running.platform.attempts).toHaveLength(11);
    expect(await running.states()).toEqual([['assistant', 'sent']]);
  });

  test('is repeated a few times if the program ends during each attempt', async () => {
    const fired = asking();
    using folder = temporaryFolder();
    const file = join(folder.path, 'state.sqlite');
    let attempts = 0;
    for (let start = 0; start < 8; start++) {
      await using running = await runEngine({ store: (clock) => openStore({ clock, file }), runs: start > 0 });
      running.platform.hangs.set('assistant', new Promise(() => undefined));
      if (start === 0) await running.commit([fired]);
      await running.clock.advance(MINUTE_MS);
      attempts += running.platform.attempts.length;
    }

    expect(attempts).toBe(4);
  });
});

describe('a record that differs from the request', () => {
  const other = (): PlatformError =>
    new PlatformError('it was made without its poll', { platform: 'fake', fault: 'rejected', record: { id: 'r9' } });

  test('ends the delivery as failed with that record, and nothing is sent again', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', [other()]);
    const fired = firing([creating(['x'])]);

    await running.commit([fired]);
    await running.clock.advance(DAY_MS);

    expect(running.platform.attempts).toHaveLength(1);
    const delivery = await running.find(keysOf(fired)[0]);
    expect(delivery).toMatchObject({ state: 'failed', result: { id: 'r9' }, error: { message: 'it was made without its poll' } });
    // It is the record of no other delivery.
    expect(await running.store.deliveries.taken({ ...delivery, id: 'another' })).toEqual(new Set(['r9']));
  });

  test('ends the delivery in the same way if the response was lost', async () => {
    await using running = await runEngine({ traits: { deduplicates: false, finds: 'nothing' } });
    running.platform.nextFailures.set('x', ['unanswered']);
    running.platform.searchErrors.push(other());
    const fired = firing([creating(['x'])]);

    await running.commit([fired]);
    await running.clock.advance(DAY_MS);

    expect(running.platform.attempts).toHaveLength(1);
    expect(await running.find(keysOf(fired)[0])).toMatchObject({
      state: 'failed',
      result: { id: 'r9' },
      error: { message: 'it was made without its poll' },
    });
  });
});
