import { expect, test } from 'vitest';
import type { DeliverySelection } from '#src/clients/history/delivery-log.ts';
import type { Store } from '#src/store/store.ts';
import { committing, creating, firing, keysOf, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { settle } from './delivery-steps.ts';
import type { OpenStore } from './store.ts';

/** The contract of the deliveries that rules read. */
export function sentLogContract(open: OpenStore): void {
  const MINUTE_MS = 60_000;

  /** Commits a firing of a rule with one step `post` for `accounts`, `minute` minutes after the first slot. */
  async function fire(store: Store, rule: string, { minute = 0, key = 'ada', accounts = ['x'], watch = 'streaming.getStreams' } = {}) {
    const atMs = SLOT_MS + minute * MINUTE_MS;
    const fired = firing([creating(accounts, { id: 'post' })], {
      rule,
      episode: `${key}@${minute}`,
      item: { key, name: key },
      names: { steps: {}, watch },
      atMs,
    });
    await store.ruleStates.commit(committing([fired], { rule, slotMs: atMs }));
    return fired;
  }

  async function selected(store: Store, selection: Partial<DeliverySelection> = {}): Promise<readonly string[]> {
    const found = await store.sentLog.select({ accepts: () => true, limit: 100, ...selection });
    return found.map(({ rule, item, account }) => `${rule} ${item?.key} ${account}`);
  }

  test('deliveries are selected by rule, key, step, account and state, newest first', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const first = await fire(store, 'live', { accounts: ['x', 'mastodon'] });
    await fire(store, 'live', { minute: 1, key: 'grace' });
    await fire(store, 'other', { minute: 2 });
    const [key = ''] = keysOf(first);
    await settle(store, key, { state: 'failed', error: { fault: 'rejected', message: 'too long' } });

    expect(await selected(store)).toEqual(['other ada x', 'live grace x', 'live ada mastodon', 'live ada x']);
    expect(await selected(store, { rule: 'live' })).toEqual(['live grace x', 'live ada mastodon', 'live ada x']);
    expect(await selected(store, { key: 'ada', account: 'x' })).toEqual(['other ada x', 'live ada x']);
    expect(await selected(store, { state: 'failed' })).toEqual(['live ada x']);
    expect(await selected(store, { step: 'post' })).toHaveLength(4);
    expect(await selected(store, { step: 'reply' })).toEqual([]);
    expect(await selected(store, { limit: 2 })).toEqual(['other ada x', 'live grace x']);
    expect(await selected(store, { rule: 'nothing' })).toEqual([]);
  });

  test('a rule with `each` has the deliveries of all its instances', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    for (const [minute, rule] of ['live/chess', 'live/go', 'live2', 'live/chess'].entries()) {
      clock.set(SLOT_MS + minute * MINUTE_MS);
      await fire(store, rule, { minute });
    }

    expect(await selected(store, { rule: 'live' })).toEqual(['live/chess ada x', 'live/go ada x', 'live/chess ada x']);
    expect(await selected(store, { rule: 'live', limit: 1 })).toEqual(['live/chess ada x']);
    expect(await selected(store, { rule: 'live/go' })).toEqual(['live/go ada x']);
  });

  test('a delivery has the operation that its rule watched', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await fire(store, 'failures', { watch: 'history.getDeliveries' });
    await fire(store, 'live', { minute: 1 });

    const found = await store.sentLog.select({ accepts: () => true, limit: 100 });

    expect(found.map(({ rule, watches }) => [rule, watches])).toEqual([
      ['live', 'streaming.getStreams'],
      ['failures', 'history.getDeliveries'],
    ]);
  });

  test('rejected deliveries do not count for the limit', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await fire(store, 'live', { accounts: Array.from({ length: 40 }, (_, n) => (n % 10 === 0 ? `a${n}` : `b${n}`)) });

    const found = await store.sentLog.select({ accepts: ({ do: verb }) => verb === 'social.createPost', limit: 3, account: 'a20' });
    const none = await store.sentLog.select({ accepts: () => false, limit: 3 });

    expect(found.map(({ account }) => account)).toEqual(['a20']);
    expect(none).toEqual([]);
  });

  test('an unfinished delivery is found by the deliveries after it', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const [first = ''] = keysOf(await fire(store, 'live', { key: 'p1' }));
    const [second = ''] = keysOf(await fire(store, 'live', { key: 'p2', minute: 1 }));
    const unfinished = (key: string, before: string): Promise<number | undefined> =>
      store.sentLog.unfinishedSince({ rule: 'live', key }, { before, nowMs: clock.nowMs() });

    expect(await unfinished('p1', second)).toBe(SLOT_MS);
    expect(await unfinished('p2', first)).toBeUndefined();
    // Its own firing does not count.
    expect(await unfinished('p2', second)).toBeUndefined();

    await settle(store, first, { state: 'sent', sentAt: new Date(SLOT_MS), result: { id: '7' } });
    expect(await unfinished('p1', second)).toBeUndefined();
  });
}
