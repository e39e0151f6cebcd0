import { expect, test } from 'vitest';
import type { Store } from '#src/store/store.ts';
import { committing, creating, firing, keysOf, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { find, settle } from './delivery-steps.ts';
import type { OpenStore } from './store.ts';

const DAY_MS = 86_400_000;

/** Old rows are deleted before a commit. */
async function pruneAt(store: Store, clock: ManualClock, atMs: number): Promise<void> {
  clock.set(atMs);
  await store.ruleStates.commit(committing([], { rule: 'other', slotMs: atMs }));
}

export function retentionContract(open: OpenStore): void {
  test('an unknown delivery stays with its firing at any age, until a person resolves it', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const [unknown, sent] = [firing([creating(['x'])]), firing([creating(['x'])], { occasion: '2' })];
    await store.ruleStates.commit(committing([unknown, sent]));
    const [key = ''] = keysOf(unknown);
    await settle(store, key, { state: 'unknown' });
    await settle(store, keysOf(sent)[0], { state: 'sent' });

    await pruneAt(store, clock, SLOT_MS + 91 * DAY_MS);
    expect((await store.deliveryLog.list()).items.map(({ id }) => id)).toEqual([key]);
    expect((await store.deliveries.prepare(await find(store, key))).due.scope).toEqual(unknown.scope);

    await store.deliveries.change(await find(store, key), { state: 'failed' });
    await pruneAt(store, clock, SLOT_MS + 92 * DAY_MS);
    expect((await store.deliveryLog.list()).items).toEqual([]);
  });
}
