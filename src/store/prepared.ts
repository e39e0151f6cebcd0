import type { Compilable, CompiledQuery, DeleteResult, Kysely, QueryResult, RawBuilder } from 'kysely';
import { chunks, textsToJson } from './columns.ts';
import { isPostgres, rowsPerStatement } from './dialect.ts';
import { executeDirectly } from './sqlite/dialect.ts';
import type { Tables } from './tables.ts';

/** The place of a value in a prepared query. */
export class Placeholder {
  readonly name: string;
  readonly #isJson: boolean;

  constructor(name: string, { isJson = false } = {}) {
    this.name = name;
    this.#isJson = isJson;
  }

  /** The place of the JSON of a list of texts. */
  asJson(): Placeholder {
    return new Placeholder(this.name, { isJson: true });
  }

  toParameter(value: unknown): unknown {
    return this.#isJson ? textsToJson(value as readonly string[]) : value; // only lists of texts are passed as JSON
  }
}

/** A compiled query. PostgreSQL prepares one with a name at its first execution on a connection. */
export type NamedQuery = CompiledQuery & { readonly name?: string | undefined };

type Query<R> = Compilable<R> | RawBuilder<R>;

/** Runs a prepared query with these values. */
export type Prepared<V, R> = (db: Kysely<Tables>, values: V) => Promise<QueryResult<R>>;

let lastName = 0;

/**
 * A query that is built and compiled once, because that takes longer than SQLite takes for most queries. Use it for what runs in every slot
 * or for every delivery.
 *
 * `build` gets placeholders instead of values: it may use them in the query, and nowhere else. A query over all columns would
 * fail after a newer version adds one, so it names its columns.
 *
 * @example
 * const findState = prepared((db, { id }: { readonly id: string }) => db.selectFrom('delivery').select('state').where('id', '=', id));
 * const { rows } = await findState(db, { id: '1' });
 */
export function prepared<V extends object, R>(build: (db: Kysely<Tables>, values: V) => Query<R>): Prepared<V, R> {
  const name = `prepared_${++lastName}`;
  // A placeholder stands for a value of any type.
  return compiledOnce((db) => build(db, new Proxy({}, { get: (_, key) => new Placeholder(String(key)) }) as V), name);
}

/** A deletion that is compiled once. Resolves with the number of deleted rows. */
export function preparedDelete<V extends object>(
  build: (db: Kysely<Tables>, values: V) => Compilable<DeleteResult>,
): (db: Kysely<Tables>, values: V) => Promise<number> {
  const run = prepared(build);
  return async (db, values) => Number((await run(db, values)).numAffectedRows ?? 0);
}

/** The rows before an instant that one deletion of a round takes. */
export interface OldRows {
  readonly beforeMs: number;
  readonly limit: number;
}

/**
 * An insert that is compiled once for each number of rows and each set of columns. In SQLite, each row is a statement. All rows of a call have the
 * same columns. Resolves with what the insert returns.
 */
export function preparedInsert<V extends object, R>(
  build: (db: Kysely<Tables>, rows: readonly V[]) => Query<R>,
): (db: Kysely<Tables>, rows: readonly V[]) => Promise<readonly R[]> {
  const compiled = new Map<string, Prepared<object, R>>();

  function forRows(rows: readonly V[], columns: readonly string[]): Prepared<object, R> {
    const placeholders = rows.map((_, index) =>
      Object.fromEntries(columns.map((column) => [column, new Placeholder(`${index}.${column}`)])),
    );
    return compiledOnce((db) => build(db, placeholders as V[])); // see `prepared`
  }

  return async (db, rows) => {
    const returned: R[] = [];
    for (const some of chunks(rows, rowsPerStatement(db))) {
      // The tables of SQLite and PostgreSQL differ in a column.
      const columns = Object.keys(some[0] ?? {});
      const key = `${some.length} ${columns.join()}`;
      const run = compiled.get(key) ?? forRows(some, columns);
      compiled.set(key, run);
      const result = await run(
        db,
        Object.fromEntries(some.flatMap((row, index) => Object.entries(row).map(([column, value]) => [`${index}.${column}`, value]))),
      );
      returned.push(...result.rows);
    }
    return returned;
  };
}

function compiledOnce<V extends object, R>(build: (db: Kysely<Tables>) => Query<R>, name?: string): Prepared<V, R> {
  const compiled = new Map<boolean, CompiledQuery<R>>();
  return (db, values) => {
    const dialect = isPostgres(db);
    const query = compiled.get(dialect) ?? build(db).compile(db);
    compiled.set(dialect, query);
    const valueOf = values as Readonly<Record<string, unknown>>; // the names of placeholders are its keys
    const parameters = query.parameters.map((one) => (one instanceof Placeholder ? one.toParameter(valueOf[one.name]) : one));
    const bound = { ...query, parameters, name } as CompiledQuery<R>; // with its name, see `NamedQuery`
    return executeDirectly(db, bound) ?? db.executeQuery<R>(bound);
  };
}
