import { expect, test } from 'vitest';
import type { Part } from '#src/engine/delivery/delivery.ts';
import { committing, creating, firing, keysOf, setting, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { begin, find, settle, type OpenDeliveries, type StoredDeliveries } from './delivery-steps.ts';

const SKIPPED = { state: 'skipped', message: 'done for each of 2' } as const;

/** A part for each element, with the key of its name. */
function elements(...names: readonly string[]): readonly Part[] {
  return names.map((key, index) => ({ id: `part ${key}`, element: { key, it: { id: key }, index } }));
}

/** The later parts of a thread. */
function tails(head: string | undefined, ...texts: readonly string[]): readonly Part[] {
  return texts.map((text, index) => ({
    id: `${head} ${text}`,
    params: { text },
    after: index === 0 ? String(head) : `${head} ${texts[index - 1]}`,
  }));
}

/** The contract of the parts of a delivery. */
export function partsContract(open: OpenDeliveries): void {
  test('the elements of a list are due in their order, before the next step', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x'], { id: 'each' }), creating(['x'], { id: 'next' })]);
    await store.ruleStates.commit(committing([fired]));
    const [each, next] = keysOf(fired);

    await part(store, each, elements('b', 'a'));

    expect(await dueInOrder(store, 'x')).toEqual(['part b', 'part a', next]);
  });

  test('the posts of a thread are due one after another, before the next step', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x'], { id: 'post' }), creating(['x'])]);
    await store.ruleStates.commit(committing([fired]));
    const [post, next] = keysOf(fired);

    await store.deliveries.change(await find(store, post), { state: 'sending', params: { text: '1' } }, { parts: tails(post, '2', '3') });
    await store.deliveries.change(await find(store, post), { state: 'sent', result: { id: 'r1' } });

    expect(await find(store, `${post} 2`)).toMatchObject({ state: 'pending', params: { text: '2' }, after: post });
    expect(await dueInOrder(store, 'x')).toEqual([`${post} 2`, `${post} 3`, next]);
  });

  test('an element that becomes a thread is sent completely before the next element', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x'], { id: 'each' }), creating(['x'])]);
    await store.ruleStates.commit(committing([fired]));
    const [each, next] = keysOf(fired);

    await part(store, each, elements('a', 'b'));
    await store.deliveries.change(await find(store, 'part a'), { state: 'sending', params: {} }, { parts: tails('part a', '2') });
    await store.deliveries.change(await find(store, 'part a'), { state: 'sent' });

    expect(await dueInOrder(store, 'x')).toEqual(['part a 2', 'part b', next]);
  });

  test('an element has its own data, and the results, the retries and the expiry of its step', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const each = creating(['x'], { reads: ['post'], maxAgeMs: 60_000, retry: { forMs: 5_000, attempts: 3 } });
    const fired = firing([creating(['x'], { id: 'post' }), each]);
    await store.ruleStates.commit(committing([fired]));
    const [post, whole] = keysOf(fired);
    await settle(store, post, { state: 'sent', result: { id: 'r1' } });

    await part(store, whole, elements('ada', 'grace'));

    const delivery = await find(store, 'part grace');
    expect(delivery).toMatchObject({ element: 'grace', retry: each.retry, expiresAt: new Date(SLOT_MS + 60_000), attempts: 0 });
    const { due, results } = await store.deliveries.prepare(delivery);
    expect(due).toMatchObject({ step: each, element: { key: 'grace', it: { id: 'grace' }, index: 1 } });
    expect(results).toEqual({ post: [{ account: 'x', result: { id: 'r1' } }] });
  });

  test('a step that reads a step with elements waits for all of them, and gets their results as a list in their order', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x'], { id: 'cards' }), creating(['discord'], { reads: ['cards'] })], {
      names: { steps: {}, lists: ['cards'] },
    });
    const later = firing([setting(['discord'], { reads: ['cards'] })], { section: 'finally', sees: [fired.id], names: fired.names });
    await store.ruleStates.commit(committing([fired]));
    const [cards, notify] = keysOf(fired);
    await part(store, cards, elements('a', 'b', 'c'));
    await store.ruleStates.commit(committing([later], { slotMs: SLOT_MS + 1 }));

    await settle(store, 'part a', { state: 'sent', result: { id: 'r1' } });
    await settle(store, 'part b', { state: 'failed' });
    const before = await store.deliveries.due('discord', { nowMs: SLOT_MS, limit: 10 });
    await settle(store, 'part c', { state: 'sent', result: { id: 'r3' } });

    expect(before).toEqual([]);
    expect(await dueInOrder(store, 'discord')).toEqual([notify, ...keysOf(later)]);
    const list = { cards: [{ account: 'x', result: [{ id: 'r1' }, {}, { id: 'r3' }], isFailed: true }] };
    for (const reader of [notify, ...keysOf(later)]) {
      expect((await store.deliveries.prepare(await find(store, reader))).results).toEqual(list);
    }
  });

  test('the result of a step without elements is an empty list', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const steps = [creating(['x'], { id: 'cards' }), creating(['x'], { reads: ['cards'] })];
    const fired = firing(steps, { names: { steps: {}, lists: ['cards'] } });
    await store.ruleStates.commit(committing([fired]));
    const [cards, reader] = keysOf(fired);

    await part(store, cards, []);

    expect((await store.deliveries.prepare(await find(store, reader))).results).toEqual({ cards: [{ account: 'x', result: [] }] });
  });

  test('the result of a thread is its first post, and steps that read it do not wait for the other posts', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x'], { id: 'post' }), creating(['discord'], { reads: ['post'] })]);
    await store.ruleStates.commit(committing([fired]));
    const [post, notify] = keysOf(fired);

    await store.deliveries.change(await find(store, post), { state: 'sending', params: {} }, { parts: tails(post, '2') });
    await store.deliveries.change(await find(store, post), { state: 'sent', result: { id: 'r1' } });

    expect(await dueInOrder(store, 'discord')).toEqual([notify]);
    const { results } = await store.deliveries.prepare(await find(store, notify));
    expect(results).toEqual({ post: [{ account: 'x', result: { id: 'r1' } }] });
  });

  test('a failed element stops the next steps, after the last element is settled', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x'], { id: 'each', onError: 'stop' }), creating(['discord'])]);
    await store.ruleStates.commit(committing([fired]));
    const [each, notify] = keysOf(fired);
    await part(store, each, elements('a', 'b'));

    await settle(store, 'part a', { state: 'sent' });
    const before = await store.deliveries.due('discord', { nowMs: SLOT_MS, limit: 10 });
    await settle(store, 'part b', { state: 'failed' });

    expect(before).toEqual([]);
    expect((await store.deliveries.prepare(await find(store, notify))).stoppedBy).toMatchObject({ step: 'each', account: 'x' });
  });

  test('parts are created only if their change is written', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x'])]);
    await store.ruleStates.commit(committing([fired]));
    const whole = await find(store, keysOf(fired)[0]);

    const changes = await Promise.all([
      store.deliveries.change(whole, SKIPPED, { parts: elements('a') }),
      store.deliveries.change(whole, SKIPPED, { parts: elements('b') }),
    ]);

    // In some stores, the second change may come first.
    const isFirst = changes[0] !== undefined;
    expect(changes.filter((changed) => changed !== undefined)).toHaveLength(1);
    expect(await store.deliveries.find(isFirst ? 'part a' : 'part b')).toBeDefined();
    expect(await store.deliveries.find(isFirst ? 'part b' : 'part a')).toBeUndefined();
  });

  test('if a step fires again, withdrawn elements are sent again, and sent ones are not', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const closing = (occasion: string) => firing([creating(['x'])], { section: 'finally', occasion });
    const [key] = keysOf(closing('1'));
    await store.ruleStates.commit(committing([closing('1')]));
    await part(store, key, elements('a', 'b'));
    await settle(store, 'part a', { state: 'sent' });
    const back = { rule: 'live', of: { queue: closing('1').queue }, section: 'finally', message: 'ada is back' } as const;

    await store.ruleStates.commit(committing([closing('2')], { slotMs: SLOT_MS + 1, withdrawals: [back] }));
    await part(store, key, elements('a', 'b', 'c'));

    expect(await dueInOrder(store, 'x')).toEqual(['part b', 'part c']);
  });

  test('a withdrawal does not stop a begun thread', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x'])]);
    await store.ruleStates.commit(committing([fired]));
    const [post] = keysOf(fired);
    await store.deliveries.change(await find(store, post), { state: 'sending', params: {} }, { parts: tails(post, '2') });

    const withdrawal = { rule: 'live', of: { episode: 'ada@1' }, section: 'then', message: 'restarted' } as const;
    await store.ruleStates.commit(committing([], { slotMs: SLOT_MS + 1, withdrawals: [withdrawal] }));

    expect(await find(store, `${post} 2`)).toMatchObject({ state: 'pending' });
  });

  test('the last sent parameters of an element of `while` are those of the same element', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const poll = (occasion: string) => firing([setting(['discord'])], { section: 'while', occasion });
    const [first, second] = [poll('1'), poll('2')];
    await store.ruleStates.commit(committing([first, second]));
    await part(store, keysOf(first)[0], elements('a', 'b'));
    for (const key of ['a', 'b']) await settle(store, `part ${key}`, { state: 'sent' }, { params: { content: key } });

    const again = elements('a', 'c').map((one) => ({ ...one, id: `${one.id} again` }));
    await part(store, keysOf(second)[0], again);

    expect((await store.deliveries.lastSent(await find(store, 'part a again')))?.params).toEqual({ content: 'a' });
    expect(await store.deliveries.lastSent(await find(store, 'part c again'))).toBeUndefined();
  });
}

/** The promise of a store on disk that a change and its parts are written together. */
export function atomicPartsContract(open: OpenDeliveries): void {
  test('if parts cannot be written, the change of their delivery is not written either', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x'])]);
    await store.ruleStates.commit(committing([fired]));
    const [key] = keysOf(fired);
    const unwritable = 1n as never;

    const change = part(store, key, [...elements('a'), { id: 'part b', element: { key: 'b', it: unwritable, index: 1 } }]);

    await expect(change).rejects.toThrow(/BigInt/);
    expect(await find(store, key)).toMatchObject({ state: 'pending' });
    expect(await store.deliveries.find('part a')).toBeUndefined();
  });
}

/** Parts a delivery as the delivery engine does. */
async function part(store: StoredDeliveries, id: string | undefined, parts: readonly Part[]): Promise<void> {
  await store.deliveries.change(await find(store, id), SKIPPED, { parts });
}

/** The ids of the due deliveries, in order, if each one is sent at once. */
async function dueInOrder(store: StoredDeliveries, account: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for (;;) {
    const [next] = await store.deliveries.due(account, { nowMs: SLOT_MS, limit: 1 });
    if (!next) return keys;
    keys.push(next.id);
    await store.deliveries.change(await begin(store, next.id), { state: 'sent' });
  }
}
