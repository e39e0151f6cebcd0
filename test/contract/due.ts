import { expect, test } from 'vitest';
import { committing, creating, firing, keysOf, setting, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { begin, find, settle, type OpenDeliveries, type StoredDeliveries } from './delivery-steps.ts';

const NOW_MS = SLOT_MS + 60_000;
const LATER = new Date(NOW_MS + 60_000);

/** The order of deliveries, for every store. */
export function dueDeliveriesContract(open: OpenDeliveries): void {
  test('deliveries without needs are due in the order of the commits, separately for each account', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const ada = firing([creating(['x', 'mastodon'])]);
    const grace = firing([creating(['x'])], { episode: 'grace@1' });

    await store.ruleStates.commit(committing([ada, grace]));

    expect(await due(store, 'x')).toEqual([keysOf(ada)[0], keysOf(grace)[0]]);
    expect(await due(store, 'mastodon')).toEqual([keysOf(ada)[1]]);
    expect(new Set(await store.deliveries.accounts())).toEqual(new Set(['x', 'mastodon']));
  });

  test('a delivery that waits for its retry delays its own queue and no other', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const first = firing([creating(['x'])]);
    const second = firing([creating(['x'])], { occasion: '2' });
    const other = firing([creating(['x'])], { episode: 'grace@1' });
    await store.ruleStates.commit(committing([first, second, other]));

    await store.deliveries.change(await begin(store, keysOf(first)[0]), { state: 'pending', dueAt: LATER });

    expect(await due(store, 'x')).toEqual(keysOf(other));
    expect(await store.deliveries.nextDueMs('x', NOW_MS)).toBe(LATER.getTime());
  });

  test('a delivery is behind if an earlier delivery of its queue and account is open', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const first = firing([creating(['x', 'mastodon'])]);
    const second = firing([creating(['x', 'mastodon'])], { occasion: '2' });
    const other = firing([creating(['x'])], { episode: 'grace@1' });
    await store.ruleStates.commit(committing([first, second, other]));

    await settle(store, keysOf(first)[1], { state: 'sent' });

    expect(await store.deliveries.behind([first, second, other].flatMap(keysOf))).toEqual(new Set([keysOf(second)[0]]));
  });

  test.for(['sent', 'failed', 'unknown', 'skipped'] as const)(
    'the next delivery of a queue is due if the one before it is %s',
    async (state) => {
      await using store = await open(new ManualClock(SLOT_MS));
      const first = firing([creating(['x'])]);
      const second = firing([creating(['x'])], { occasion: '2' });
      await store.ruleStates.commit(committing([first, second]));

      await settle(store, keysOf(first)[0], { state });

      expect(await due(store, 'x')).toEqual(keysOf(second));
    },
  );

  test('the steps of a firing are sent one after another by one account, and in parallel by several accounts', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x'], { id: 'a' }), creating(['x'], { id: 'b' }), creating(['mastodon'])]);

    await store.ruleStates.commit(committing([fired]));

    expect(await due(store, 'x')).toEqual([keysOf(fired)[0]]);
    expect(await due(store, 'mastodon')).toEqual([keysOf(fired)[2]]);
  });

  test.for(['sent', 'failed', 'skipped'] as const)('a step that reads a result waits until it is %s', async (state) => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x'], { id: 'post' }), creating(['discord'], { reads: ['post'] })]);
    await store.ruleStates.commit(committing([fired]));
    const [post, send] = keysOf(fired);

    const before = await due(store, 'discord');
    await settle(store, post, { state });

    expect(before).toEqual([]);
    expect(await due(store, 'discord')).toEqual([send]);
  });

  test('a step waits for the results that it reads, and not for other accounts', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const post = creating(['x', 'mastodon'], { id: 'post' });
    const steps = [post, creating(['discord'], { reads: ['post'] }), creating(['mastodon'], { reads: ['post.own'] })];
    const fired = firing(steps);
    await store.ruleStates.commit(committing([fired]));
    const [onX, onMastodon, notify, reply] = keysOf(fired);

    await settle(store, onX, { state: 'sent' });
    const found = await due(store, 'discord');
    await settle(store, onMastodon, { state: 'sent' });

    expect(found).toEqual([notify]);
    expect(await due(store, 'mastodon')).toEqual([reply]);
  });

  test('a step that reads an unknown result waits for the operator with its dependents, and delays no other delivery', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([
      creating(['x'], { id: 'post' }),
      creating(['discord'], { id: 'message', reads: ['post'] }),
      creating(['discord'], { id: 'reply', reads: ['message'] }),
    ]);
    const next = firing([creating(['discord'])], { occasion: '2' });
    await store.ruleStates.commit(committing([fired, next]));
    const [post, message] = keysOf(fired);

    await settle(store, post, { state: 'unknown' });
    const waiting = await due(store, 'discord');
    await settle(store, keysOf(next)[0], { state: 'sent' });
    await store.deliveries.change(await find(store, post), { state: 'sent' });

    expect(waiting).toEqual(keysOf(next));
    expect(await due(store, 'discord')).toEqual([message]);
  });

  test('a step does not wait for a later step of its list', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x'], { reads: ['post'] }), creating(['x'], { id: 'post' })]);

    await store.ruleStates.commit(committing([fired]));

    expect(await due(store, 'x')).toEqual([keysOf(fired)[0]]);
  });

  test.for(['while', 'finally'] as const)('`%s` waits for the open deliveries of its account in the firing before it', async (section) => {
    await using store = await open(new ManualClock(SLOT_MS));
    const opening = firing([creating(['discord'], { id: 'card' }), creating(['x'])]);
    const later = firing([setting(['discord'], { reads: ['card'] })], { section, sees: [opening.id], queue: 'another' });
    await store.ruleStates.commit(committing([opening, later]));
    const [card, post] = keysOf(opening);

    const before = await due(store, 'discord');
    await begin(store, post);
    await settle(store, card, { state: 'sent', result: { id: '1' } });

    expect(before).toEqual([card]);
    expect(await due(store, 'discord')).toEqual(keysOf(later));
    const { results } = await store.deliveries.prepare(await find(store, keysOf(later)[0]));
    expect(results).toEqual({ card: [{ account: 'discord', result: { id: '1' } }] });
  });

  test('begun deliveries are due first in their account', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const first = firing([creating(['x'])]);
    const second = firing([creating(['x'])], { episode: 'grace@1' });
    await store.ruleStates.commit(committing([first, second]));

    await begin(store, keysOf(second)[0]);

    expect(await due(store, 'x')).toEqual([...keysOf(second), ...keysOf(first)]);
    expect((await store.deliveries.begun('x')).map(({ id }) => id)).toEqual(keysOf(second));
  });

  test('an expired delivery is due at once, even before earlier ones; a delivery without an expiry never expires', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const maxAgeMs = NOW_MS - SLOT_MS - 1;
    const fired = firing([creating(['x'], { afterMs: 1 }), creating(['x'], { maxAgeMs }), setting(['x'])]);
    await store.ruleStates.commit(committing([fired]));
    const [first, second] = keysOf(fired);
    await store.deliveries.change(await find(store, first), { state: 'pending', dueAt: new Date(NOW_MS + 1) });

    expect(await due(store, 'x')).toEqual([second]);
  });

  test.each(['pending', 'asked', 'unknown'] as const)('a delivery does not expire while the result that it reads is %s', async (state) => {
    await using store = await open(new ManualClock(SLOT_MS));
    const maxAgeMs = NOW_MS - SLOT_MS - 1;
    const fired = firing([creating(['y'], { id: 'post' }), creating(['x'], { reads: ['post'], maxAgeMs })]);
    await store.ruleStates.commit(committing([fired]));
    const [post, reply] = keysOf(fired);
    if (state !== 'pending') await settle(store, post, { state });

    expect(await due(store, 'x')).toEqual([]);

    const settledAt = new Date(NOW_MS + 60_000);
    await store.deliveries.change(await find(store, post), { state: 'skipped', settledAt });
    const needs = await store.deliveries.needs([String(reply)]);

    expect(needs).toMatchObject([{ needed: post, settledMs: settledAt.getTime() }]);
    expect(await due(store, 'x')).toEqual([reply]);
  });

  test('a delayed step is due at the end of its delay, and until then delays the later firings of its queue', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const first = firing([creating(['x'], { id: 'a', afterMs: 120_000 }), creating(['x'], { id: 'b' })]);
    const second = firing([creating(['x'])], { occasion: '2' });
    const other = firing([creating(['x'])], { episode: 'grace@1' });
    await store.ruleStates.commit(committing([first, second, other]));

    expect(await due(store, 'x')).toEqual([...keysOf(first).slice(1), ...keysOf(other)]);
  });

  test('a delayed step of `finally` is due at the end of its delay, and delays no other delivery', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const waiting = [creating(['x'], { id: 'a', afterMs: 120_000 }), creating(['x'], { id: 'b', afterMs: 120_000 })];
    const first = firing(waiting, { section: 'finally' });
    const second = firing([creating(['x'])], { occasion: '2' });
    await store.ruleStates.commit(committing([first]));
    await store.ruleStates.commit(committing([second], { slotMs: SLOT_MS + 1 }));

    expect(await due(store, 'x')).toEqual(keysOf(second));
    expect(await store.deliveries.nextDueMs('x', NOW_MS)).toBe(SLOT_MS + 120_000);
    expect(await due(store, 'x', SLOT_MS + 120_000)).toEqual(keysOf(first).slice(0, 1));
  });

  test('deliveries stay in the order of the commits if the clock of a later commit is earlier', async () => {
    const clock = new ManualClock(SLOT_MS + 120_000);
    await using store = await open(clock);
    const end = firing([creating(['x'])], { section: 'finally' });
    const start = firing([creating(['x'])], { occasion: '2', atMs: SLOT_MS + 1 });
    await store.ruleStates.commit(committing([end]));
    clock.set(SLOT_MS + 30_000);
    await store.ruleStates.commit(committing([start], { slotMs: SLOT_MS + 1 }));

    expect(await due(store, 'x')).toEqual([]);
    expect(await due(store, 'x', SLOT_MS + 120_000)).toEqual(keysOf(end));
  });

  test('a delayed delivery that waits for its retry delays its queue', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const first = firing([creating(['x'], { afterMs: 30_000 })]);
    const second = firing([creating(['x'])], { occasion: '2' });
    await store.ruleStates.commit(committing([first, second]));

    await store.deliveries.change(await begin(store, keysOf(first)[0]), { state: 'pending', dueAt: LATER });

    expect(await due(store, 'x')).toEqual([]);
  });

  test('a question delays only the steps that read its answer, and is due at its deadline', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const ask = creating(['discord'], { id: 'verdict', do: 'discord.ask' });
    const fired = firing([ask, creating(['discord'], { id: 'post', reads: ['verdict'] }), creating(['discord'], { id: 'note' })]);
    const closing = firing([setting(['discord'], { reads: ['post'] })], { section: 'finally', sees: [fired.id], queue: 'another' });
    await store.ruleStates.commit(committing([fired, closing]));
    const [verdict, post, note] = keysOf(fired);

    await settle(store, verdict, { state: 'asked', dueAt: LATER });
    const whileAsked = await due(store, 'discord');
    await settle(store, note, { state: 'sent' });

    expect(whileAsked).toEqual([note]);
    expect(await due(store, 'discord')).toEqual([]);
    expect(await due(store, 'discord', LATER.getTime())).toEqual([verdict]);
    await store.deliveries.change(await find(store, verdict), { state: 'sent', result: { choice: 'send' } });
    expect(await due(store, 'discord')).toEqual([post]);
  });

  test('a step after `onError: stop` waits for all targets of the stopping step', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x', 'mastodon'], { id: 'post', onError: 'stop' }), creating(['discord'])]);
    await store.ruleStates.commit(committing([fired]));
    const [onX, onMastodon, notify] = keysOf(fired);

    await settle(store, onX, { state: 'sent' });
    const before = await due(store, 'discord');
    await settle(store, onMastodon, { state: 'unknown' });

    expect(before).toEqual([]);
    expect(await due(store, 'discord')).toEqual([notify]);
  });

  test('`finally` does not wait for deliveries that wait for the operator', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const opening = firing([creating(['x'], { id: 'post' }), creating(['discord'], { reads: ['post'] })]);
    const closing = firing([setting(['discord'])], { section: 'finally', sees: [opening.id], queue: 'another' });
    await store.ruleStates.commit(committing([opening, closing]));

    await settle(store, keysOf(opening)[0], { state: 'unknown' });

    expect(await due(store, 'discord')).toEqual(keysOf(closing));
  });
}

async function due(store: StoredDeliveries, account: string, nowMs = NOW_MS): Promise<readonly string[]> {
  return (await store.deliveries.due(account, { nowMs, limit: 100 })).map(({ id }) => id);
}
