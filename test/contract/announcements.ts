import { expect, test } from 'vitest';
import { committing, creating, firing, keysOf, setting, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { settle } from './delivery-steps.ts';
import type { OpenStore } from './store.ts';

/** The contract of the numbers and the outcomes of announcements. */
export function announcementsContract(open: OpenStore): void {
  test('announcements are counted by rule and time, without edits and ends', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const at = (atMs: number, section: 'then' | 'while' | 'finally' | 'gather' = 'then', rule = 'live') =>
      firing([section === 'then' ? creating(['x']) : setting(['x'])], { rule, section, atMs, occasion: `${atMs}` });
    await store.ruleStates.commit(
      committing([at(SLOT_MS), at(SLOT_MS + 1), at(SLOT_MS + 2), at(SLOT_MS, 'while'), at(SLOT_MS, 'finally'), at(SLOT_MS, 'gather')]),
    );
    await store.ruleStates.commit(committing([at(SLOT_MS, 'then', 'other')], { rule: 'other' }));
    const counts = async (fromMs: number, untilMs: number) =>
      Object.fromEntries(await store.deliveryLog.announcements({ fromMs, untilMs }));

    expect(await counts(SLOT_MS, SLOT_MS + 2)).toEqual({ live: 3, other: 1 });
    expect(await counts(SLOT_MS + 1, SLOT_MS + 9)).toEqual({ live: 2 });
    expect(await counts(0, SLOT_MS)).toEqual({});
  });

  test('the first failed step explains a firing, whichever failed first', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x', 'mastodon'])]);
    await store.ruleStates.commit(committing([fired]));
    const [x, mastodon] = keysOf(fired);
    for (const [id, message] of [
      [mastodon, 'second'],
      [x, 'first'],
    ] as const)
      await settle(store, id, { state: 'failed', error: { fault: 'rejected', message } });

    const outcomes = await store.deliveryLog.outcomesOf([fired.id, 'none']);

    expect([...outcomes.keys()]).toEqual([fired.id]);
    expect(outcomes.get(fired.id)).toMatchObject({ undelivered: 2, unsent: { state: 'failed', count: 2, error: { message: 'first' } } });
  });
}
