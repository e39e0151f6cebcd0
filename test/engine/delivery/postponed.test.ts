import { describe, expect, test } from 'vitest';
import { PlatformError, Postponed, type Fault } from '#src/errors.ts';
import { failing } from '../../support/fake-platform.ts';
import { creating, firing, keysOf, setting, SLOT_MS } from '../../support/firings.ts';
import { runEngine, type RunningEngine } from './running-engine.ts';

const MINUTE_MS = 60_000;
const later = (minutes: number): Postponed => new Postponed('not now', { until: new Date(SLOT_MS + minutes * MINUTE_MS) });

/** A request that Fanfare does not send, because it knows the limit of the account. */
function unsent(untilMs: number, fault: Fault = 'rateLimited'): PlatformError {
  return new PlatformError('nothing was sent', { platform: 'x', fault, retryAt: new Date(untilMs), sentNothing: true });
}

/** The written texts, in order, with their times in minutes. */
function written({ platform }: RunningEngine): readonly (readonly [content: unknown, minute: number])[] {
  return platform.records.map(({ params, atMs }) => [params['content'], (atMs - SLOT_MS) / MINUTE_MS]);
}

const edit = (content: string, more: object = {}) => setting(['discord'], { with: { message: '1/2', content }, ...more });
const during = (occasion: string, content: string) => firing([edit(content)], { section: 'while', occasion });
const WITHDRAW_WHILE = { rule: 'live', of: { episode: 'ada@1' }, section: 'while', message: 'a newer poll replaced it' } as const;

describe('a write that the platform accepts later', () => {
  test('is sent then, and counts neither as an attempt nor as a failure', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('discord', [later(5), later(20)]);
    const fired = firing([edit('over', { retry: { forMs: MINUTE_MS, attempts: 1 } })]);

    await running.commit([fired]);
    const waiting = await running.find(keysOf(fired)[0]);
    await running.clock.advance(60 * MINUTE_MS);

    expect(waiting).toMatchObject({ state: 'pending', attempts: 0, error: undefined, message: 'not now' });
    expect(written(running)).toEqual([['over', 20]]);
    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sent', attempts: 1, message: undefined });
  });

  test('is skipped at once if that is too late to begin it', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('discord', [later(5)]);
    const fired = firing([edit('over', { maxAgeMs: 2 * MINUTE_MS })]);

    await running.commit([fired]);

    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'skipped', reason: { kind: 'tooLate' } });
    await running.clock.advance(60 * MINUTE_MS);
    expect(written(running)).toEqual([]);
  });

  test('is sent then if it was attempted before that was too late', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('discord', ['unreachable', later(5)]);
    const fired = firing([edit('over', { maxAgeMs: 2 * MINUTE_MS })]);

    await running.commit([fired]);
    await running.clock.advance(60 * MINUTE_MS);

    expect(written(running)).toEqual([['over', 5]]);
  });

  test('sends the newest parameters at that time', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('discord', [later(5), later(5), later(5)]);

    await running.commit([during('1', 'one')]);
    for (const [occasion, content] of [
      ['2', 'two'],
      ['3', 'three'],
    ] as const) {
      await running.clock.advance(MINUTE_MS);
      await running.commit([during(occasion, content)], { withdrawals: [WITHDRAW_WHILE] });
    }
    await running.clock.advance(60 * MINUTE_MS);

    expect(written(running)).toEqual([['three', 5]]);
  });

  test('is not lost if it is the last one', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('discord', [later(5), later(10)]);
    await running.commit([during('1', 'one')]);

    await running.commit([firing([edit('was live')], { section: 'finally', occasion: 'close' })], { withdrawals: [WITHDRAW_WHILE] });
    await running.clock.advance(60 * MINUTE_MS);

    expect(written(running)).toEqual([['was live', 10]]);
  });
});

describe('a request that Fanfare does not send because of a limit', () => {
  const post = (text: string, more: object = {}) => firing([creating(['x'], { with: { text }, ...more })], { episode: `${text}@1` });
  const DAY_MS = 24 * 60 * MINUTE_MS;

  test.for(['rateLimited', 'quotaExhausted'] as const)('is not an attempt: %s', async (fault) => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', [
      unsent(SLOT_MS + 5 * MINUTE_MS, fault),
      unsent(SLOT_MS + 20 * MINUTE_MS, fault),
      'unreachable',
    ]);
    const fired = post('live', { retry: { attempts: 2 } });

    await running.commit([fired]);
    const waiting = await running.find(keysOf(fired)[0]);
    await running.clock.advance(60 * MINUTE_MS);

    expect(waiting).toMatchObject({ state: 'pending', attempts: 0, reason: { kind: 'postponed' } });
    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sent', attempts: 2 });
  });

  test('fails if an earlier request of the attempt made a record', async () => {
    await using running = await runEngine();
    const refused = unsent(SLOT_MS + 5 * MINUTE_MS);
    running.platform.nextFailures.set('x', [refused.withRecord({ id: '1' })]);
    const fired = post('live');

    await running.commit([fired]);
    await running.clock.advance(10 * MINUTE_MS);

    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'failed', attempts: 1, result: { id: '1' } });
  });

  test('keeps its order with a post that the platform refused, and with a small difference of the times', async () => {
    await using running = await runEngine();
    const untilMs = SLOT_MS + 5 * MINUTE_MS;
    running.platform.nextFailures.set('x', [
      failing('rateLimited', new Date(untilMs)),
      unsent(untilMs + 3),
      unsent(untilMs),
      unsent(untilMs + 1),
    ]);
    const texts = ['one', 'two', 'three', 'four'];

    await running.commit(texts.map((text) => post(text)));
    await running.clock.advance(10 * MINUTE_MS);

    expect(running.platform.records.map(({ params }) => params['text'])).toEqual(texts);
  });

  test('is skipped at once if maxAge ends before it is accepted', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', [unsent(SLOT_MS + 5 * MINUTE_MS)]);
    const fired = post('live', { maxAgeMs: 2 * MINUTE_MS });

    await running.commit([fired]);

    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'skipped', reason: { kind: 'tooLate' } });
  });

  test('is skipped if maxAge ended while Fanfare was suspended', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', [unsent(SLOT_MS + 5 * MINUTE_MS)]);
    const fired = post('live', { maxAgeMs: 10 * MINUTE_MS });
    await running.commit([fired]);

    running.clock.set(SLOT_MS + 30 * MINUTE_MS);
    await running.clock.advance(MINUTE_MS);

    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'skipped', reason: { kind: 'tooLate' } });
  });

  test('fails at the end of its time, which begins when it is due first', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', [unsent(SLOT_MS + 50 * MINUTE_MS), unsent(SLOT_MS + 70 * MINUTE_MS)]);
    const fired = post('live', { retry: { forMs: 60 * MINUTE_MS } });

    await running.commit([fired]);
    await running.clock.advance(55 * MINUTE_MS);

    expect(await running.find(keysOf(fired)[0])).toMatchObject({
      state: 'failed',
      attempts: 0,
      error: { fault: 'rateLimited', message: 'nothing was sent' },
      reason: { kind: 'retriesExhausted', withinMs: 60 * MINUTE_MS },
    });
  });

  test('fails after a day if the platform never accepts it', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set(
      'discord',
      Array.from({ length: 30 }, (_, hour) => later((hour + 1) * 60)),
    );
    const fired = firing([edit('over', { retry: { forMs: MINUTE_MS } })]);

    await running.commit([fired]);
    await running.clock.advance(DAY_MS - MINUTE_MS);
    const lastHour = await running.find(keysOf(fired)[0]);
    await running.clock.advance(2 * MINUTE_MS);

    expect(lastHour).toMatchObject({ state: 'pending' });
    expect(await running.find(keysOf(fired)[0])).toMatchObject({
      state: 'failed',
      error: { fault: 'rateLimited', message: 'not now' },
      reason: { kind: 'retriesExhausted', withinMs: DAY_MS },
    });
  });
});

describe('a deleted message', () => {
  test('is reported once: its other edits are skipped', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('discord', ['missing']);

    await running.commit([during('1', 'one')]);
    await running.commit([during('2', 'two')]);
    await running.commit([firing([edit('was live')], { section: 'finally', occasion: 'close' })]);

    expect(running.platform.attempts).toHaveLength(1);
    expect(await running.states()).toEqual([
      ['discord', 'failed'],
      ['discord', 'skipped'],
      ['discord', 'skipped'],
    ]);
  });

  test('does not affect other messages, episodes or accounts', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('discord', ['missing']);
    await running.commit([during('1', 'one')]);

    await running.commit([firing([setting(['discord'], { with: { message: '1/3', content: 'x' } })], { section: 'while', occasion: '2' })]);
    await running.commit([firing([setting(['other'], { with: { message: '1/2', content: 'y' } })], { section: 'while', occasion: '3' })]);
    await running.commit([firing([edit('z')], { section: 'while', occasion: '4', episode: 'ada@2' })]);

    expect(written(running).map(([content]) => content)).toEqual(['x', 'y', 'z']);
  });
});
