import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely';
import { cannotUse } from './cannot-open.ts';
import { createFifoLock } from './fifo-lock.ts';

const STATEMENTS = 200;

/** Kysely over one connection of node:sqlite. One query or transaction has it at a time, in the order of the calls. */
export function sqliteDialect(database: DatabaseSync): Dialect {
  return {
    createAdapter: () => new LockingAdapter(),
    createDriver: () => createDriver(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** Leaves the lock on the connection to the driver: the mutex of Kysely wakes all waiters at each release, which is quadratic. */
class LockingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

function createDriver(database: DatabaseSync): Driver {
  const connection = connect(database);
  const lock = createFifoLock();
  const run = async (sql: string): Promise<void> => {
    await connection.executeQuery(CompiledQuery.raw(sql));
  };
  return {
    init: async () => undefined,
    async acquireConnection() {
      await lock.acquire();
      return connection;
    },
    releaseConnection: async () => lock.release(),
    // A transaction takes the write lock first: a reader that starts to write later would fail at once.
    beginTransaction: () => run('begin immediate'),
    commitTransaction: () => run('commit'),
    rollbackTransaction: async () => {
      // A full disk has already rolled back the transaction.
      if (database.isTransaction) await run('rollback');
    },
    destroy: async () => database.close(),
  };
}

function connect(database: DatabaseSync): DatabaseConnection {
  const prepare = cacheStatements(database);
  return {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      try {
        const { statement, answers } = prepare(sql);
        const values = parameters as readonly SQLInputValue[]; // the tables have no columns of other types
        if (answers) return { rows: statement.all(...values) as R[] }; // Kysely typed the query
        const { changes } = statement.run(...values);
        return { rows: [], numAffectedRows: BigInt(changes) };
      } catch (error) {
        // A file can be damaged, and a disk can become full, while the file is open.
        throw cannotUse(database.location() ?? '', error);
      }
    },

    streamQuery() {
      throw new Error('the store reads no streams');
    },
  };
}

interface Prepared {
  readonly statement: StatementSync;
  /** Whether the statement returns rows. */
  readonly answers: boolean;
}

/** Prepares each statement once and keeps up to 200. */
function cacheStatements(database: DatabaseSync): (sql: string) => Prepared {
  const cache = new Map<string, Prepared>();
  return (sql) => {
    const known = cache.get(sql);
    if (known) return known;
    if (cache.size >= STATEMENTS) cache.clear();
    const prepared = prepare(database, sql);
    cache.set(sql, prepared);
    return prepared;
  };
}

function prepare(database: DatabaseSync, sql: string): Prepared {
  const statement = database.prepare(sql);
  return { statement, answers: statement.columns().length > 0 };
}
