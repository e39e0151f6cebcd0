import { sql, type Expression, type Kysely, type SqlBool } from 'kysely';
import type { NeedState } from '#src/delivery/ordering.ts';
import type { Need } from '#src/rules/needs.ts';
import { toNeed } from './delivery-row.ts';
import type { Tables } from './tables.ts';

/** Whether a delivery is not settled, in the words of the index: SQLite uses the index for no other words. */
export function isOpen(table: string): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${table}.state`)} in ('pending', 'sending', 'asked')`;
}

/** What open deliveries need of those in the state `unknown` or `asked`. */
export async function waitingNeeds(db: Kysely<Tables>): Promise<readonly NeedState[]> {
  const found: NeedState[] = [];
  // Each state has an index, and the planner finds it only if the states are asked for one by one.
  for (const state of ['unknown', 'asked'] as const) {
    const waited = db
      .selectFrom('delivery')
      .select('delivery.id')
      .where(sql<SqlBool>`delivery.state = ${sql.lit(state)}`);
    const rows = await openNeeds(db).where('need.needed', 'in', waited).execute();
    found.push(...rows.map((row) => ({ ...toNeed(row), state })));
  }
  return found;
}

/** What open deliveries need of these. */
export async function dependentsOf(db: Kysely<Tables>, ids: readonly string[]): Promise<readonly Need[]> {
  const rows = await openNeeds(db)
    .where(sql<SqlBool>`need.needed in (select value from json_each(${JSON.stringify(ids)}))`)
    .execute();
  return rows.map(toNeed);
}

function openNeeds(db: Kysely<Tables>) {
  const isDependentOpen = sql<SqlBool>`exists (select 1 from delivery as dependent where dependent.id = need.delivery and ${isOpen('dependent')})`;
  return db.selectFrom('need').selectAll().where(isDependentOpen);
}
