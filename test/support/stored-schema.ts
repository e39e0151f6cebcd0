import type { DatabaseSync } from 'node:sqlite';
import type { Client } from 'pg';

/** The schema of a database, by kind and name, without the order of the columns. */
export type StoredSchema = Readonly<Record<string, unknown>>;

/** The tables, columns, keys, indexes and triggers of a SQLite database. */
export function sqliteSchema(database: DatabaseSync): StoredSchema {
  const all = (sql: string, ...values: readonly string[]) => database.prepare(sql).all(...values);
  const tables = all("select name, wr, strict from pragma_table_list where schema = 'main' and name not like 'sqlite_%'");
  return Object.fromEntries([
    ...tables.flatMap((table) => {
      const name = String(table['name']);
      const { columns, constraints } = definitionsOf(name, all('select sql from sqlite_schema where name = ?', name)[0]?.['sql']);
      return [
        [`table ${name}`, { ...table, constraints }],
        ...all('select name, type, "notnull", dflt_value, pk, hidden from pragma_table_xinfo(?)', name).map((column) => [
          `column ${name}.${String(column['name'])}`,
          { ...column, definition: columns.get(String(column['name'])) },
        ]),
        [`references of ${name}`, all('select "from", "table", "to", on_delete from pragma_foreign_key_list(?)', name)],
      ];
    }),
    ...all("select type, name, tbl_name, sql from sqlite_schema where type in ('index', 'trigger')").map((one) => [
      `${String(one['type'])} ${String(one['name'])}`,
      { ...one, sql: one['sql'] === null ? null : normal(String(one['sql'])) },
    ]),
  ]);
}

/** The computed columns and the checks, which no pragma lists. */
function definitionsOf(
  name: string,
  sql: unknown,
): { readonly columns: ReadonlyMap<string, string>; readonly constraints: readonly string[] } {
  const text = normal(String(sql));
  const computed = [...text.matchAll(/[(,] (\w+) (?:integer|text) (generated always as \(.*?\) virtual)(?= [,)])/gu)];
  const checks = [...text.matchAll(/check \((.*?\))\s*\)/gu)].map(([, condition = '']) => `${name}: ${condition}`);
  return { columns: new Map(computed.map(([, column = '', definition = '']) => [column, definition])), constraints: checks };
}

function normal(sql: string): string {
  return sql
    .replaceAll('"', '')
    .replaceAll(/([(),])/gu, ' $1 ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

const POSTGRES_QUERIES = {
  columns: `
    select c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required, a.attidentity::text as identity,
      a.attgenerated::text as computed, co.collname as collation, pg_get_expr(d.adbin, d.adrelid) as value
    from pg_attribute a join pg_class c on c.oid = a.attrelid and c.relkind = 'r' left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      left join pg_collation co on co.oid = a.attcollation
    where c.relnamespace = $1::regnamespace and a.attnum > 0 and not a.attisdropped`,
  tables: "select relname as name, reloptions as options from pg_class where relkind = 'r' and relnamespace = $1::regnamespace",
  constraints: `select conname as name, conrelid::regclass::text as of, pg_get_constraintdef(oid) as definition from pg_constraint where contype <> 'n' and connamespace = $1::regnamespace`,
  indexes: 'select indexname as name, indexdef as definition from pg_indexes where schemaname = $1',
  triggers: `
    select t.tgname as name, pg_get_triggerdef(t.oid) as definition from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = $1::regnamespace and not t.tgisinternal`,
  functions: 'select p.proname as name, pg_get_functiondef(p.oid) as definition from pg_proc p where p.pronamespace = $1::regnamespace',
} as const;

/** The tables, columns, constraints, indexes, triggers and functions of a PostgreSQL schema. */
export async function postgresSchema(client: Pick<Client, 'query'>, schema: string): Promise<StoredSchema> {
  const found: [string, unknown][] = [];
  for (const [kind, sql] of Object.entries(POSTGRES_QUERIES)) {
    const { rows } = await client.query<{ readonly name: string }>(sql, [schema]);
    for (const row of rows) found.push([`${kind} ${row.name}`, JSON.parse(JSON.stringify(row).replaceAll(schema, 'schema'))]);
  }
  return Object.fromEntries(found);
}
