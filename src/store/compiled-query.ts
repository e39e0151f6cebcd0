import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Runs a query with these values of its parameters, in the order of its SQL. */
export type Run<R> = (...parameters: readonly unknown[]) => Promise<readonly R[]>;

/** A query that is compiled at its first run, because compilation costs more than most queries. `query` has any values for its parameters. */
export function compileOnce<R>(db: Kysely<Tables>, query: () => Compilable<R>): Run<R> {
  let compiled: CompiledQuery<R> | undefined;
  return async (...parameters) => {
    compiled ??= query().compile();
    const { rows } = await db.executeQuery<R>({ ...compiled, parameters });
    return rows;
  };
}
