import { CompiledQuery, type Transaction } from 'kysely';
import type { Delivery, DeliveryChange } from '#src/delivery/delivery.ts';
import { withPlaceholders } from './dialect.ts';
import { toColumns } from './delivery-row.ts';
import type { Tables } from './tables.ts';

/** Stores a change of a delivery; false: it is no longer in the state of `delivery`. The SQL is joined here, because Kysely takes as long as SQLite. */
export async function changeDelivery(trx: Transaction<Tables>, delivery: Delivery, change: DeliveryChange): Promise<boolean> {
  const columns = Object.entries(toColumns(change));
  const set = columns.map(([column]) => `"${column}" = ?`).join(', ');
  // If it was withdrawn and decided again in the meantime, the same key names another delivery.
  const { numAffectedRows } = await trx.executeQuery(
    CompiledQuery.raw(withPlaceholders(trx, `update "delivery" set ${set} where "id" = ? and "state" = ? and "firing" = ?`), [
      ...columns.map(([, value]) => value),
      delivery.id,
      delivery.state,
      delivery.firing,
    ]),
  );
  return numAffectedRows !== 0n;
}
