import { expect, test } from 'vitest';
import { NEW_STATE, type Episode } from '#src/rules/episode.ts';
import { committing, episodeOf, firing, keysOf, setting, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { settle } from './delivery-steps.ts';
import type { OpenStore } from './store.ts';

const HOUR_MS = 3_600_000;

/** The contract of rule files, standing messages and the history of episodes. */
export function recordsContract(open: OpenStore): void {
  test('the last text of a rule file is kept until the file is forgotten', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.ruleSources.change({
      save: [
        { file: 'live.yaml', source: 'id: live' },
        { file: 'other.yaml', source: 'id: other' },
      ],
      forget: [],
    });

    await store.ruleSources.change({ save: [{ file: 'live.yaml', source: 'id: live # edited' }], forget: ['other.yaml'] });

    const live = { file: 'live.yaml', source: 'id: live # edited' };
    expect(await store.ruleSources.load()).toEqual(new Map([['live.yaml', live]]));
  });

  test('the id of a standing message is found by account and name', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.standingMessages.keep('discord', 'top', 'live/1');
    await store.standingMessages.keep('guild', 'top', 'home/1');

    await store.standingMessages.keep('discord', 'top', 'live/2');

    expect(await store.standingMessages.find('discord', 'top')).toBe('live/2');
    expect(await store.standingMessages.find('guild', 'top')).toBe('home/1');
    expect(await store.standingMessages.find('discord', 'bottom')).toBeUndefined();
  });

  test('the last status of the bot stands', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const none = await store.botStatus.find();
    await store.botStatus.keep({ text: 'one', activity: 'custom', presence: 'idle' });
    await store.botStatus.keep({ text: '2 streams', activity: 'watching', presence: 'online' });

    expect(none).toBeUndefined();
    expect(await store.botStatus.find()).toEqual({ text: '2 streams', activity: 'watching', presence: 'online' });
  });

  test('episodes are listed by rule, newest first, with their length', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await keep(store, 'live', [
      { id: 'ada@1', startedMs: SLOT_MS, lastSeenMs: SLOT_MS + HOUR_MS, phase: 'closed', closedMs: SLOT_MS + 2 * HOUR_MS },
      { id: 'grace@1', startedMs: SLOT_MS + HOUR_MS, announcedBy: undefined },
      { id: 'linus@1', phase: 'pending', openedMs: undefined },
    ]);
    await keep(store, 'lives', [{ id: 'other@1' }]);

    const listed = await store.episodes.list({ rule: 'live' });

    expect(listed.map(({ id, phase, announced }) => [id, phase, announced])).toEqual([
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
      announced: true,
    });
  });

  test('of the asked episodes, only the open ones of loaded rules are found', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await keep(store, 'live', [
      { id: 'ada@1', phase: 'closed', closedMs: SLOT_MS + HOUR_MS },
      { id: 'grace@1' },
      { id: 'hedy@1', phase: 'closing' },
      { id: 'linus@1', phase: 'pending', openedMs: undefined },
      { id: 'other@1' },
    ]);
    await keep(store, 'games', [{ id: 'other@1' }]);
    const ask = async (ids: readonly string[]) => {
      const found = await store.episodes.open(ids.map((id) => ({ rule: 'live', id })));
      return found.map(({ rule, id, phase }) => `${rule} ${id} ${phase}`).toSorted();
    };

    expect(await ask(['ada@1', 'grace@1', 'hedy@1', 'linus@1', 'nobody@1'])).toEqual(['live grace@1 open', 'live hedy@1 closing']);
    expect(
      await store.episodes.open([
        { rule: 'games', id: 'other@1' },
        { rule: 'live', id: 'grace@1' },
      ]),
    ).toHaveLength(2);
    expect(await ask([])).toEqual([]);
  });

  test('an open episode of a compact rule lasts until the last poll of the rule', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const lastPollMs = SLOT_MS + HOUR_MS;
    const put = [{ ...episodeOf('ada@1'), startedMs: SLOT_MS, lastSeenMs: SLOT_MS, compact: true as const }];
    await store.ruleStates.commit(committing([], { change: { memory: { firings: 0, firedMs: {}, lastPollMs }, put, drop: [] } }));

    expect((await store.episodes.list({ rule: 'live' })).map(({ lengthMs }) => lengthMs)).toEqual([HOUR_MS]);
  });

  test('episodes that ended at an instant or later are listed, at most as many as the limit', async () => {
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

  test('a past episode is listed for 30 days, and is not loaded with the state of its rule', async () => {
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

  test('open episodes end with the deletion of their rule, and are open again if the rule returns', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await keep(store, 'live', [{ id: 'ada@1' }]);
    const phases = async () => (await store.episodes.list({ rule: 'live' })).map(({ phase, closedMs }) => [phase, closedMs]);

    await store.ruleStates.retire('live');

    expect(await phases()).toEqual([['closed', SLOT_MS]]);
    expect(await store.episodes.list({ rule: 'live', sinceMs: Number.MAX_SAFE_INTEGER })).toEqual([]);
    await store.ruleStates.commit(committing([], { slotMs: SLOT_MS + HOUR_MS }));
    expect(await phases()).toEqual([['open', undefined]]);
  });

  test('roles of a rule that was deleted with open episodes are roles of no open episode', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const added = firing([setting(['x'], { do: 'discord.addRole' })], { rule: 'live/ada' });
    const put = [episodeOf('ada@1')];
    await store.ruleStates.commit(committing([added], { rule: 'live/ada', change: { memory: NEW_STATE.memory, put, drop: [] } }));
    await settle(store, keysOf(added)[0], { state: 'sent', result: { id: '9' } });
    const found = async () => (await store.deliveries.roleChanges({ rule: 'live/kick', episode: 'ada@2', account: 'x' }, '9')).length;
    const before = await found();

    await store.ruleStates.retire('live/ada');

    expect([before, await found()]).toEqual([1, 0]);
  });

  test('the episodes of a rule include those of all its instances', async () => {
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
