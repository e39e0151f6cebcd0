import { DatabaseSync } from 'node:sqlite';
import { migrate } from '#src/store/sqlite/migrate.ts';
import { SCHEMA } from '#src/store/sqlite/schema.ts';

/** Every statement that the dialect prepares in this process until the end of its use. */
export interface CollectedStatements extends Disposable {
  readonly statements: ReadonlySet<string>;
}

/** Collects the statements that node:sqlite prepares from now on. */
export function collectStatements(): CollectedStatements {
  const statements = new Set<string>();
  // oxlint-disable-next-line typescript/unbound-method -- the replacement calls it with its database
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function collect(sql, ...options) {
    statements.add(sql);
    return prepare.call(this, sql, ...options);
  };
  return {
    statements,
    [Symbol.dispose]: () => {
      DatabaseSync.prototype.prepare = prepare;
    },
  };
}

/** A step of the plan of a statement. */
export interface PlanStep {
  /** For example `SEARCH delivery USING INDEX delivery_rule (rule=?)`, with the name of the table instead of its alias. */
  readonly step: string;
  readonly sql: string;
}

/** The plans of the statements on an empty database. Fanfare keeps no statistics, so a large database has the same plans. */
export function plansOf(statements: Iterable<string>): readonly PlanStep[] {
  using database = emptyState();
  return [...statements].filter(isQuery).flatMap((sql) => {
    const tables = new Map([...sql.matchAll(/"?(\w+)"? as "?(\w+)"?/gu)].map(([, table = '', alias = '']) => [alias, table]));
    const plan = database.prepare(`explain query plan ${sql}`).all();
    return plan.map(({ detail }) => ({
      step: String(detail).replace(/^(SCAN|SEARCH) (\w+)/u, (_, verb: string, name: string) => `${verb} ${tables.get(name) ?? name}`),
      sql,
    }));
  });
}

/** The indexes with a condition. */
export function partialIndexes(): readonly string[] {
  using database = emptyState();
  return database
    .prepare("select name from sqlite_schema where type = 'index' and sql like '% where %'")
    .all()
    .map(({ name }) => String(name));
}

function emptyState(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  migrate(database, { file: ':memory:', schema: SCHEMA });
  return database;
}

function isQuery(sql: string): boolean {
  return /^\s*(?:select|insert|update|delete|with)\b/iu.test(sql) && !sql.includes('sqlite_schema');
}
