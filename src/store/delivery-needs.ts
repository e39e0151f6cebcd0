import { sql, type Expression, type Kysely, type Selectable, type SqlBool } from 'kysely';
import type { NeedState } from '#src/engine/delivery/ordering.ts';
import type { Need } from '#src/rules/needs.ts';
import { isOneOf } from './json-list.ts';
import { toNeed } from './delivery-row.ts';
import { prepared } from './prepared.ts';
import type { Tables } from './tables.ts';

/** Whether a delivery is not settled, in the words of the index: SQLite uses the index for no other words. */
export function isOpen(table: string): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${table}.state`)} in ('pending', 'sending', 'asked')`;
}

/** What open deliveries need of those in the state `unknown` or `asked`. */
export async function waitingNeeds(db: Kysely<Tables>): Promise<readonly NeedState[]> {
  const { rows } = await findWaitingNeeds(db, {});
  return rows.map((row) => ({ ...toNeed(row), state: row.state }));
}

/** Each state has an index, and the planner finds it only if the states are asked for one by one. */
const findWaitingNeeds = prepared(
  () => sql<Selectable<Tables['need']> & Pick<NeedState, 'state'>>`
    select need.delivery, need.needed, need.reads, need.stops, waited.state from (
      select id, state from delivery where state = 'unknown' union all select id, state from delivery where state = 'asked'
    ) as waited
    join need on need.needed = waited.id
    where exists (select 1 from delivery as dependent where dependent.id = need.delivery and ${isOpen('dependent')})`,
);

/** What open deliveries need of these. */
export async function dependentsOf(db: Kysely<Tables>, ids: readonly string[]): Promise<readonly Need[]> {
  const rows = await openNeeds(db).where(isOneOf('need.needed', ids)).execute();
  return rows.map(toNeed);
}

function openNeeds(db: Kysely<Tables>) {
  const isDependentOpen = sql<SqlBool>`exists (select 1 from delivery as dependent where dependent.id = need.delivery and ${isOpen('dependent')})`;
  return db.selectFrom('need').selectAll().where(isDependentOpen);
}
