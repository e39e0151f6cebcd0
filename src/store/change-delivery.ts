import { CompiledQuery, type Kysely } from 'kysely';
import type { Delivery, DeliveryChange } from '#src/delivery/delivery.ts';
import { isRepeat } from '#src/delivery/ordering.ts';
import { withPlaceholders } from './dialect.ts';
import { toColumns } from './delivery-row.ts';
import type { Tables } from './tables.ts';

/** The condition of a change. */
interface ChangeCondition {
  /** The token of the lane; undefined: no other process can send. */
  readonly token?: number | undefined;
  /** Whether the change fails if an open delivery of another account needs this one. */
  readonly ifNoneWaits?: boolean | undefined;
}

/**
 * Stores a change of a delivery; false: it is no longer in the state of `delivery`, another process holds the lane, or another condition is
 * not met. The SQL is joined here, because Kysely takes as long as SQLite.
 */
export async function changeDelivery(
  db: Kysely<Tables>,
  delivery: Delivery,
  change: DeliveryChange,
  { token, ifNoneWaits = false }: ChangeCondition = {},
): Promise<boolean> {
  const columns = Object.entries(toColumns(change));
  const set = columns.map(([column]) => `"${column}" = ?`).join(', ');
  // If it was withdrawn and decided again in the meantime, the same key names another delivery.
  let text = `update "delivery" set ${set} where "id" = ? and "state" = ? and "firing" = ?`;
  let parameters = [...columns.map(([, value]) => value), delivery.id, delivery.state, delivery.firing];
  if (isRepeat(delivery, change)) text = `${text} and "withdrawn" is null`;
  if (ifNoneWaits) {
    text = `${text} and ${NONE_WAITS}`;
    parameters = [...parameters, delivery.id, delivery.account];
  }
  if (token !== undefined) {
    text = `${HELD} ${text} and exists (select 1 from held)`;
    parameters = [delivery.account, token, ...parameters];
  }
  const { numAffectedRows } = await db.executeQuery(CompiledQuery.raw(withPlaceholders(db, text), parameters));
  return numAffectedRows !== 0n;
}

/** The lock makes the next holder of the lane wait for the end of this transaction. */
const HELD = 'with held as (select 1 from lane where account = ? and token = ? and until_ms > now_ms() for share)';

const NONE_WAITS = `not exists (
  select 1 from need join delivery as dependent on dependent.id = need.delivery
  where need.needed = ? and dependent.account <> ? and dependent.state in ('pending', 'sending', 'asked'))`;
