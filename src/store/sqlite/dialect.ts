import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
} from 'kysely';
import { createBusyTimeout, type BusyTimeout } from './busy-timeout.ts';
import { cannotUse, StateUnavailable } from './cannot-open.ts';
import { createFifoLock, type FifoLock } from './fifo-lock.ts';

const STATEMENTS = 200;

/** Receives the refusals of statements. */
export type OnUnavailable = (error: StateUnavailable) => void;

/** Kysely over one connection of node:sqlite. One query or transaction has it at a time, in the order of the calls. */
export function sqliteDialect(database: DatabaseSync, onUnavailable: OnUnavailable = () => undefined): Dialect {
  const busyTimeout = createBusyTimeout(database);
  const connection = connect(database, (error) => {
    if (error.code === 'SQLITE_BUSY') busyTimeout.disable();
    onUnavailable(error);
  });
  const lock = createFifoLock();
  return {
    createAdapter: () => new LockingAdapter(connection, lock),
    createDriver: () => createDriver(database, { connection, lock, busyTimeout }),
    createQueryCompiler: () => new ReusableCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/**
 * Runs a compiled query on the connection of SQLite; undefined if the database is another one. It does the same as `db.executeQuery`, whose
 * layers take several times as long as a small statement. `db` is no connection of `db.connection()`, which has the lock already.
 */
export function executeDirectly<R>(
  db: Pick<Kysely<unknown>, 'getExecutor' | 'isTransaction'>,
  query: CompiledQuery<R>,
): Promise<QueryResult<R>> | undefined {
  const { adapter } = db.getExecutor();
  return adapter instanceof LockingAdapter ? adapter.execute(query, db.isTransaction) : undefined;
}

/**
 * SQLite parses a statement again at each execution if a plain parameter is a limit, or is compared where a partial index has a constant,
 * because the best plan could depend on the value. The sign keeps the plan, and changes no value and no affinity.
 */
class ReusableCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }
}

/** Leaves the lock on the connection to the driver: the mutex of Kysely wakes all waiters at each release, which is quadratic. */
class LockingAdapter extends SqliteAdapter {
  readonly #connection: DatabaseConnection;
  readonly #lock: FifoLock;

  constructor(connection: DatabaseConnection, lock: FifoLock) {
    super();
    this.#connection = connection;
    this.#lock = lock;
  }

  /** Runs a query. A transaction has the lock. */
  async execute<R>(query: CompiledQuery<R>, isInTransaction: boolean): Promise<QueryResult<R>> {
    if (isInTransaction) return this.#connection.executeQuery<R>(query);
    await this.#lock.acquire();
    try {
      return await this.#connection.executeQuery<R>(query);
    } finally {
      this.#lock.release();
    }
  }

  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

interface DriverParts {
  readonly connection: DatabaseConnection;
  readonly lock: FifoLock;
  readonly busyTimeout: BusyTimeout;
}

function createDriver(database: DatabaseSync, { connection, lock, busyTimeout }: DriverParts): Driver {
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
    async beginTransaction() {
      await run('begin immediate');
      busyTimeout.restore();
    },
    commitTransaction: () => run('commit'),
    rollbackTransaction: async () => {
      // A full disk has already rolled back the transaction.
      if (database.isTransaction) await run('rollback');
    },
    destroy: async () => database.close(),
  };
}

function connect(database: DatabaseSync, onUnavailable: OnUnavailable): DatabaseConnection {
  const prepare = cacheStatements(database);
  return {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      try {
        const { statement, answers } = prepare(sql);
        const values = parameters as readonly SQLInputValue[]; // the tables have no columns of other types
        if (answers) return { rows: statement.all(...values) as R[] }; // Kysely typed the query
        const { changes } = statement.run(...values);
        return { rows: [], numAffectedRows: BigInt(changes) };
      } catch (cause) {
        // A file can be damaged, and a disk can become full, while the file is open.
        const error = cannotUse(database.location() ?? '', cause);
        if (error instanceof StateUnavailable) onUnavailable(error);
        throw error;
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
