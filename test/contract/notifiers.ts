import { expect, test } from 'vitest';
import { SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { OpenStore } from './store.ts';

/** The contract of the connections over which platforms notify. */
export function notifiersContract(open: OpenStore): void {
  test('the text and the report of an account are kept apart', async () => {
    await using store = await open(new ManualClock());
    const { notifiers } = store;
    const text = notifiers.textOf('twitch');
    expect(await text.load()).toBeUndefined();
    expect(await notifiers.report('twitch')).toBeUndefined();

    const report = { state: 'connected', subscriptions: 3, cost: 3, maxCost: 10_000, notifiedAt: new Date(SLOT_MS) } as const;
    await notifiers.keepReport('twitch', report);
    await text.save('first');
    await text.save('second');

    expect(await text.load()).toBe('second');
    expect(await notifiers.report('twitch')).toEqual(report);
    await notifiers.keepReport('twitch', { state: 'failed', problem: 'lost' });
    expect(await notifiers.report('twitch')).toEqual({ state: 'failed', problem: 'lost', notifiedAt: undefined });
    expect(await text.load()).toBe('second');
    expect(await notifiers.textOf('other').load()).toBeUndefined();
    await notifiers.textOf('other').save('without a report');
    expect([...(await notifiers.reports())]).toEqual([['twitch', { state: 'failed', problem: 'lost', notifiedAt: undefined }]]);
  });

  test('one holder at a time is connected for an account, and one is its substitute', async () => {
    await using store = await open(new ManualClock());
    const { signal } = new AbortController();
    const first = await store.notifiers.claim({ account: 'twitch', isSubstitute: false, signal });
    using _other = await store.notifiers.claim({ account: 'other', isSubstitute: false, signal });
    using _substitute = await store.notifiers.claim({ account: 'twitch', isSubstitute: true, signal });
    const leaving = new AbortController();
    const refused = store.notifiers.claim({ account: 'twitch', isSubstitute: false, signal: leaving.signal });
    leaving.abort(new Error('no wait'));
    await expect(refused).rejects.toThrow('no wait');
    first[Symbol.dispose]();
    using _again = await store.notifiers.claim({ account: 'twitch', isSubstitute: false, signal });
  });
}

/** The contract of the subscriptions to notifications over the public address. */
export function subscriptionsContract(open: OpenStore): void {
  test('the subscriptions of accounts are kept apart', async () => {
    await using store = await open(new ManualClock());
    const [kick, feed] = [store.subscriptionsOf('kick'), store.subscriptionsOf('feed')];
    const since = new Date(SLOT_MS);
    const first = { id: 'b', topic: 'status 7', names: ['ada', '7'], hub: undefined, state: 'active', since, until: undefined } as const;
    const other = { ...first, id: 'a', hub: 'https://hub.example', state: 'requested', until: new Date(SLOT_MS + 1) } as const;
    await kick.keep(first);
    await kick.keep(other);
    await feed.keep({ ...first, names: [] });

    expect(await kick.all()).toEqual([other, first]);
    expect(await kick.find('b')).toEqual(first);
    expect(await feed.find('a')).toBeUndefined();

    await kick.keep({ ...other, state: 'active', until: undefined });
    await kick.drop('b');
    expect(await kick.all()).toEqual([{ ...other, state: 'active', until: undefined }]);
    expect(await feed.all()).toHaveLength(1);
  });

  test('the time of a notification is stored beside the state of the connection', async () => {
    await using store = await open(new ManualClock());
    await store.notifiers.keepReport('kick', { state: 'connected', subscriptions: 2 });
    await store.notifiers.noteNotified('kick', new Date(SLOT_MS));
    expect(await store.notifiers.report('kick')).toEqual({ state: 'connected', subscriptions: 2, notifiedAt: new Date(SLOT_MS) });
  });
}
