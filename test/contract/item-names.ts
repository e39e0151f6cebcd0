import { expect, test } from 'vitest';
import { committing, episodeOf, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { OpenStore } from './store.ts';

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
] as const;

/** The contract of the names of items. */
export function itemNamesContract(open: OpenStore): void {
  test.each(NAMES)('the rules that stored %s are found as %s', async (name, typed) => {
    await using store = await open(new ManualClock(SLOT_MS));
    const none = { memory: { firings: 0, firedMs: {} }, put: [], drop: [], past: [] };
    const episode = { ...episodeOf('e@1'), key: 'twitch/1', item: { owner: { name } } };
    const closed = { ...episode, phase: 'closed' as const, closedMs: SLOT_MS };
    const decision = { atMs: SLOT_MS, outcome: 'suppressed' as const, message: 'no' };
    await store.ruleStates.commit({ ...committing([], { change: { ...none, put: [episode] } }), rule: 'open' });
    await store.ruleStates.commit({ ...committing([], { change: { ...none, past: [closed] } }), rule: 'past' });
    await store.ruleStates.commit({
      ...committing([], { change: none }),
      rule: 'reason',
      decisions: [{ rule: 'reason', ...decision, reason: { kind: 'leftBeforeOpening', name, seenMs: SLOT_MS } }],
    });
    await store.ruleStates.commit({
      ...committing([], { change: none }),
      rule: 'key',
      decisions: [{ rule: 'key', ...decision, item: name }],
    });
    await store.ruleStates.commit({
      ...committing([], { change: { ...none, put: [{ ...episodeOf('other@1'), key: 'twitch/2' }] } }),
      rule: 'other',
    });

    const rules = ['open', 'past', 'reason', 'key', 'other', 'unknown'];

    const found = await store.itemNames.rulesWith(typed, rules);

    expect([...found].filter((rule) => rule !== 'other').toSorted()).toEqual(['key', 'open', 'past', 'reason']);
    // Letters whose case SQLite does not know stand for any text.
    expect(found.has('other')).toBe(!/[a-z0-9]|\p{Lo}/iu.test(typed));
    expect(await store.itemNames.rulesWith(typed, ['unknown'])).toEqual(new Set());
    expect(await store.itemNames.rulesWith('somebody else', rules)).toEqual(new Set());
  });
}
