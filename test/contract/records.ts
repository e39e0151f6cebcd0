import { expect, test } from 'vitest';
import type { Episode } from '#src/rules/episode.ts';
import { committing, episodeOf, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { OpenStore } from './store.ts';

const HOUR_MS = 3_600_000;

/** What a store promises of rule files, standing messages and the episodes that it remembers. */
export function keepsRecords(open: OpenStore): void {
  test('of a rule file the last text is kept, until it is forgotten', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    await store.ruleSources.change({
      save: [
        { file: 'live.yaml', source: 'id: live' },
        { file: 'other.yaml', source: 'id: other' },
      ],
      forget: [],
    });
    clock.set(SLOT_MS + HOUR_MS);

    await store.ruleSources.change({ save: [{ file: 'live.yaml', source: 'id: live # edited' }], forget: ['other.yaml'] });

    const live = { file: 'live.yaml', source: 'id: live # edited', savedAt: new Date(SLOT_MS + HOUR_MS) };
    expect(await store.ruleSources.load()).toEqual(new Map([['live.yaml', live]]));
  });

  test('a standing message is known by its account and its name', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.standingMessages.keep('discord', 'top', 'live/1');
    await store.standingMessages.keep('guild', 'top', 'home/1');

    await store.standingMessages.keep('discord', 'top', 'live/2');

    expect(await store.standingMessages.find('discord', 'top')).toBe('live/2');
    expect(await store.standingMessages.find('guild', 'top')).toBe('home/1');
    expect(await store.standingMessages.find('discord', 'bottom')).toBeUndefined();
  });

  test('episodes are listed by rule, the last first, with how long each lasted', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await keep(store, 'live', [
      { id: 'ada@1', startedMs: SLOT_MS, lastSeenMs: SLOT_MS + HOUR_MS, phase: 'closed', closedMs: SLOT_MS + 2 * HOUR_MS },
      { id: 'grace@1', startedMs: SLOT_MS + HOUR_MS, spokenBy: undefined },
      { id: 'linus@1', phase: 'pending', openedMs: undefined },
    ]);
    await keep(store, 'lives', [{ id: 'other@1' }]);

    const listed = await store.episodes.list({ rule: 'live' });

    expect(listed.map(({ id, phase, spoke }) => [id, phase, spoke])).toEqual([
      ['grace@1', 'open', false],
      ['ada@1', 'closed', true],
    ]);
    expect(listed[1]).toEqual({
      id: 'ada@1',
      rule: 'live',
      key: 'ada',
      item: episodeOf('ada@1').item,
      startedMs: SLOT_MS,
      openedMs: SLOT_MS,
      closedMs: SLOT_MS + 2 * HOUR_MS,
      lengthMs: HOUR_MS,
      peak: { viewerCount: 12.5 },
      phase: 'closed',
      spoke: true,
    });
  });

  test('an open episode of a compact rule lasts until the last poll of the rule', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const lastPollMs = SLOT_MS + HOUR_MS;
    const put = [{ ...episodeOf('ada@1'), startedMs: SLOT_MS, lastSeenMs: SLOT_MS, listed: true as const }];
    await store.ruleStates.commit(committing([], { change: { memory: { firings: 0, firedMs: {}, lastPollMs }, put, drop: [] } }));

    expect((await store.episodes.list({ rule: 'live' })).map(({ lengthMs }) => lengthMs)).toEqual([HOUR_MS]);
  });

  test('episodes are listed that lasted until an instant or longer, and no more than are wanted', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await keep(store, 'live', [
      { id: 'ada@1', startedMs: SLOT_MS - 2, phase: 'closed', closedMs: SLOT_MS + HOUR_MS },
      { id: 'ada@2', startedMs: SLOT_MS - 1, phase: 'closed', closedMs: SLOT_MS + 2 * HOUR_MS },
      { id: 'grace@1', startedMs: SLOT_MS - 3 },
    ]);
    const since = async (sinceMs: number, limit?: number) =>
      (await store.episodes.list({ rule: 'live', sinceMs, limit })).map(({ id }) => id);

    expect(await since(SLOT_MS + HOUR_MS)).toEqual(['ada@2', 'ada@1', 'grace@1']);
    expect(await since(SLOT_MS + HOUR_MS + 1)).toEqual(['ada@2', 'grace@1']);
    expect(await since(SLOT_MS, 1)).toEqual(['ada@2']);
  });

  test('an episode that nothing comes back to is listed for 30 days, and no part of the state of its rule', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    await keep(store, 'live', [{ id: 'ada@1' }, { id: 'grace@1', startedMs: SLOT_MS - 1 }]);
    const over: Episode = { ...episodeOf('ada@1'), phase: 'closed', closedMs: SLOT_MS + HOUR_MS, lastSeenMs: SLOT_MS + HOUR_MS };
    const change = { memory: { firings: 0, firedMs: {} }, put: [], drop: ['ada@1'], past: [over] };
    await store.ruleStates.commit(committing([], { slotMs: SLOT_MS + HOUR_MS, change }));

    const listed = await store.episodes.list({ rule: 'live' });

    expect([...(await store.ruleStates.load('live')).episodes.keys()]).toEqual(['grace@1']);
    expect(listed.map(({ id, phase, closedMs, lengthMs }) => [id, phase, closedMs, lengthMs])).toEqual([
      ['ada@1', 'closed', SLOT_MS + HOUR_MS, HOUR_MS],
      ['grace@1', 'open', undefined, 1],
    ]);
    expect((await store.episodes.list({ rule: 'live', sinceMs: SLOT_MS + 2 * HOUR_MS })).map(({ id }) => id)).toEqual(['grace@1']);

    clock.set(SLOT_MS + 31 * 24 * HOUR_MS);
    await store.ruleStates.commit(committing([], { rule: 'other' }));
    expect((await store.episodes.list({ rule: 'live' })).map(({ id }) => id)).toEqual(['grace@1']);
  });

  test('what lasted when its rule was deleted has ended then, and lasts where the rule comes back', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await keep(store, 'live', [{ id: 'ada@1' }]);
    const phases = async () => (await store.episodes.list({ rule: 'live' })).map(({ phase, closedMs }) => [phase, closedMs]);

    await store.ruleStates.retire('live');

    expect(await phases()).toEqual([['closed', SLOT_MS]]);
    expect(await store.episodes.list({ rule: 'live', sinceMs: Number.MAX_SAFE_INTEGER })).toEqual([]);
    await store.ruleStates.commit(committing([], { slotMs: SLOT_MS + HOUR_MS }));
    expect(await phases()).toEqual([['open', undefined]]);
  });

  test('the episodes of a rule are those of all its instances', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    for (const rule of ['games/chess', 'games/go', 'games2']) await keep(store, rule, [{ id: `${rule}@1` }]);

    expect((await store.episodes.list({ rule: 'games' })).map(({ rule }) => rule).toSorted()).toEqual(['games/chess', 'games/go']);
    expect((await store.episodes.list({ rule: 'games/go' })).map(({ rule }) => rule)).toEqual(['games/go']);
  });
}

async function keep(
  store: Awaited<ReturnType<OpenStore>>,
  rule: string,
  episodes: readonly (Partial<Episode> & { readonly id: string })[],
): Promise<void> {
  const put = episodes.map((more) => ({ ...episodeOf(more.id), ...more }));
  await store.ruleStates.commit(committing([], { rule, change: { memory: { firings: 0, firedMs: {} }, put, drop: [] } }));
}
