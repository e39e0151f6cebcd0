import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';

/** A table function for the texts of a JSON array, with the column `value`. PostgreSQL finds the function by the type of its argument. */
export const JSON_TEXTS = 'json_each(cast(? as text))';

/** These texts as a table with the column `value`. The SQL is the same for any number of texts. */
export function eachOf(values: readonly string[]): RawBuilder<unknown> {
  return sql`json_each(cast(${JSON.stringify(values)} as text))`;
}

/** Whether a column has one of these values. */
export function isOneOf(column: string, values: readonly string[]): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} in (select value from ${eachOf(values)})`;
}
