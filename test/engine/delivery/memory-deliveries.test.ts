import { describe, expect, test } from 'vitest';
import { createMemoryDeliveries } from '#src/engine/delivery/memory-deliveries.ts';
import { MemoryTable } from '#src/engine/delivery/memory-table.ts';
import { deliveriesContract } from '../../contract/deliveries.ts';
import { type OpenDeliveries, settle } from '../../contract/delivery-steps.ts';
import { dueDeliveriesContract } from '../../contract/due.ts';
import { episodeDeliveriesContract } from '../../contract/episode-deliveries.ts';
import { partsContract } from '../../contract/parts.ts';
import { committing, creating, firing, keysOf, SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';

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
  deliveriesContract(open);
  partsContract(open);
  dueDeliveriesContract(open);
  episodeDeliveriesContract(open);

  test('settled deliveries are dropped unless a later firing reads them', async () => {
    const table = new MemoryTable();
    await using store = await openOver(table, new ManualClock(SLOT_MS));
    const [first, second] = [firing([creating(['x'])]), firing([creating(['x'])], { episode: 'grace@1' })];
    await store.ruleStates.commit(committing([first, second]));
    for (const fired of [first, second]) await settle(store, keysOf(fired)[0], { state: 'sent' });

    table.prune(({ episode }) => episode === 'grace@1');

    expect(table.all().map(({ delivery }) => delivery.episode)).toEqual(['grace@1']);
  });

  test('the deliveries of an ended episode stay until all of them are settled', async () => {
    const table = new MemoryTable();
    await using store = await openOver(table, new ManualClock(SLOT_MS));
    const [first, last] = [firing([creating(['x'])]), firing([creating(['y'])], { section: 'finally' })];
    table.commit({ withdrawals: [], firings: [first, last], over: ['ada@1'], nowMs: SLOT_MS });

    const left: number[] = [];
    for (const fired of [first, last]) {
      await settle(store, keysOf(fired)[0], { state: 'sent' });
      table.prune(() => false);
      left.push(table.all().length);
    }

    expect(left).toEqual([1, 0]);
  });
});
