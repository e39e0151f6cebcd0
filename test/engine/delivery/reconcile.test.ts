import { describe, expect, test } from 'vitest';
import { Postponed } from '#src/errors.ts';
import { silentLog } from '#src/log.ts';
import { createDeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import type { Recover } from '#src/engine/delivery/attempt.ts';
import { openStore } from '#src/store/store.ts';
import { failing, FakePlatform } from '../../support/fake-platform.ts';
import { committing, creating, episodeOf, firing, keysOf, renderPlainly, setting, SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { settle } from '../../contract/delivery-steps.ts';
import { runEngine } from './running-engine.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe('an attempt with an unknown outcome', () => {
  test('is searched for, and marked as sent if it is found', async () => {
    await using running = await runEngine({ traits: { deduplicates: false } });
    running.platform.nextFailures.set('x', ['answerLost']);
    const fired = firing([creating(['x'])]);

    await running.commit([fired]);
    await running.clock.advance(MINUTE_MS);

    expect(running.platform.records).toHaveLength(1);
    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sent', attempts: 1, result: { id: 'r1' }, error: undefined });
  });

  test('is repeated with the same key and text if nothing is found', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', ['unanswered', 'unanswered']);
    const fired = firing([creating(['x'])]);

    await running.commit([fired]);
    await running.clock.advance(MINUTE_MS);

    expect(running.platform.attempts.map(({ key }) => key)).toEqual(Array.from({ length: 3 }, () => keysOf(fired)[0]));
    expect(running.platform.records).toHaveLength(1);
    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sent', attempts: 3 });
  });

  test('is not repeated before its record must be visible', async () => {
    await using running = await runEngine({ traits: { deduplicates: false, visibleAfterMs: 8_000 }, visibleAfterMs: () => 10_000 });
    running.platform.nextFailures.set('x', ['answerLost']);
    const fired = firing([creating(['x'])]);

    await running.commit([fired]);
    await running.clock.advance(7_000);
    const beforeVisible = await running.find(keysOf(fired)[0]);
    await running.clock.advance(MINUTE_MS);

    expect(beforeVisible).toMatchObject({ state: 'sending' });
    expect(running.platform.attempts).toHaveLength(1);
    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sent', attempts: 1 });
  });

  test('is not repeated if its record became visible during the last search', async () => {
    const traits = { deduplicates: false, visibleAfterMs: 10_000, searchMs: 12_000 };
    await using running = await runEngine({ traits, visibleAfterMs: () => 10_000 });
    running.platform.nextFailures.set('x', ['answerLost']);
    const fired = firing([creating(['x'])]);

    await running.commit([fired]);
    await running.clock.advance(MINUTE_MS);

    expect(running.platform.attempts).toHaveLength(1);
    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sent', attempts: 1 });
  });

  test('waits for the operator if the platform cannot be searched, and is not repeated', async () => {
    await using running = await runEngine({ traits: { deduplicates: false, finds: 'nothing' } });
    running.platform.nextFailures.set('x', ['answerLost']);
    const fired = firing([creating(['x'])]);

    await running.commit([fired]);
    await running.clock.advance(60 * MINUTE_MS);

    expect(running.platform.attempts).toHaveLength(1);
    expect(await running.find(keysOf(fired)[0])).toMatchObject({
      state: 'unknown',
      message: 'x does not report whether it was sent; check there',
    });
  });

  test('is searched for over minutes before a person decides', async () => {
    await using running = await runEngine({
      traits: { deduplicates: false, finds: 'content', provesAbsence: false, visibleAfterMs: 2 * MINUTE_MS },
    });
    running.platform.nextFailures.set('x', ['answerLost']);
    const fired = firing([creating(['x'])]);

    await running.commit([fired]);
    await running.clock.advance(MINUTE_MS);
    const before = await running.find(keysOf(fired)[0]);
    await running.clock.advance(5 * MINUTE_MS);

    expect(before).toMatchObject({ state: 'sending' });
    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sent', attempts: 1 });
    expect(running.attempts.length).toBeLessThan(10);
  });

  test('does not claim the record of an identical delivery', async () => {
    await using running = await runEngine({ traits: { deduplicates: false, finds: 'content' } });
    running.platform.nextFailures.set('x', ['answerLost', 'unanswered']);
    const [first, second] = [firing([creating(['x'])]), firing([creating(['x'])], { episode: 'grace@1' })];

    await running.commit([first, second]);
    await running.clock.advance(MINUTE_MS);

    expect(running.platform.counts()).toEqual({ [String(keysOf(first)[0])]: 1, [String(keysOf(second)[0])]: 1 });
    expect(await running.states()).toEqual([
      ['x', 'sent'],
      ['x', 'sent'],
    ]);
  });

  test('does not delay other deliveries', async () => {
    await using running = await runEngine({ visibleAfterMs: () => 10_000 });
    running.platform.nextFailures.set('x', ['unanswered']);
    const [first, other] = [firing([creating(['x'])]), firing([creating(['x'])], { episode: 'grace@1' })];

    await running.commit([first, other]);

    expect(await running.states()).toEqual([
      ['x', 'sending'],
      ['x', 'sent'],
    ]);
  });
});

describe('a response that leaves the outcome open', () => {
  test.for(['malformed', 'duplicate'] as const)('%s: the delivery is sent if its record is found', async (fault) => {
    await using running = await runEngine({ traits: { finds: 'content' } });
    running.platform.nextFailures.set('x', [failing(fault)]);
    const fired = firing([creating(['x'])]);
    const [key = ''] = keysOf(fired);
    running.platform.records.push({ id: 'there', account: 'x', do: '', key, params: { text: 'hello' }, atMs: SLOT_MS });

    await running.commit([fired]);
    await running.clock.advance(MINUTE_MS);

    expect(running.platform.attempts).toHaveLength(1);
    expect(await running.find(key)).toMatchObject({ state: 'sent', result: { id: 'there' } });
  });

  test('an unreadable response and no record: the attempt is repeated', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', ['malformed', 'malformed']);
    const fired = firing([creating(['x'])]);

    await running.commit([fired]);
    await running.clock.advance(60 * MINUTE_MS);

    expect(running.platform.records).toHaveLength(1);
    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sent', attempts: 3, error: undefined });
  });

  test('responses that are never readable: the delivery fails at the retry limit and keeps the reason', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set(
      'x',
      Array.from({ length: 200 }, () => 'malformed'),
    );
    const fired = firing([creating(['x'])]);

    await running.commit([fired]);
    await running.clock.advance(25 * 60 * MINUTE_MS);

    expect(running.platform.records).toEqual([]);
    expect(await running.find(keysOf(fired)[0])).toMatchObject({
      state: 'failed',
      error: { fault: 'malformed', message: 'it said malformed' },
      message: 'no attempt within 1d succeeded',
    });
    // Pauses grow up to a quarter of an hour.
    expect(running.platform.attempts.length).toBeGreaterThan(80);
    expect(running.platform.attempts.length).toBeLessThan(120);
  });

  test('an idempotent write is repeated without a search', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('discord', ['malformed']);
    const fired = firing([setting(['discord'])]);

    await running.commit([fired]);
    await running.clock.advance(MINUTE_MS);

    expect(running.platform.attempts).toHaveLength(2);
    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sent', attempts: 2 });
  });

  test('the platform refuses the first attempt as a duplicate of an earlier post: the delivery fails within a minute', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', [failing('duplicate')]);
    const fired = firing([creating(['x'])]);

    await running.commit([fired]);
    await running.clock.advance(MINUTE_MS);

    expect(running.platform.attempts).toHaveLength(1);
    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'failed', error: { fault: 'duplicate' } });
  });

  test('the platform refuses a later attempt as a duplicate, and the search finds no record: the operator decides', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', ['malformed', failing('duplicate')]);
    const fired = firing([creating(['x'])]);

    await running.commit([fired]);
    await running.clock.advance(2 * 60 * MINUTE_MS);

    expect(running.platform.attempts).toHaveLength(2);
    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'unknown', attempts: 2, reason: { kind: 'notFound' } });
  });

  test('a defect in the adapter: the delivery fails if nothing is found, and the error is logged', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', [new TypeError('cannot read Bearer hunter2')]);
    const fired = firing([creating(['x'])]);

    await running.commit([fired]);
    await running.clock.advance(60 * MINUTE_MS);

    expect(running.platform.attempts).toHaveLength(1);
    const delivery = await running.find(keysOf(fired)[0]);
    expect(delivery).toMatchObject({ state: 'failed', error: { fault: 'defect' } });
    expect(JSON.stringify(delivery)).not.toContain('hunter2');
  });
});

test('an attempt after a search that found nothing is searched for as long as the first one, if it is lost too', async () => {
  await using running = await runEngine({ traits: { deduplicates: false } });
  running.platform.nextFailures.set('x', ['unanswered']);
  const fired = firing([creating(['x'])]);
  await running.commit([fired]);
  running.platform.hangs.set('x', Promise.withResolvers<void>().promise);

  await running.clock.advance(MINUTE_MS);

  expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sending', attempts: 2, lostAt: undefined });
});

describe('a search that fails', () => {
  /** A delivery engine whose platform loses the answer and then answers questions with `recover`. */
  async function losing(recover: Recover) {
    const clock = new ManualClock(SLOT_MS);
    const store = await openStore({ clock });
    const platform = new FakePlatform(clock);
    platform.nextFailures.set('x', ['unanswered']);
    const engine = createDeliveryEngine({
      deliveries: store.deliveries,
      perform: platform.perform,
      recover,
      render: renderPlainly,
      clock,
      log: silentLog,
      visibleAfterMs: () => 0,
      random: () => 0.5,
    });
    const fired = firing([creating(['x'])]);
    await store.ruleStates.commit(committing([fired]));
    const stop = new AbortController();
    const running = engine.run(stop.signal);
    return {
      clock,
      platform,
      store,
      engine,
      find: () => store.deliveries.find(String(keysOf(fired)[0])),
      async [Symbol.asyncDispose]() {
        stop.abort();
        await running;
        await store[Symbol.asyncDispose]();
      },
    };
  }

  test('is repeated if its result became conclusive while it ran: it has the state of its start', async () => {
    const conclusiveAt = new Date(SLOT_MS + 10_000);
    await using running = await losing(async () => {
      const isConclusive = running.clock.nowMs() >= conclusiveAt.getTime();
      await running.clock.sleep(12_000);
      return isConclusive ? { found: { id: 'r9' } } : { conclusiveAt };
    });

    await running.clock.advance(10 * MINUTE_MS);

    expect(running.platform.attempts).toHaveLength(1);
    expect(await running.find()).toMatchObject({ state: 'sent', result: { id: 'r9' } });
  });

  test('is repeated with growing pauses until it succeeds', async () => {
    const asked: number[] = [];
    await using running = await losing(async () => {
      asked.push((running.clock.nowMs() - SLOT_MS) / 1_000);
      if (asked.length < 5) throw failing('unavailable');
      return { found: { id: 'r9' } };
    });

    await running.clock.advance(10 * MINUTE_MS);

    expect(asked).toEqual([2, 4, 8, 16, 32]);
    expect(await running.find()).toMatchObject({ state: 'sent', result: { id: 'r9' } });
  });

  test('is repeated at least every 15 minutes, and the operator decides after a day', async () => {
    const askedMs: number[] = [];
    await using running = await losing(async () => {
      askedMs.push(running.clock.nowMs());
      throw failing('unreachable');
    });

    await running.clock.advance(DAY_MS + 30 * MINUTE_MS);

    expect(Math.max(...askedMs.slice(1).map((ms, index) => ms - (askedMs[index] ?? 0)))).toBe(15 * MINUTE_MS);
    expect(running.platform.attempts).toHaveLength(1);
    expect(await running.find()).toMatchObject({ state: 'unknown' });
  });

  test('does not take a record that another delivery claimed during the search', async () => {
    const other = firing([creating(['x'], { with: { text: 'another' } })], { episode: 'grace@1' });
    await using running = await losing(async ({ taken }) => {
      if (taken.has('r9')) return 'absent';
      await running.store.ruleStates.commit(committing([other], { slotMs: SLOT_MS + 1 }));
      await settle(running.store, keysOf(other)[0], { state: 'sent', result: { id: 'r9' }, sentAt: new Date(running.clock.nowMs()) });
      return { found: { id: 'r9' } };
    });

    await running.clock.advance(MINUTE_MS);

    expect(await running.find()).toMatchObject({ state: 'sent', attempts: 2, result: { id: 'r1' } });
  });

  test('does not take the record of an identical delivery that is sent during the search and has no answer yet', async () => {
    const other = firing([creating(['x'])], { episode: 'grace@1' });
    const [otherId = ''] = keysOf(other);
    await using running = await losing(async ({ taken }) => {
      const { clock, engine, platform, store } = running;
      if (platform.records.length === 0) {
        platform.answerAfterMs.set(otherId, 10_000);
        await store.ruleStates.commit(committing([other], { slotMs: SLOT_MS + 1 }));
        engine.wake();
        await clock.sleep(5_000);
      }
      const found = platform.records.find(({ id }) => !taken.has(id));
      return found ? { found: { id: found.id } } : 'absent';
    });

    await running.clock.advance(MINUTE_MS);

    expect((await running.store.deliveries.find(otherId))?.result).toEqual({ id: 'r1' });
    expect(await running.find()).toMatchObject({ state: 'sent', attempts: 2, result: { id: 'r2' } });
  });

  test('is left to the operator at once if the platform rejects it', async () => {
    await using running = await losing(async () => {
      throw failing('forbidden');
    });

    await running.clock.advance(MINUTE_MS);

    expect(await running.find()).toMatchObject({
      state: 'unknown',
      message: 'x could not be searched for it: it said forbidden',
    });
  });
});

describe('the resolution of an unknown delivery by the operator', () => {
  async function unknown() {
    const running = await runEngine({ traits: { deduplicates: false, finds: 'nothing' } });
    running.platform.nextFailures.set('x', ['answerLost']);
    const fired = firing([creating(['x'], { id: 'post' }), creating(['discord'], { reads: ['post'] })]);
    await running.commit([fired]);
    await running.clock.advance(60 * MINUTE_MS);
    return { ...running, key: String(keysOf(fired)[0]) };
  }

  test('sent: the deliveries that waited for it continue without its result', async () => {
    await using running = await unknown();
    const { key } = running;

    const waiting = await running.states();
    const resolved = await running.engine.resolve(key, 'sent');
    await running.clock.advance(0);

    expect(waiting).toEqual([
      ['x', 'unknown'],
      ['discord', 'pending'],
    ]);
    expect(resolved).toMatchObject({ state: 'sent', message: 'marked by an operator' });
    expect(running.platform.attempts.map(({ account }) => account)).toEqual(['x', 'discord']);
    expect((await running.states())[1]).toEqual(['discord', 'sent']);
  });

  test('again: it is sent with the same key, and may take a day', async () => {
    await using running = await unknown();
    const { key } = running;
    running.clock.set(SLOT_MS + 2 * DAY_MS);
    running.platform.nextFailures.set('x', ['unreachable']);

    await running.engine.resolve(key, 'again');
    await running.clock.advance(MINUTE_MS);

    expect(running.platform.attempts.filter((one) => one.key === key)).toHaveLength(3);
    expect(await running.find(key)).toMatchObject({ state: 'sent', attempts: 3, message: undefined });
  });

  test('again: the platform may postpone it, and a search begins with the first attempt', async () => {
    await using running = await unknown();
    const { key } = running;
    const { since } = (await running.find(key)) ?? {};
    running.clock.set(SLOT_MS + 2 * DAY_MS);
    const until = new Date(SLOT_MS + 2 * DAY_MS + 5 * MINUTE_MS);
    running.platform.nextFailures.set('x', [new Postponed('not now', { until })]);

    await running.engine.resolve(key, 'again');
    await running.clock.advance(10 * MINUTE_MS);

    expect(await running.find(key)).toMatchObject({ state: 'sent', attempts: 2, since });
    expect(since).toEqual(new Date(SLOT_MS));
  });

  test('again: it is not sent while its item is muted', async () => {
    await using running = await runEngine({ traits: { deduplicates: false, finds: 'nothing' } });
    running.platform.nextFailures.set('x', ['answerLost']);
    const fired = firing([creating(['x'])]);
    await running.commit([fired], { change: { memory: { firings: 1, firedMs: {} }, put: [episodeOf('ada@1')], drop: [] } });
    await running.clock.advance(60 * MINUTE_MS);
    const [key = ''] = keysOf(fired);
    await running.store.ruleStates.mute('live', 'ada@1', 'grace');

    expect(await running.engine.resolve(key, 'again')).toBeUndefined();
    expect(await running.find(key)).toMatchObject({ state: 'unknown' });
    expect(await running.engine.resolve(key, 'sent')).toMatchObject({ state: 'sent' });
  });

  test('is possible for unknown deliveries only', async () => {
    await using running = await unknown();
    const { key } = running;
    await running.engine.resolve(key, 'sent');

    expect(await running.engine.resolve(key, 'again')).toBeUndefined();
    expect(await running.engine.resolve('no-such-delivery', 'sent')).toBeUndefined();
  });
});
