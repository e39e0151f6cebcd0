import { expect, test } from 'vitest';
import { committing, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { OpenStore } from './store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The start of a day. */
const START_MS = Date.parse('2026-11-20T00:00:00Z');

/** The contract of the use of accounts. */
export function accountUsageContract(open: OpenStore): void {
  test('of several notes of an hour, the smallest rest and the greatest sum stay', async () => {
    await using store = await open(new ManualClock(START_MS));
    const hour = { account: 'x', hourMs: START_MS };
    const notes = [
      { spentUsd: 1.5 },
      { leastLeftRatio: 0.5, spentUsd: 1.2 },
      { leastLeftRatio: 0.123_456, spentUsd: 1.7 },
      { leastLeftRatio: 0.9 },
      {},
    ];

    await Promise.all(notes.map((note) => store.accountUsage.note([{ ...hour, ...note }])));

    expect(await store.accountUsage.days('x', START_MS)).toEqual([{ dayMs: START_MS, leastLeftRatio: 0.123_456, spentUsd: 1.7 }]);
  });

  test('an unknown value stays unknown, also beside other accounts', async () => {
    await using store = await open(new ManualClock(START_MS));

    await store.accountUsage.note([
      { account: 'x', hourMs: START_MS, spentUsd: 0 },
      { account: 'mastodon', hourMs: START_MS, leastLeftRatio: 0 },
    ]);

    expect(await store.accountUsage.days('x', START_MS)).toEqual([{ dayMs: START_MS, leastLeftRatio: undefined, spentUsd: 0 }]);
    expect(await store.accountUsage.days('mastodon', START_MS)).toEqual([{ dayMs: START_MS, leastLeftRatio: 0, spentUsd: undefined }]);
    expect(await store.accountUsage.days('none', START_MS)).toEqual([]);
  });

  test('two processes that note the same accounts in another order do not block each other', async () => {
    await using store = await open(new ManualClock(START_MS));
    const accounts = Array.from({ length: 20 }, (_, index) => ({ account: `a${index}`, hourMs: START_MS, spentUsd: index }));

    for (let round = 0; round < 5; round++)
      await Promise.all([store.accountUsage.note(accounts), store.accountUsage.note(accounts.toReversed())]);

    expect(await store.accountUsage.days('a7', START_MS)).toMatchObject([{ spentUsd: 7 }]);
  });

  test('hours are read as days in UTC, oldest first', async () => {
    await using store = await open(new ManualClock(START_MS));
    const hours = [
      [START_MS + DAY_MS, 0.8, 4],
      [START_MS - HOUR_MS, 0.9, 1],
      [START_MS, 0.3, 2],
      [START_MS + 23 * HOUR_MS, 0.6, 3],
    ] as const;
    for (const [hourMs, leastLeftRatio, spentUsd] of hours)
      await store.accountUsage.note([{ account: 'x', hourMs, leastLeftRatio, spentUsd }]);

    expect(await store.accountUsage.days('x', START_MS)).toEqual([
      { dayMs: START_MS, leastLeftRatio: 0.3, spentUsd: 3 },
      { dayMs: START_MS + DAY_MS, leastLeftRatio: 0.8, spentUsd: 4 },
    ]);
  });

  test('hours are deleted after 32 days', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    await store.accountUsage.note([
      { account: 'x', hourMs: SLOT_MS, spentUsd: 1 },
      { account: 'y', hourMs: SLOT_MS, spentUsd: 1 },
      { account: 'x', hourMs: SLOT_MS + 2 * DAY_MS, spentUsd: 2 },
    ]);
    const sums = async () => (await store.accountUsage.days('x', 0)).map(({ spentUsd }) => spentUsd);

    clock.set(SLOT_MS + 32 * DAY_MS);
    await store.ruleStates.commit(committing([], { slotMs: clock.nowMs() }));
    expect(await sums()).toEqual([1, 2]);
    clock.set(SLOT_MS + 32 * DAY_MS + 60_000);
    await store.ruleStates.commit(committing([], { slotMs: clock.nowMs() }));

    expect(await sums()).toEqual([2]);
    expect(await store.accountUsage.days('y', 0)).toEqual([]);
  });
}
