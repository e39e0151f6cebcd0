import { describe, expect, test } from 'vitest';
import { createMemoryDeliveries } from '#src/delivery/memory-deliveries.ts';
import { MemoryTable } from '#src/delivery/memory-table.ts';
import { keepsDeliveries } from '../contract/deliveries.ts';
import { type OpenDeliveries, settle } from '../contract/delivery-steps.ts';
import { knowsWhatIsDue } from '../contract/due.ts';
import { keepsParts } from '../contract/parts.ts';
import { committing, creating, firing, keysOf, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';

const open: OpenDeliveries = (clock) => openOver(new MemoryTable(), clock);

function openOver(table: MemoryTable, clock: ManualClock): ReturnType<OpenDeliveries> {
  return Promise.resolve({
    deliveries: createMemoryDeliveries(table),
    ruleStates: {
      commit({ withdrawals, firings, change }) {
        table.commit({ withdrawals, firings, change, nowMs: clock.nowMs() });
        return Promise.resolve(true);
      },
    },
    deliveryLog: {
      list: () =>
        Promise.resolve({
          items: table
            .all()
            .map(({ delivery }) => delivery)
            .toReversed(),
        }),
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
}

describe('deliveries in memory', () => {
  keepsDeliveries(open);
  keepsParts(open);
  knowsWhatIsDue(open);

  test('that are settled are dropped unless a later firing reads them', async () => {
    const table = new MemoryTable();
    await using store = await openOver(table, new ManualClock(SLOT_MS));
    const [first, second] = [firing([creating(['x'])]), firing([creating(['x'])], { episode: 'grace@1' })];
    await store.ruleStates.commit(committing([first, second]));
    for (const fired of [first, second]) await settle(store, keysOf(fired)[0], { state: 'sent' });

    table.prune(({ episode }) => episode === 'grace@1');

    expect(table.all().map(({ delivery }) => delivery.episode)).toEqual(['grace@1']);
  });
});
