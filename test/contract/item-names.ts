import { describe, expect, test } from 'vitest';
import type { Store } from '#src/store/store.ts';
import { committing, episodeOf, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { OpenStore } from './store.ts';

const DAY_MS = 86_400_000;

/** Names in records, and how a person types them. */
const NAMES = [
  ['Ada', 'aDA'],
  ['Ärger_Live', 'ärger_live'],
  ['O\'Neil "Rex" \\o/', 'o\'neil "rex" \\O/'],
  ['100%_real', '100%_REAL'],
  ['配信者', '配信者'],
  ['Стример', 'сТРИМЕР'],
  ['😀 Ivy', '😀 ivy'],
  ['İrem', 'i̇rem'],
  [`Long ${'name '.repeat(60)}`, `LONG ${'name '.repeat(60)}`],
  [`${'x'.repeat(99)}😀 Ivy`, `${'x'.repeat(99)}😀 ivy`],
] as const;

const NO_CHANGE = { memory: { firings: 0, firedMs: {} }, put: [], drop: [], past: [] };
const RULES = ['open', 'past', 'reason', 'key', 'other', 'unknown'];

/** Stores a name in an open episode, a past one, a reason and a key, each of another rule. */
async function storeName({ ruleStates }: Store, name: string): Promise<void> {
  const episode = { ...episodeOf('e@1'), key: 'twitch/1', item: { owner: { name } } };
  const closed = { ...episode, phase: 'closed' as const, closedMs: SLOT_MS };
  const decision = { atMs: SLOT_MS, outcome: 'suppressed' as const, message: 'no' };
  const other = { ...episodeOf('other@1'), key: 'twitch/2' };
  await ruleStates.commit({ ...committing([], { change: { ...NO_CHANGE, put: [episode] } }), rule: 'open' });
  await ruleStates.commit({ ...committing([], { change: { ...NO_CHANGE, past: [closed] } }), rule: 'past' });
  const reason = { kind: 'leftBeforeOpening', name, seenMs: SLOT_MS } as const;
  await ruleStates.commit({
    ...committing([], { change: NO_CHANGE }),
    rule: 'reason',
    decisions: [{ rule: 'reason', ...decision, reason }],
  });
  await ruleStates.commit({ ...committing([], { change: NO_CHANGE }), rule: 'key', decisions: [{ rule: 'key', ...decision, item: name }] });
  await ruleStates.commit({ ...committing([], { change: { ...NO_CHANGE, put: [other] } }), rule: 'other' });
}

/** Commits later, so that the work of every minute runs. */
async function passMinutes({ ruleStates }: Store, clock: ManualClock, ms = 2 * 60_000): Promise<void> {
  clock.set(clock.nowMs() + ms);
  await ruleStates.commit({ ...committing([], { slotMs: clock.nowMs() }), rule: 'later' });
}

/** The contract of the names of items. */
export function itemNamesContract(open: OpenStore): void {
  describe.each(NAMES)('%j', (name, typed) => {
    test('the rules that just stored it are found', async () => {
      await using store = await open(new ManualClock(SLOT_MS));
      await storeName(store, name);

      const found = await store.itemNames.rulesWith(typed, RULES);

      expect([...found].filter((rule) => rule !== 'other').toSorted()).toEqual(['key', 'open', 'past', 'reason']);
      // Letters whose case SQLite does not know stand for any text.
      expect(found.has('other')).toBe(!/[a-z0-9]|\p{Lo}/iu.test(typed));
      expect(await store.itemNames.rulesWith(typed, ['unknown'])).toEqual(new Set());
      expect(await store.itemNames.rulesWith('somebody else', RULES)).toEqual(new Set());
    });

    test('the rules that stored it minutes ago are found, and no other one', async () => {
      const clock = new ManualClock(SLOT_MS);
      await using store = await open(clock);
      await storeName(store, name);
      await passMinutes(store, clock);

      expect([...(await store.itemNames.rulesWith(typed, RULES))].toSorted()).toEqual(['key', 'open', 'past', 'reason']);
      expect(await store.itemNames.rulesWith(typed, ['unknown'])).toEqual(new Set());
      expect(await store.itemNames.rulesWith('somebody else', RULES)).toEqual(new Set());
    });
  });

  test('an item that got another name during an episode is found under both after the end', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const episode = { ...episodeOf('e@1'), item: { owner: { handle: 'ada', displayName: 'Ada' } } };
    const closed = {
      ...episode,
      item: { owner: { handle: 'lovelace', displayName: 'Lovelace' } },
      phase: 'closed' as const,
      closedMs: SLOT_MS,
    };
    await store.ruleStates.commit({ ...committing([], { change: { ...NO_CHANGE, put: [episode] } }), rule: 'live' });
    await passMinutes(store, clock);
    const change = { ...NO_CHANGE, drop: ['e@1'], past: [closed] };
    await store.ruleStates.commit({ ...committing([], { change, slotMs: clock.nowMs() }), rule: 'live' });
    await passMinutes(store, clock);

    expect(await store.itemNames.rulesWith('lovelace', ['live'])).toEqual(new Set(['live']));
    expect(await store.itemNames.rulesWith('ada', ['live'])).toEqual(new Set(['live']));
  });

  test('the names of a renamed rule are found under its new id', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    await storeName(store, 'Ada');
    await passMinutes(store, clock);
    await store.ruleStates.rename({ from: 'open', to: 'renamed' });

    expect(await store.itemNames.rulesWith('ada', ['open', 'renamed'])).toEqual(new Set(['renamed']));
  });

  test('a name is forgotten after the last row that has it', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    await storeName(store, 'Ada');
    await passMinutes(store, clock);
    await passMinutes(store, clock, 70 * DAY_MS);

    // Fanfare keeps open episodes, and the last decisions of each outcome.
    expect([...(await store.itemNames.rulesWith('ada', RULES))].toSorted()).toEqual(['key', 'open', 'reason']);
    await passMinutes(store, clock, 70 * DAY_MS);
    expect([...(await store.itemNames.rulesWith('ada', RULES))].toSorted()).toEqual(['key', 'open', 'reason']);
  });
}
