import { expect, test } from 'vitest';
import { SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { OpenStore } from './store.ts';

const MINUTE_MS = 60_000;
const WAIT = { forMs: 5 * MINUTE_MS, mostMs: 15 * MINUTE_MS };

/** The contract of the people of list sources. */
export function listSourcesContract(open: OpenStore): void {
  test('one of several processes claims a source that is due', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const claims = () => Promise.all([1, 2, 3].map(() => store.listSources.claim('a', WAIT)));

    expect((await claims()).filter(Boolean)).toEqual([true]);
    await clock.advance(5 * MINUTE_MS - 1);
    expect(await claims()).toEqual([false, false, false]);
    await clock.advance(1);
    expect((await claims()).filter(Boolean)).toEqual([true]);
    expect(await store.listSources.claim('b', WAIT)).toBe(true);
  });

  test('a claim that ends later than the longest interval does not count', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.listSources.claim('a', { ...WAIT, forMs: 16 * MINUTE_MS });

    expect(await store.listSources.claim('a', WAIT)).toBe(true);
  });

  test('a failed read keeps the people of the last whole read', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const { listSources } = store;
    const people = [{ id: 'ada', fields: { twitch: 'ada' } }];
    expect(await listSources.load(['a'])).toEqual(new Map());
    await listSources.claim('a', WAIT);
    expect(await listSources.load(['a', 'b', 'a'])).toEqual(
      new Map([['a', { readAt: undefined, problem: undefined, dueAt: new Date(SLOT_MS + WAIT.forMs) }]]),
    );

    await listSources.keep('a', people, 15 * MINUTE_MS);
    const kept = { readAt: new Date(SLOT_MS), problem: undefined, dueAt: new Date(SLOT_MS + 15 * MINUTE_MS) };
    expect((await listSources.load(['a'])).get('a')).toEqual(kept);
    await clock.advance(MINUTE_MS);
    await listSources.fail('a', 'twitch has no such team');
    expect((await listSources.load(['a'])).get('a')).toEqual({ ...kept, problem: 'twitch has no such team' });
    expect(await listSources.people('a')).toEqual(people);
    await listSources.keep('a', [], 15 * MINUTE_MS);
    expect((await listSources.load(['a'])).get('a')?.problem).toBeUndefined();
    expect(await listSources.people('a')).toEqual([]);
  });
}
