import { CompiledQuery, type Transaction } from 'kysely';
import type { Delivery, DeliveryChange } from '#src/delivery/delivery.ts';
import { withPlaceholders } from './dialect.ts';
import { toColumns } from './delivery-row.ts';
import type { Tables } from './tables.ts';

/**
 * Stores a change of a delivery; false: it is no longer in the state of `delivery`, or another process holds the lane. The SQL is joined here, because Kysely takes as long
 * as SQLite.
 */
export async function changeDelivery(
  trx: Transaction<Tables>,
  delivery: Delivery,
  change: DeliveryChange,
  token?: number,
): Promise<boolean> {
  const columns = Object.entries(toColumns(change));
  const set = columns.map(([column]) => `"${column}" = ?`).join(', ');
  // If it was withdrawn and decided again in the meantime, the same key names another delivery.
  const update = `update "delivery" set ${set} where "id" = ? and "state" = ? and "firing" = ?`;
  const values = [...columns.map(([, value]) => value), delivery.id, delivery.state, delivery.firing];
  const [text, parameters] =
    token === undefined ? [update, values] : [`${HELD} ${update} and exists (select 1 from held)`, [delivery.account, token, ...values]];
  const { numAffectedRows } = await trx.executeQuery(CompiledQuery.raw(withPlaceholders(trx, text), parameters));
  return numAffectedRows !== 0n;
}

/** The lock makes the next holder of the lane wait for the end of this transaction. */
const HELD = 'with held as (select 1 from lane where account = ? and token = ? and until_ms > now_ms() for share)';
