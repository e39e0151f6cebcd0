import { expect, test } from 'vitest';
import type { Firing } from '#src/rules/firing.ts';
import type { Store } from '#src/store/store.ts';
import { committing, creating, firing, keysOf, setting, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { find, settle } from './delivery-steps.ts';
import type { OpenStore } from './store.ts';

const MINUTE_MS = 60_000;
const COPIED_MS = SLOT_MS + MINUTE_MS;
const RESTORED_MS = SLOT_MS + 10 * MINUTE_MS;
const PERIOD_MS = 15 * MINUTE_MS;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;

/** A firing about an item without a start. */
const ageless: Partial<Firing> = { scope: { rule: { id: 'live' }, now: new Date(SLOT_MS).toISOString(), item: {} } };

/** A firing about an item that began at an instant. */
function about(startedMs: number): Partial<Firing> {
  const scope = { rule: { id: 'live' }, now: new Date(SLOT_MS).toISOString(), item: { startedAt: new Date(startedMs).toISOString() } };
  return { scope };
}

/** A state whose last slot was at `COPIED_MS`, noted as a copy at `RESTORED_MS`. */
async function restored(open: OpenStore) {
  const clock = new ManualClock(RESTORED_MS);
  const store = await open(clock);
  await store.ruleStates.commit(committing([], { slotMs: COPIED_MS }));
  const copiedAt = await store.restores.note();
  return { clock, store, copiedAt };
}

let firings = 0;

/** Commits a post, and resolves with the instant from which Fanfare searches for it; undefined: it does not. */
async function searchSince({ ruleStates, ...store }: Store, more: Partial<Firing>): Promise<Date | undefined> {
  const rule = `rule-${++firings}`;
  const fired = firing([creating(['mastodon'])], { ...more, rule });
  await ruleStates.commit(committing([fired], { rule }));
  return (await find({ ruleStates, ...store }, keysOf(fired)[0])).searchSince;
}

/** The contract of the restores of a state. */
export function restoresContract(open: OpenStore): void {
  test('announcements of items that began before the restore are searched for, and later ones are not', async () => {
    const { store, copiedAt } = await restored(open);
    await using _store = store;
    expect(copiedAt).toEqual(new Date(COPIED_MS));
    const scope = { rule: { id: 'live' }, now: '' };
    const may: readonly Partial<Firing>[] = [
      about(SLOT_MS),
      about(COPIED_MS + 1),
      about(RESTORED_MS),
      { atMs: RESTORED_MS },
      // A list may have had the same changes before, and an item without a start is as old as its list.
      { atMs: RESTORED_MS + 1, scope: { ...scope, items: [] } },
      { atMs: RESTORED_MS + 1, scope: { ...scope, item: {} } },
    ];
    for (const more of may) expect(await searchSince(store, more)).toEqual(copiedAt);
    for (const more of [about(RESTORED_MS + 1), { atMs: RESTORED_MS + 1 }]) expect(await searchSince(store, more)).toBeUndefined();
  });

  test('the period of the search begins with the first start and lasts 15 minutes', async () => {
    const { store, clock, copiedAt } = await restored(open);
    await using _store = store;
    await clock.advance(60 * MINUTE_MS);
    expect(await searchSince(store, about(SLOT_MS))).toEqual(copiedAt);
    expect(await store.restores.begin()).toEqual({ copiedAt, until: new Date(clock.nowMs() + PERIOD_MS) });
    await clock.advance(PERIOD_MS - 1);
    expect(await store.restores.begin()).toBeUndefined();
    expect(await searchSince(store, about(SLOT_MS))).toEqual(copiedAt);
    expect(await searchSince(store, ageless)).toEqual(copiedAt);
    await clock.advance(1);
    expect(await searchSince(store, ageless)).toBeUndefined();
  });

  test('an item that began before the restore is searched for during a week, because its rule may have waited', async () => {
    const { store, clock, copiedAt } = await restored(open);
    await using _store = store;
    await store.restores.begin();
    await clock.advance(WEEK_MS - 1);
    expect(await searchSince(store, about(RESTORED_MS))).toEqual(copiedAt);
    expect(await searchSince(store, about(RESTORED_MS + 1))).toBeUndefined();
    await clock.advance(1);
    expect(await searchSince(store, about(RESTORED_MS))).toBeUndefined();
  });

  test('the first good poll of a rule after the restore is searched for, however late it is', async () => {
    const { store, clock, copiedAt } = await restored(open);
    await using _store = store;
    const { ruleStates } = store;
    const rule = 'daily';
    const poll = async (slotMs: number, firings: readonly Firing[] = []): Promise<void> => {
      await ruleStates.commit(
        committing(firings, { rule, slotMs, change: { memory: { firings: 0, firedMs: {}, lastPollMs: slotMs }, put: [], drop: [] } }),
      );
    };
    const lost = firing([creating(['lost'])], { ...ageless, rule });
    const later = firing([creating(['later'])], { ...ageless, rule, occasion: '2' });
    await poll(COPIED_MS);
    await store.restores.begin();
    await clock.advance(2 * WEEK_MS);
    // A failed poll does not count.
    await ruleStates.commit(committing([], { rule, slotMs: RESTORED_MS + WEEK_MS }));
    await poll(clock.nowMs(), [lost]);
    await poll(clock.nowMs() + 1, [later]);
    expect((await find(store, keysOf(lost)[0])).searchSince).toEqual(copiedAt);
    expect((await find(store, keysOf(later)[0])).searchSince).toBeUndefined();
  });

  test('after two restores, the earlier copy counts', async () => {
    const { store, clock, copiedAt } = await restored(open);
    await using _store = store;
    await store.ruleStates.commit(committing([], { slotMs: COPIED_MS + 1 }));
    await clock.advance(1);
    expect(await store.restores.note()).toEqual(new Date(COPIED_MS + 1));
    expect(await searchSince(store, about(SLOT_MS))).toEqual(copiedAt);
  });

  test('waiting deliveries that create something are searched from the last instant of the copy', async () => {
    const clock = new ManualClock(RESTORED_MS);
    await using store = await open(clock);
    const fired = firing([creating(['sent']), creating(['begun']), creating(['waiting']), setting(['edit'])]);
    await store.ruleStates.commit(committing([fired]));
    const [sent, begun, waiting, edit] = keysOf(fired);
    await settle(store, sent, { state: 'sent', result: { id: '1' }, sentAt: new Date(RESTORED_MS + MINUTE_MS) });
    await store.deliveries.change(await find(store, begun), { state: 'sending' });
    const copiedAt = await store.restores.note();
    expect(copiedAt).toEqual(new Date(RESTORED_MS + MINUTE_MS));
    const searched = await Promise.all([sent, begun, waiting, edit].map((id) => find(store, id)));
    expect(searched.map(({ searchSince: since }) => since)).toEqual([undefined, undefined, copiedAt, undefined]);
  });

  test('without a restore, no announcement is searched for', async () => {
    await using store = await open(new ManualClock(RESTORED_MS));
    expect(await store.restores.begin()).toBeUndefined();
    expect(await searchSince(store, about(SLOT_MS))).toBeUndefined();
    expect(await store.restores.note()).toEqual(new Date(RESTORED_MS));
  });
}
