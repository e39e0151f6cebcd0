import { sql, type Expression, type Kysely, type SqlBool } from 'kysely';
import { DELIVERY_COLUMNS, type DeliveryRow } from './delivery-row.ts';
import type { Tables } from './tables.ts';

/** What `Deliveries.due` promises. */
export async function findDue(
  db: Kysely<Tables>,
  account: string,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<readonly DeliveryRow[]> {
  return db
    .withRecursive('held(id)', (cte) =>
      cte
        .selectFrom('need')
        .select('need.delivery as id')
        .where('need.reads', '=', 1)
        .where(
          'need.needed',
          'in',
          cte
            .selectFrom('delivery')
            .select('delivery.id')
            .where(sql<SqlBool>`delivery.state = 'unknown'`),
        )
        .union(cte.selectFrom('need').innerJoin('held', 'held.id', 'need.needed').select('need.delivery as id')),
    )
    .selectFrom('delivery as due')
    .select(DELIVERY_COLUMNS)
    .where(isOpen('due'))
    .where('due.account', '=', account)
    .where('due.due_ms', '<=', nowMs)
    .where((eb) => {
      const unmet = eb
        .selectFrom('need')
        .innerJoin('delivery as needed', 'needed.id', 'need.needed')
        .select('needed.seq')
        .whereRef('need.delivery', '=', 'due.id')
        .where((its) => its.or([isOpen('needed'), its.and([its('need.reads', '=', 1), its('needed.state', '=', 'unknown')])]));
      const ahead = eb
        .selectFrom('delivery as ahead')
        .select('ahead.seq')
        .where(isOpen('ahead'))
        .whereRef('ahead.account', '=', 'due.account')
        .whereRef('ahead.queue', '=', 'due.queue')
        .whereRef('ahead.seq', '<', 'due.seq')
        .where('ahead.id', 'not in', eb.selectFrom('held').select('held.id'));
      return eb.or([
        eb('due.state', '=', 'sending'),
        // It will never be begun, whatever it waits for.
        eb.and([eb('due.since_ms', 'is', null), eb('due.expires_ms', '<', nowMs)]),
        eb.and([eb.not(eb.exists(unmet)), eb.not(eb.exists(ahead))]),
      ]);
    })
    .orderBy((eb) => eb('due.state', '=', 'sending'), 'desc')
    .orderBy('due.seq')
    .limit(limit)
    .execute();
}

/** Whether a delivery is not settled, in the words of the index: in others it would not be used. */
export function isOpen(table: string): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${table}.state`)} in ('pending', 'sending')`;
}
