import { describe } from 'vitest';
import { createMemoryDeliveries } from '#src/delivery/memory-deliveries.ts';
import { MemoryTable } from '#src/delivery/memory-table.ts';
import { keepsDeliveries } from '../contract/deliveries.ts';
import type { OpenDeliveries } from '../contract/delivery-steps.ts';
import { knowsWhatIsDue } from '../contract/due.ts';
import { keepsParts } from '../contract/parts.ts';

const open: OpenDeliveries = (clock) => {
  const table = new MemoryTable();
  return Promise.resolve({
    deliveries: createMemoryDeliveries(table),
    ruleStates: {
      commit({ withdrawals, firings }) {
        table.commit({ withdrawals, firings, nowMs: clock.nowMs() });
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
};

describe('deliveries in memory', () => {
  keepsDeliveries(open);
  keepsParts(open);
  knowsWhatIsDue(open);
});
