import { PostgresAdapter, sql, type Kysely, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Whether the database is PostgreSQL, where several processes write at once. SQLite has one writer. */
export function isPostgres(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** PostgreSQL gets many rows in a statement, because each statement is a round trip. SQLite keeps one prepared statement. */
export function rowsPerStatement(db: Kysely<Tables>): number {
  return isPostgres(db) ? 100 : 1;
}

/** Keeps other transactions from writing to a table until the end of this one. It comes first in a transaction that reads before it writes. */
export async function lockTable(trx: Transaction<Tables>, table: keyof Tables): Promise<void> {
  if (isPostgres(trx)) await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(trx);
}

/** Keeps other transactions from committing a slot of a rule until the end of this one. */
export async function lockRule(trx: Transaction<Tables>, rule: string): Promise<void> {
  if (isPostgres(trx)) await sql`select 1 from rule_state where rule = ${rule} for update`.execute(trx);
}
