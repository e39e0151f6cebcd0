import { CompiledQuery, type Kysely, type QueryResult } from 'kysely';
import { isPostgres, withPlaceholders } from './dialect.ts';
import type { Tables } from './tables.ts';

/** Executes a statement with its parameters. */
type Execute<R> = (db: Kysely<Tables>, ...parameters: readonly (string | number | null)[]) => Promise<QueryResult<R>>;

/** A statement that runs for every slot of every rule. Kysely builds and compiles other queries at each execution, which takes longer than SQLite. */
export function statement<R = never>(text: string): Execute<R> {
  let numbered: string | undefined;
  return (db, ...parameters) => {
    const sql = isPostgres(db) ? (numbered ??= withPlaceholders(db, text)) : text;
    return db.executeQuery<R>(CompiledQuery.raw(sql, [...parameters]) as CompiledQuery<R>); // the caller knows the rows of its text
  };
}
