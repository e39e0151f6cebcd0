import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { isSettled, type Delivery } from '#src/engine/delivery/delivery.ts';
import { isPostgres } from './dialect.ts';
import type { Tables } from './tables.ts';

/** The column of SQLite with 1 for a settled delivery, and null for an open one. */
export interface SettledColumn {
  readonly settled?: 1 | null;
}

/**
 * The column of a delivery in this state.
 *
 * SQLite renews each index whose condition names a changed column. So the indexes of due deliveries have this column in their conditions and
 * not the state, which changes twice in each delivery. PostgreSQL has no such column, because it renews all indexes of a changed row.
 */
export function settledColumn(db: Kysely<Tables>, delivery: Pick<Delivery, 'state'>): SettledColumn {
  return isPostgres(db) ? {} : { settled: isSettled(delivery) ? 1 : null };
}

/** The column, if a change settles a delivery or opens it again. */
export function changedSettledColumn(db: Kysely<Tables>, before: Pick<Delivery, 'state'>, after: Pick<Delivery, 'state'>): SettledColumn {
  return isSettled(before) === isSettled(after) ? {} : settledColumn(db, after);
}

/** Whether a delivery is open, in the words of the indexes of due deliveries. */
export function isUnsettled(db: Kysely<Tables>, table = 'delivery'): RawBuilder<SqlBool> {
  if (!isPostgres(db)) return sql<SqlBool>`${sql.ref(`${table}.settled`)} is null`;
  return sql<SqlBool>`${sql.ref(`${table}.state`)} in ('pending', 'sending', 'asked')`;
}
