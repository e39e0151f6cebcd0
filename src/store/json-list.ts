import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import { textsToJson } from './columns.ts';
import { Placeholder } from './prepared.ts';

/**
 * These texts as a table with the column `value`. The SQL is the same for any number of texts. PostgreSQL finds its function by the type of
 * the argument.
 */
export function eachOf(values: readonly string[]): RawBuilder<unknown> {
  return sql`json_each(cast(${values instanceof Placeholder ? values.asJson() : textsToJson(values)} as text))`;
}

/** Whether a column has one of these values. */
export function isOneOf(column: string, values: readonly string[]): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} in (select value from ${eachOf(values)})`;
}
