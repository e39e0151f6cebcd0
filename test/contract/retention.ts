import { beforeAll, describe, expect, test } from 'vitest';
import { loadLateModules } from '#src/errors.ts';
import { NEW_STATE } from '#src/rules/episode.ts';
import { episodeRead } from '#src/rules/expression/reads.ts';
import type { Store } from '#src/store/store.ts';
import { committing, creating, episodeOf, firing, keysOf, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { find, settle } from './delivery-steps.ts';
import type { OpenStore } from './store.ts';

const DAY_MS = 86_400_000;
const DECISION = { rule: 'live', atMs: SLOT_MS, outcome: 'fired', message: 'ada went live' } as const;

/** Old rows are deleted before a commit. */
async function pruneAt(store: Store, clock: ManualClock, atMs: number): Promise<void> {
  clock.set(atMs);
  await store.ruleStates.commit(committing([], { rule: 'other', slotMs: atMs }));
}

export function retentionContract(open: OpenStore): void {
  beforeAll(loadLateModules);

  test('an unknown delivery stays with its firing at any age, until a person resolves it', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const [unknown, sent] = [firing([creating(['x'])]), firing([creating(['x'])], { occasion: '2' })];
    await store.ruleStates.commit(committing([unknown, sent]));
    const [key = ''] = keysOf(unknown);
    await settle(store, key, { state: 'unknown' });
    await settle(store, keysOf(sent)[0], { state: 'sent' });

    await pruneAt(store, clock, SLOT_MS + 91 * DAY_MS);
    expect((await store.deliveryLog.list()).items.map(({ id }) => id)).toEqual([key]);
    expect((await store.deliveries.prepare(await find(store, key))).due.scope).toEqual(unknown.scope);

    await store.deliveries.change(await find(store, key), { state: 'failed' });
    await pruneAt(store, clock, SLOT_MS + 92 * DAY_MS);
    expect((await store.deliveryLog.list()).items).toEqual([]);
  });

  describe('the result of a look-up, which may be a list of private posts', () => {
    const reading = { do: 'social.getMentions', id: 'found', creates: false };
    const sending = creating(['x'], { reads: ['found'] });
    const result = { items: [{ text: 'only for followers' }] };
    const resultAt = async (store: Store, clock: ManualClock, key: string | undefined, day: number): Promise<unknown> => {
      await pruneAt(store, clock, SLOT_MS + day * DAY_MS);
      return (await find(store, key)).result;
    };

    test('is stored for eight days, and the results of writes with their deliveries', async () => {
      const clock = new ManualClock(SLOT_MS);
      await using store = await open(clock);
      const fired = firing([creating(['x'], reading), sending]);
      const [lookUp, post] = keysOf(fired);
      await store.ruleStates.commit(committing([fired]));
      await settle(store, lookUp, { state: 'sent', result });
      await settle(store, post, { state: 'sent', result: { id: '7' } });

      expect(await resultAt(store, clock, lookUp, 7)).toEqual(result);
      expect(await resultAt(store, clock, lookUp, 9)).toBeUndefined();
      expect(await find(store, lookUp)).toMatchObject({ state: 'sent' });
      expect(await resultAt(store, clock, post, 9)).toEqual({ id: '7' });
    });

    test('stays while a step waits for it, and as long as its episode is remembered', async () => {
      const clock = new ManualClock(SLOT_MS);
      await using store = await open(clock);
      const waits = firing([creating(['x'], reading), sending], { episode: 'grace@1' });
      const remembered = firing([creating(['x'], reading)]);
      const change = { memory: NEW_STATE.memory, put: [episodeOf('ada@1')], drop: [] };
      await store.ruleStates.commit(committing([waits, remembered], { change }));
      const keys = [keysOf(waits)[0], keysOf(remembered)[0]];
      for (const key of keys) await settle(store, key, { state: 'sent', result });

      for (const key of keys) expect(await resultAt(store, clock, key, 20)).toEqual(result);

      await settle(store, keysOf(waits)[1], { state: 'sent' });
      clock.set(SLOT_MS + 21 * DAY_MS);
      await store.ruleStates.commit(committing([], { slotMs: SLOT_MS + 21 * DAY_MS, change: { ...change, put: [], drop: ['ada@1'] } }));
      for (const key of keys) expect(await resultAt(store, clock, key, 22)).toBeUndefined();
    });

    test('stays while a step of finally waits for it, although the episode is forgotten', async () => {
      const clock = new ManualClock(SLOT_MS);
      await using store = await open(clock);
      const [began, atMs] = [firing([creating(['x'], reading)]), SLOT_MS + 20 * DAY_MS];
      const ended = firing([creating(['x'], { reads: [episodeRead('found')] })], { section: 'finally', atMs });
      const [lookUp] = keysOf(began);
      const change = { memory: NEW_STATE.memory, put: [episodeOf('ada@1')], drop: [] };
      await store.ruleStates.commit(committing([began], { change }));
      await settle(store, lookUp, { state: 'sent', result });
      clock.set(atMs);
      await store.ruleStates.commit(committing([ended], { slotMs: atMs, change: { ...change, put: [], drop: ['ada@1'] } }));

      expect(await resultAt(store, clock, lookUp, 21)).toEqual(result);

      await settle(store, keysOf(ended)[0], { state: 'sent' });
      expect(await resultAt(store, clock, lookUp, 22)).toBeUndefined();
    });

    test('stays while a step that failed after a wait can be sent again', async () => {
      const clock = new ManualClock(SLOT_MS);
      await using store = await open(clock);
      const fired = firing([creating(['x'], reading), creating(['x'], { reads: ['found'], afterMs: 10 * DAY_MS })]);
      const [lookUp, post] = keysOf(fired);
      await store.ruleStates.commit(committing([fired]));
      await settle(store, lookUp, { state: 'sent', result });
      clock.set(SLOT_MS + 10 * DAY_MS);
      await settle(store, post, { state: 'failed' });

      expect(await resultAt(store, clock, lookUp, 16)).toEqual(result);
      expect(await resultAt(store, clock, lookUp, 18)).toBeUndefined();
    });
  });

  test('a conversation is deleted 90 days after its last use, even if no other one begins', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const message = { id: 'q', role: 'user', text: 'a private question', createdAt: new Date(SLOT_MS) } as const;
    await store.transcripts.append('c', message, { by: 'ada' });
    await store.conversationPoints.keepLocation('here', { conversation: 'c', messageId: 'q' }, SLOT_MS);

    await pruneAt(store, clock, SLOT_MS + 89 * DAY_MS);
    expect(await store.transcripts.read('c')).toHaveLength(1);
    await pruneAt(store, clock, SLOT_MS + 91 * DAY_MS);

    expect(await store.transcripts.read('c')).toEqual([]);
    expect(await store.conversationPoints.findLocation('here')).toBeUndefined();
  });

  test.for([
    ['failed', 'for a week', 7, true],
    ['failed', 'no longer after eight days', 8, false],
    ['sent', 'no longer after a day', 1, false],
  ] as const)('the content of a firing whose delivery is %s is stored %s', async ([state, , days, isStored]) => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const fired = firing([creating(['x'])]);
    await store.ruleStates.commit(committing([fired]));
    await settle(store, keysOf(fired)[0], { state });

    await pruneAt(store, clock, SLOT_MS + days * DAY_MS);

    expect((await store.deliveries.load(keysOf(fired))).length).toBe(1);
    const prepared = store.deliveries.prepare(await find(store, keysOf(fired)[0]));
    expect(await prepared.then(({ due }) => due.scope).catch(() => undefined)).toEqual(isStored ? fired.scope : undefined);
  });

  /** A deleted rule with more episodes than one statement deletes, a decision, a pause and a delivery in this state. */
  async function openRetired(clock: ManualClock, state: 'sent' | 'unknown' = 'sent') {
    const store = await open(clock);
    const put = Array.from({ length: 250 }, (_, n) => episodeOf(`ada ${n}@1`));
    const fired = firing([creating(['x'])], { episode: 'ada 0@1' });
    const change = { memory: NEW_STATE.memory, put, drop: [] };
    await store.ruleStates.commit(committing([fired], { change, decisions: [DECISION] }));
    await settle(store, keysOf(fired)[0], { state });
    await store.ruleStates.changePauses(['live'], { pause: { by: 'ada' } });
    await store.ruleStates.retire('live');
    return store;
  }

  /** The number of episodes, decisions, pauses and deliveries, and whether there is a state. */
  async function storedOf(store: Store): Promise<readonly unknown[]> {
    const [state, slots] = [await store.ruleStates.load('live'), await store.ruleStates.lastSlots()];
    return [
      state.episodes.size,
      (await store.decisions.counts(['live'])).map(({ count }) => count),
      (await store.ruleStates.paused()).size,
      (await store.deliveryLog.list({ rule: 'live' })).items.length,
      slots.has('live'),
    ];
  }

  const COMPLETE = [250, [1], 1, 1, true];

  test('what is stored of a deleted rule is deleted 90 days later, and its deliveries with it', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await openRetired(clock);

    await pruneAt(store, clock, SLOT_MS + 90 * DAY_MS);
    const before = await storedOf(store);
    await pruneAt(store, clock, SLOT_MS + 91 * DAY_MS);

    expect(before).toEqual(COMPLETE);
    expect(await storedOf(store)).toEqual([0, [], 0, 0, false]);
  });

  test('a deleted rule with an unknown delivery stays until a person resolves it', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await openRetired(clock, 'unknown');

    await pruneAt(store, clock, SLOT_MS + 91 * DAY_MS);
    const before = await storedOf(store);
    const [unknown] = (await store.deliveryLog.list({ rule: 'live' })).items;
    await store.deliveries.change(await find(store, unknown?.id), { state: 'sent' });
    await pruneAt(store, clock, SLOT_MS + 92 * DAY_MS);

    expect(before).toEqual(COMPLETE);
    expect(await storedOf(store)).toEqual([0, [], 0, 0, false]);
  });

  test('what is old by a clock that went years ahead stays for an hour, and when the clock is right again', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const sent = firing([creating(['x'])]);
    await store.ruleStates.commit(committing([sent]));
    await settle(store, keysOf(sent)[0], { state: 'sent' });
    const storedAt = async (atMs: number): Promise<number> => {
      await pruneAt(store, clock, atMs);
      return (await store.deliveryLog.list()).items.length;
    };
    const [aheadMs, hourMs] = [SLOT_MS + 1_000 * DAY_MS, DAY_MS / 24];

    expect([await storedAt(aheadMs), await storedAt(aheadMs + hourMs - 1), await storedAt(SLOT_MS + hourMs)]).toEqual([1, 1, 1]);
    expect([await storedAt(aheadMs), await storedAt(aheadMs + hourMs)]).toEqual([1, 0]);
  });

  test('a deleted rule that returned stays, even if it does not run or is off for months', async () => {
    for (const returned of ['reinstate', 'keep'] as const) {
      const clock = new ManualClock(SLOT_MS);
      await using store = await openRetired(clock);
      await store.ruleStates[returned](['live']);

      await pruneAt(store, clock, SLOT_MS + 91 * DAY_MS);

      expect(await storedOf(store), returned).toEqual(COMPLETE);
    }
  });

  test('the state of a rule that was renamed after its deletion stays under the new id', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await openRetired(clock);
    await store.ruleStates.rename({ from: 'live', to: 'new' });
    await store.ruleStates.reinstate(['new']);

    await pruneAt(store, clock, SLOT_MS + 91 * DAY_MS);

    expect((await store.ruleStates.load('new')).episodes.size).toBe(250);
  });
}
