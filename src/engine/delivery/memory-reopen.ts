import type { Delivery, DeliveryChange, Reopening } from './delivery.ts';
import type { MemoryDelivery } from './memory-delivery.ts';
import type { MemoryTable } from './memory-table.ts';

/** See `DeliveryRows.reopen`. */
export function reopen(
  table: MemoryTable,
  row: MemoryDelivery,
  { change, planned, reads = [], continues = [] }: Reopening & { readonly change: DeliveryChange },
): Delivery {
  const { id } = row.delivery;
  if (planned) {
    row.planned = { ...row.planned, step: planned.step };
    row.names = planned.names;
  }
  for (const needed of reads) {
    const known = [...table.needs.get(id)].find((need) => need.needed === needed);
    if (known) {
      table.needs.delete(id, known);
      table.dependents.delete(needed, known);
    }
    const need = { delivery: id, needed, stops: known?.stops ?? false, reads: true };
    table.needs.add(id, need);
    table.dependents.add(needed, need);
  }
  table.change(row, change, []);
  for (const later of continues) {
    const part = table.rows.get(later);
    if (part?.delivery.state === 'skipped') {
      table.change(part, { state: 'pending', dueAt: row.delivery.dueAt, settledAt: undefined, message: undefined }, []);
    }
  }
  return row.delivery;
}
