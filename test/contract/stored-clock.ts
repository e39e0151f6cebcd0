import { expect, test } from 'vitest';
import type { Episode, RuleMemory } from '#src/rules/episode.ts';
import { committing, creating, episodeOf, firing, keysOf, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { begin, find, settle } from './delivery-steps.ts';
import type { OpenStore } from './store.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** The slots of the clock that is ahead. */
const AHEAD_MS = SLOT_MS + 2 * HOUR_MS;

const memory: RuleMemory = {
  firings: 3,
  firedMs: { ada: AHEAD_MS - MINUTE_MS, grace: SLOT_MS - HOUR_MS },
  ruleFiredMs: AHEAD_MS,
  fusedMs: [SLOT_MS - HOUR_MS, AHEAD_MS],
  lastPollMs: AHEAD_MS,
  quietEndMs: AHEAD_MS + 9 * HOUR_MS,
  deferredSlot: { atMs: AHEAD_MS },
};

/** A store after a run with a clock that was two hours ahead. */
export function storedClockContract(open: OpenStore): void {
  test('a rule continues from now, and its stored instants in the future become now', async () => {
    const clock = new ManualClock(AHEAD_MS);
    await using store = await open(clock);
    const pending: Episode = {
      ...episodeOf('ada@1'),
      phase: 'pending',
      firstSeenMs: AHEAD_MS,
      startedMs: SLOT_MS - HOUR_MS,
      lastSeenMs: AHEAD_MS,
      missingSinceMs: AHEAD_MS,
      countedMs: AHEAD_MS,
      baselines: { game: { announced: 'Chess', next: 'Go', sinceMs: AHEAD_MS } },
      peaks: { viewers: { atMs: AHEAD_MS, item: { id: 'ada' } } },
      spans: [
        { value: 'Go', fromMs: SLOT_MS - HOUR_MS, toMs: AHEAD_MS - MINUTE_MS },
        { value: 'Chess', fromMs: AHEAD_MS - MINUTE_MS },
      ],
      nextSpan: { value: 'Go', sinceMs: AHEAD_MS },
    };
    const change = { memory, put: [pending], drop: [] };
    await store.ruleStates.commit(committing([], { slotMs: AHEAD_MS, change, wakeMs: AHEAD_MS + 9 * HOUR_MS }));
    await store.ruleStates.commit(committing([], { rule: 'other', slotMs: SLOT_MS - MINUTE_MS, change: { memory, put: [], drop: [] } }));
    clock.set(SLOT_MS);

    expect(await store.storedClock.continueFromNow()).toBe(2 * HOUR_MS);

    expect(await store.ruleStates.lastSlots()).toEqual(
      new Map([
        ['live', { slotMs: SLOT_MS, wakeMs: SLOT_MS + 1 }],
        ['other', { slotMs: SLOT_MS - MINUTE_MS, wakeMs: undefined }],
      ]),
    );
    const state = await store.ruleStates.load('live');
    expect(state.memory).toEqual({
      firings: 3,
      firedMs: { ada: SLOT_MS, grace: SLOT_MS - HOUR_MS },
      ruleFiredMs: SLOT_MS,
      fusedMs: [SLOT_MS - HOUR_MS, SLOT_MS],
      lastPollMs: SLOT_MS,
      quietEndMs: SLOT_MS,
      deferredSlot: { atMs: SLOT_MS },
      clockSetBack: { atMs: SLOT_MS, byMs: 2 * HOUR_MS },
    });
    expect(state.episodes.get(pending.id)).toEqual({
      ...pending,
      firstSeenMs: SLOT_MS,
      lastSeenMs: SLOT_MS,
      missingSinceMs: SLOT_MS,
      countedMs: SLOT_MS,
      baselines: { game: { announced: 'Chess', next: 'Go', sinceMs: SLOT_MS } },
      peaks: { viewers: { atMs: SLOT_MS, item: { id: 'ada' } } },
      spans: [
        { value: 'Go', fromMs: SLOT_MS - HOUR_MS, toMs: SLOT_MS },
        { value: 'Chess', fromMs: SLOT_MS },
      ],
      nextSpan: { value: 'Go', sinceMs: SLOT_MS },
    });
    expect(await store.storedClock.aheadMs()).toBe(0);
    expect(await store.ruleStates.commit(committing([], { slotMs: SLOT_MS + 5_000 }))).toBe(true);
    expect(await store.storedClock.lastSetBack()).toEqual({ atMs: SLOT_MS, byMs: 2 * HOUR_MS });
  });

  test('a slot at which a rule fired before is not committed again, and the next slot is', async () => {
    const clock = new ManualClock(AHEAD_MS);
    await using store = await open(clock);
    const at = (slotMs: number) => {
      const now = new Date(slotMs).toISOString();
      return committing([firing([creating(['x'])], { episode: now, occasion: now, atMs: slotMs })], { slotMs });
    };
    await store.ruleStates.commit(at(AHEAD_MS));
    clock.set(SLOT_MS);
    await store.storedClock.continueFromNow();

    const written = [await store.ruleStates.commit(at(AHEAD_MS)), await store.ruleStates.commit(at(AHEAD_MS + MINUTE_MS))];

    expect(written).toEqual([false, true]);
    expect((await store.deliveryLog.list()).items).toHaveLength(2);
  });

  test('a delivery waits from now as long as it would have waited', async () => {
    const clock = new ManualClock(SLOT_MS - HOUR_MS);
    await using store = await open(clock);
    const early = firing([creating(['x'])], { episode: 'early', atMs: SLOT_MS - HOUR_MS });
    await store.ruleStates.commit(committing([early], { slotMs: SLOT_MS - HOUR_MS }));
    clock.set(AHEAD_MS);
    const late = firing([creating(['x'], { afterMs: 10 * MINUTE_MS, maxAgeMs: MINUTE_MS }), creating(['mastodon'])], { atMs: AHEAD_MS });
    await store.ruleStates.commit(committing([late], { slotMs: AHEAD_MS }));
    const [waiting, retried] = keysOf(late);
    const begun = { since: new Date(AHEAD_MS), attemptedAt: new Date(AHEAD_MS), giveUpAt: new Date(AHEAD_MS + HOUR_MS) };
    await begin(store, retried);
    await settle(store, retried, { state: 'pending', ...begun, dueAt: new Date(AHEAD_MS + MINUTE_MS) });
    clock.set(SLOT_MS);

    await store.storedClock.continueFromNow();

    expect(await find(store, waiting)).toMatchObject({
      createdAt: new Date(SLOT_MS),
      dueAt: new Date(SLOT_MS + 10 * MINUTE_MS),
      expiresAt: new Date(SLOT_MS + 11 * MINUTE_MS),
    });
    expect(await find(store, retried)).toMatchObject({
      // Its record is searched from before it can have been made.
      since: new Date(SLOT_MS - HOUR_MS),
      attemptedAt: new Date(SLOT_MS),
      dueAt: new Date(SLOT_MS + MINUTE_MS),
      giveUpAt: new Date(SLOT_MS + HOUR_MS),
    });
    expect(await find(store, keysOf(early)[0])).toMatchObject({
      createdAt: new Date(SLOT_MS - HOUR_MS),
      dueAt: new Date(SLOT_MS - HOUR_MS),
    });
  });

  test('a post that a person scheduled keeps its time', async () => {
    const clock = new ManualClock(AHEAD_MS);
    await using store = await open(clock);
    const eveningMs = AHEAD_MS + HOUR_MS;
    const scheduled = firing([creating(['x'])], { atMs: eveningMs });
    await store.ruleStates.commit(committing([scheduled], { slotMs: AHEAD_MS }));
    clock.set(SLOT_MS);

    await store.storedClock.continueFromNow();

    expect(await find(store, keysOf(scheduled)[0])).toMatchObject({ createdAt: new Date(SLOT_MS), dueAt: new Date(eveningMs) });
  });

  test('spending of future months counts in this month, in which the platform bills it', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const { spentSums: sums } = store;
    await sums.add({ account: 'x', month: '2026-10', microUsd: 1 });
    await sums.add({ account: 'x', month: '2026-11', microUsd: 20 });
    await sums.add({ account: 'x', month: '2027-01', microUsd: 300 });
    await sums.add({ account: 'x-news', month: '2027-01', microUsd: 4_000 });

    await store.storedClock.continueFromNow();

    const months = ['2026-10', '2026-11', '2027-01'];
    expect(await Promise.all(months.map((month) => sums.sum('x', month)))).toEqual([1, 320, 0]);
    expect(await Promise.all(months.map((month) => sums.sum('x-news', month)))).toEqual([0, 4_000, 0]);
  });

  test('users who are watched since a future instant are watched since now', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    await store.watchListOf('x').add({ id: '7', since: new Date(AHEAD_MS) });

    expect(await store.storedClock.continueFromNow()).toBe(0);

    expect(await store.watchListOf('x').all()).toEqual([{ id: '7', since: new Date(SLOT_MS) }]);
    expect(await store.storedClock.lastSetBack()).toBeUndefined();
  });
}
