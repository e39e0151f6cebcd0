import { sql, type Expression, type Kysely, type SqlBool } from 'kysely';
import { DELIVERY_COLUMNS, type DeliveryRow } from './delivery-row.ts';
import { waiting } from './waiting.ts';
import type { Tables } from './tables.ts';

/** What `Deliveries.due` promises. */
export async function findDue(
  db: Kysely<Tables>,
  account: string,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<readonly DeliveryRow[]> {
  return waiting(db)
    .selectFrom('delivery as due')
    .select(DELIVERY_COLUMNS)
    .where(isOpen('due'))
    .where('due.account', '=', account)
    .where('due.due_ms', '<=', nowMs)
    .where((eb) => {
      const onOperator = eb.selectFrom('on_operator').select('on_operator.id');
      const onPerson = eb.selectFrom('on_person').select('on_person.id');
      const unmet = eb
        .selectFrom('need')
        .innerJoin('delivery as needed', 'needed.id', 'need.needed')
        .select('needed.seq')
        .whereRef('need.delivery', '=', 'due.id')
        .where((its) =>
          its.or([
            // What waits for the operator counts as settled, as that may be for ever.
            its.and([
              isAhead('needed'),
              its.or([its('need.reads', '=', 1), its('need.stops', '=', 1), its('needed.id', 'not in', onOperator)]),
            ]),
            its.and([its('need.reads', '=', 1), its('needed.state', 'in', ['unknown', 'asked'])]),
          ]),
        );
      const ahead = eb
        .selectFrom('delivery as ahead')
        .select('ahead.seq')
        .where(isAhead('ahead'))
        .whereRef('ahead.account', '=', 'due.account')
        .whereRef('ahead.queue', '=', 'due.queue')
        .where(sql<SqlBool>`(ahead.turn, ahead.part) < (due.turn, due.part)`)
        .where((its) => {
          // Firings of a queue come one after the other, with all that they wait for; what an end waits for holds nothing up.
          const isEarlierFiring = its.and([
            its('ahead.section', '=', 'then'),
            its('due.section', '=', 'then'),
            its('ahead.firing', '!=', its.ref('due.firing')),
          ]);
          return its.or([its('ahead.begins_ms', '<=', nowMs), isEarlierFiring]);
        })
        .where('ahead.id', 'not in', onOperator)
        .where('ahead.id', 'not in', onPerson);
      return eb.or([
        eb('due.state', 'in', ['sending', 'asked']),
        // It will never be begun, whatever it waits for.
        eb.and([eb('due.since_ms', 'is', null), eb('due.expires_ms', '<', nowMs)]),
        eb.and([eb.not(eb.exists(unmet)), eb.not(eb.exists(ahead))]),
      ]);
    })
    .orderBy((eb) => eb('due.state', '=', 'sending'), 'desc')
    .orderBy('due.turn')
    .orderBy('due.part')
    .limit(limit)
    .execute();
}

/** Whether something may still happen to a delivery by itself, in the words of the index: in others it would not be used. */
export function isOpen(table: string): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${table}.state`)} in ('pending', 'sending', 'asked')`;
}

/** Whether a delivery holds up what comes after it, in the words of the index. */
function isAhead(table: string): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${table}.state`)} in ('pending', 'sending')`;
}
