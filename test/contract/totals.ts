import { expect, test } from 'vitest';
import { committing, episodeOf, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { OpenStore } from './store.ts';

const HOUR_MS = 3_600_000;

/** The contract of the episodes of totals. */
export function totalsContract(open: OpenStore): void {
  test('episodes count while they are open, after their end, and after they are no longer stored', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const ended = (id: string, lengthMs: number) => ({
      ...episodeOf(id),
      phase: 'closed' as const,
      lastSeenMs: SLOT_MS + lengthMs,
      closedMs: SLOT_MS + lengthMs,
      totals: { viewerCount: { sum: 30, count: 4 } },
    });
    const change = {
      memory: { firings: 1, firedMs: {} },
      put: [episodeOf('open@1'), { ...episodeOf('silent@1'), announcedBy: undefined }],
      drop: [],
      past: [ended('short@1', HOUR_MS), ended('long@1', 2 * HOUR_MS)],
    };
    await store.ruleStates.commit(committing([], { change }));
    const list = async (rule: string, sinceMs = 0) =>
      (await store.totals.list({ rule, sinceMs })).map(({ endedMs, ...one }) => ({ hours: (endedMs - SLOT_MS) / HOUR_MS, ...one }));

    const all = await list('live');
    expect(all.map(({ hours }) => hours).toSorted((a, b) => a - b)).toEqual([0, 1, 2]);
    expect(await store.totals.move({ beforeMs: SLOT_MS + HOUR_MS + 1, limit: 10 })).toBe(1);
    expect(await store.totals.move({ beforeMs: SLOT_MS + HOUR_MS + 1, limit: 10 })).toBe(0);

    const moved = await list('live');
    expect(moved.map(({ hours }) => hours).toSorted((a, b) => a - b)).toEqual([0, 1, 2]);
    expect(moved.find(({ hours }) => hours === 1)).toEqual({
      hours: 1,
      startedMs: SLOT_MS,
      peak: { viewerCount: 12.5 },
      average: { viewerCount: 7.5 },
    });
    expect((await list('live', SLOT_MS + 2 * HOUR_MS)).map(({ hours }) => hours).toSorted((a, b) => a - b)).toEqual([0, 2]);
    expect(await list('other')).toEqual([]);
    expect(await store.ruleStates.rename({ from: 'live', to: 'renamed' })).toBe(true);
    expect((await list('renamed')).map(({ hours }) => hours).toSorted((a, b) => a - b)).toEqual([0, 1, 2]);
  });
}
