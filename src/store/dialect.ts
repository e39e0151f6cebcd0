import { CompiledQuery, PostgresAdapter, type Kysely, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Whether the database is PostgreSQL, where several processes write at once. SQLite has one writer. */
export function isPostgres(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** PostgreSQL gets many rows in a statement, because each statement is a round trip. SQLite keeps one prepared statement. */
export function rowsPerStatement(db: Kysely<Tables>): number {
  return isPostgres(db) ? 100 : 1;
}

/** Writes `?` and `?1` in the form of the database. */
export function withPlaceholders(db: Kysely<Tables>, text: string): string {
  if (!isPostgres(db)) return text;
  let last = 0;
  return text.replaceAll(/\?(\d*)/gu, (_, number: string) => `$${number === '' ? ++last : number}`);
}

/** Keeps other transactions from writing to a table until the end of this one. It comes first in a transaction that reads before it writes. */
export async function lockTable(trx: Transaction<Tables>, table: keyof Tables): Promise<void> {
  if (isPostgres(trx)) await trx.executeQuery(CompiledQuery.raw(`lock table ${table} in share row exclusive mode`));
}

/** Keeps other transactions from committing a slot of a rule until the end of this one. */
export async function lockRule(trx: Transaction<Tables>, rule: string): Promise<void> {
  if (isPostgres(trx)) await trx.executeQuery(CompiledQuery.raw('select 1 from rule_state where rule = $1 for update', [rule]));
}
