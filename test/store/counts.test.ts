import { expect, test } from 'vitest';
import type { Decision } from '#src/rules/decision.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { find, settle } from '../contract/delivery-steps.ts';
import { committing, creating, firing, keysOf, setting, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';

const DAY_MS = 86_400_000;
const OUTCOMES = ['fired', 'unchanged', 'failed'] as const;

/** The counts of deliveries and decisions, and the same from the lists. */
async function countsOf(store: Store) {
  const deliveries = Map.groupBy((await store.deliveryLog.list({ limit: 1_000 })).items, ({ state }) => state);
  const decisions = Map.groupBy((await store.decisions.list({ limit: 1_000 })).items, ({ outcome }) => outcome);
  return {
    counted: [
      new Map((await store.deliveryLog.counts()).map(({ state, count }) => [state, count])),
      new Map((await store.decisions.counts(['live'])).map(({ outcome, count }) => [outcome, count])),
    ],
    listed: [deliveries, decisions].map((groups) => new Map([...groups].map(([key, all]) => [key, all.length]))),
  };
}

test('the counts equal the lists while deliveries are sent, withdrawn, resolved and pruned', async () => {
  const clock = new ManualClock(SLOT_MS);
  await using store = await openStore({ clock });
  const commit = (firings: ReturnType<typeof firing>[], more = {}) =>
    store.ruleStates.commit(committing(firings, { slotMs: clock.nowMs(), ...more }));

  for (let slot = 0; slot < 60; slot++) {
    clock.set(SLOT_MS + slot * 60_000);
    const outcome = OUTCOMES[slot % 7 === 0 ? 1 : slot % 3] ?? 'fired';
    const decision: Decision = { rule: 'live', atMs: clock.nowMs(), outcome, message: 'x' };
    const post = firing([creating(['x', 'mastodon', 'discord', 'bluesky'])], { occasion: String(slot), atMs: clock.nowMs() });
    const edit = firing([setting(['discord'])], { section: 'while', occasion: String(slot), atMs: clock.nowMs() });
    await commit([post, edit], { decisions: [decision] });
    const [sent, failed, lost] = keysOf(post);
    await settle(store, sent, { state: 'sent', result: { id: `1/${slot}` } });
    await settle(store, failed, { state: 'failed', error: { fault: 'rejected', message: 'no' } });
    await settle(store, lost, { state: 'unknown', message: 'no answer' });
    if (slot % 2 === 0) await store.deliveries.change(await find(store, lost ?? ''), { state: 'sent' });
    await settle(store, keysOf(edit)[0], { state: 'sent' });
    const { counted, listed } = await countsOf(store);
    expect(counted).toEqual(listed);
  }
  await store.ruleStates.changePauses(['live'], { pause: { by: 'ada' } });
  const paused = await countsOf(store);
  clock.set(SLOT_MS + 100 * DAY_MS);
  await commit([], {
    decisions: Array.from({ length: 80 }, (): Decision => ({ rule: 'live', atMs: 0, outcome: 'unchanged', message: 'x' })),
  });
  const pruned = await countsOf(store);

  expect(paused.counted).toEqual(paused.listed);
  expect(paused.listed[0]?.size).toBe(4);
  expect(pruned.counted).toEqual(pruned.listed);
  // The firings of unknown deliveries stay.
  expect(pruned.counted).toEqual([
    new Map(['sent', 'failed', 'unknown', 'skipped'].map((state) => [state, 30])),
    new Map([
      ['fired', expect.any(Number)],
      ['unchanged', 50],
      ['failed', expect.any(Number)],
    ]),
  ]);
});
