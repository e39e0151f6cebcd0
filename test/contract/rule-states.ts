import { expect, test } from 'vitest';
import type { Episode, StateChange } from '#src/rules/episode.ts';
import { committing, creating, episodeOf, firing, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { OpenStore } from './store.ts';

const MINUTE_MS = 60_000;

/** What a store promises of the state of rules. */
export function keepsRuleStates(open: OpenStore): void {
  test('a rule that was never run has an empty state', async () => {
    await using store = await open(new ManualClock(SLOT_MS));

    const state = await store.ruleStates.load('live');

    expect(state).toEqual({ memory: { firings: 0, firedMs: {} }, episodes: new Map() });
  });

  test('what was committed is loaded as it was', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const change = changing({ put: [episodeOf('ada@1'), episodeOf('grace@1')], drop: [] });

    await store.ruleStates.commit(committing([], { change }));

    const state = await store.ruleStates.load('live');
    expect(state.memory).toEqual(change.memory);
    expect([...state.episodes.values()]).toEqual(change.put);
    expect(await store.ruleStates.lastSlots()).toEqual(new Map([['live', SLOT_MS]]));
  });

  test('a later commit changes and drops episodes and leaves those of other rules alone', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.ruleStates.commit(committing([], { change: changing({ put: [episodeOf('ada@1'), episodeOf('grace@1')], drop: [] }) }));
    await store.ruleStates.commit(committing([], { rule: 'other', change: changing({ put: [episodeOf('ada@1')], drop: [] }) }));

    const closed: Episode = { ...episodeOf('ada@1'), phase: 'closed', closes: 1 };
    await store.ruleStates.commit(committing([], { slotMs: SLOT_MS + MINUTE_MS, change: changing({ put: [closed], drop: ['grace@1'] }) }));

    expect([...(await store.ruleStates.load('live')).episodes.values()]).toEqual([closed]);
    expect([...(await store.ruleStates.load('other')).episodes.values()]).toEqual([episodeOf('ada@1')]);
  });

  test('a slot that says nothing about the list keeps the state', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const change = changing({ put: [episodeOf('ada@1')], drop: [] });
    await store.ruleStates.commit(committing([], { change }));

    const written = await store.ruleStates.commit(committing([], { slotMs: SLOT_MS + MINUTE_MS }));

    expect(written).toBe(true);
    expect((await store.ruleStates.load('live')).memory).toEqual(change.memory);
  });

  test.for([
    ['the same slot', 0],
    ['an earlier slot', -MINUTE_MS],
  ] as const)('%s is not committed a second time, and nothing of it is written', async ([, laterMs]) => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.ruleStates.commit(committing([]));

    const written = await store.ruleStates.commit(
      committing([firing([creating(['x'])])], {
        slotMs: SLOT_MS + laterMs,
        change: changing({ put: [episodeOf('ada@1')], drop: [] }),
        decisions: [{ rule: 'live', atMs: SLOT_MS, outcome: 'fired', reason: 'ada went live' }],
      }),
    );

    expect(written).toBe(false);
    expect((await store.ruleStates.load('live')).episodes.size).toBe(0);
    expect((await store.deliveryLog.list()).items).toEqual([]);
    expect((await store.decisions.list()).items).toEqual([]);
  });

  test('a commit that fails halfway leaves nothing behind', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const unwritable = { rule: 'live', atMs: Number.NaN, outcome: 'fired', reason: 'its instant is no number' } as const;

    const commit = store.ruleStates.commit(
      committing([firing([creating(['x'])])], { change: changing({ put: [episodeOf('ada@1')], drop: [] }), decisions: [unwritable] }),
    );

    await expect(commit).rejects.toThrow(/at_ms/);
    expect((await store.ruleStates.lastSlots()).size).toBe(0);
    expect((await store.ruleStates.load('live')).episodes.size).toBe(0);
    expect((await store.deliveryLog.list()).items).toEqual([]);
  });

  test('of commits at the same time that want one slot, one gets it', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const commits = Array.from({ length: 8 }, (_, n) => committing([firing([creating(['x'])], { occasion: String(n) })]));

    const written = await Promise.all(commits.map((commit) => store.ruleStates.commit(commit)));

    expect(written.filter(Boolean)).toHaveLength(1);
    expect((await store.deliveryLog.list()).items).toHaveLength(1);
  });
}

function changing(episodes: Pick<StateChange, 'put' | 'drop'>): StateChange {
  return { memory: { firings: 3, firedMs: { ada: SLOT_MS }, lastPollMs: SLOT_MS, fingerprint: 'f' }, ...episodes };
}
