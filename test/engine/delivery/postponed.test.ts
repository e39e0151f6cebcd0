import { describe, expect, test } from 'vitest';
import { Postponed } from '#src/errors.ts';
import { firing, keysOf, setting, SLOT_MS } from '../../support/firings.ts';
import { runEngine, type RunningEngine } from './running-engine.ts';

const MINUTE_MS = 60_000;
const later = (minutes: number): Postponed => new Postponed('not now', { until: new Date(SLOT_MS + minutes * MINUTE_MS) });

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
