import { expect, test } from 'vitest';
import { committing, creating, firing, keysOf, setting, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { settle } from './delivery-steps.ts';
import type { OpenStore } from './store.ts';

const DAY_MS = 86_400_000;

/** The contract of the numbers of announcements. */
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

  test('a delivery that fails a day after its slot is a failure of that day', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const [old, late] = [1, 2].map((number) => firing([creating(['x'])], { episode: `e${number}`, atMs: SLOT_MS }));
    await store.ruleStates.commit(committing([old, late].flatMap((one) => one ?? [])));
    const fail = (one: typeof old, endMs: number) =>
      settle(store, one && keysOf(one)[0], {
        state: 'failed',
        error: { fault: 'unavailable', message: 'HTTP 503' },
        settledAt: new Date(endMs),
      });
    await fail(late, SLOT_MS + DAY_MS);
    await fail(old, SLOT_MS + 1_000);
    const failuresSince = async (sinceMs: number) => ({
      counted: await store.deliveryLog.undelivered(sinceMs),
      newest: (await store.deliveryLog.failuresOf(['live'], sinceMs)).get('live')?.episode,
    });

    expect(await failuresSince(SLOT_MS + 2_000)).toEqual({ counted: [{ rule: 'live', state: 'failed', count: 1 }], newest: late?.episode });
    expect(await failuresSince(SLOT_MS + DAY_MS + 1)).toEqual({ counted: [], newest: undefined });
  });
}
