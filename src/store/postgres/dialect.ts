import type { Pool, PoolClient } from 'pg';
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely';
import type { Tables } from '#src/store/tables.ts';
import { DatabaseUnavailable, isLostConnection, refusesWork } from './database-error.ts';
import type { NamedQuery } from '../prepared.ts';
import { createStatementNames } from './statement-names.ts';

/** Receives the results of statements. */
export interface StatementWatch {
  /** A statement was answered, even with an error. */
  answered(): void;
  /** A connection was lost, or could not be opened, or the database refused a write, or has no tables. */
  failed(cause: unknown): void;
}

const UNWATCHED: StatementWatch = { answered: () => undefined, failed: () => undefined };

/** Runs on a new connection before any other statement. If it fails, the connection is not used. */
export type ConnectionCheck = (db: Kysely<Tables>) => Promise<void>;

interface DialectOptions {
  readonly watch?: StatementWatch | undefined;
  readonly check?: ConnectionCheck | undefined;
}

/** Kysely over a pool of connections. A broken connection leaves the pool. */
export function postgresDialect(pool: Pool, { watch = UNWATCHED, check }: DialectOptions = {}): Dialect {
  const nameOf = createStatementNames();
  const checked = new WeakSet<PoolClient>();

  async function acquire(): Promise<Connection> {
    const client = await connect(pool, watch);
    const connection = new Connection(client, { watch, nameOf });
    if (!check || checked.has(client)) return connection;
    try {
      await check(new Kysely<Tables>({ dialect: dialectOver({ acquire: async () => connection, release: () => undefined }) }));
      checked.add(client);
      return connection;
    } catch (error) {
      connection.release();
      throw error;
    }
  }

  return dialectOver({ acquire, release: (connection) => connection.release(), destroy: () => pool.end() });
}

/** The source of connections. */
interface Connections {
  readonly acquire: () => Promise<Connection>;
  readonly release: (connection: Connection) => void;
  readonly destroy?: () => Promise<void>;
}

function dialectOver(source: Connections): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(source),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}

function createDriver({ acquire, release, destroy = async () => undefined }: Connections): Driver {
  const connections = new WeakMap<DatabaseConnection, Connection>();
  const its = (connection: DatabaseConnection): Connection => {
    const found = connections.get(connection);
    if (!found) throw new Error('the connection is not from this driver');
    return found;
  };
  return {
    init: async () => undefined,
    async acquireConnection() {
      const connection = await acquire();
      connections.set(connection, connection);
      return connection;
    },
    releaseConnection: async (connection) => release(its(connection)),
    beginTransaction: async (connection) => its(connection).begin(),
    commitTransaction: (connection) => its(connection).commit(),
    rollbackTransaction: (connection) => its(connection).rollback(),
    destroy,
  };
}

async function connect(pool: Pool, watch: StatementWatch): Promise<PoolClient> {
  try {
    // This proves nothing about the database: the connection may have been idle.
    return await pool.connect();
  } catch (cause) {
    // Even a wrong password is an outage: the first connection of the process had the right one.
    watch.failed(cause);
    throw new DatabaseUnavailable(cause);
  }
}

class Connection implements DatabaseConnection {
  readonly #client: PoolClient;
  readonly #watch: StatementWatch;
  readonly #nameOf: (text: string) => string | undefined;
  #isLost = false;

  constructor(
    client: PoolClient,
    { watch, nameOf }: { readonly watch: StatementWatch; readonly nameOf: (text: string) => string | undefined },
  ) {
    this.#client = client;
    this.#watch = watch;
    this.#nameOf = nameOf;
  }

  async executeQuery<R>({ sql, parameters, name = this.#nameOf(sql) }: NamedQuery): Promise<QueryResult<R>> {
    const { command, rowCount, rows } = await this.#run(sql, { parameters, name });
    const isChange = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE';
    return {
      rows: rows as R[], // Kysely typed the query
      ...(isChange && { numAffectedRows: BigInt(rowCount ?? 0) }),
    };
  }

  streamQuery(): never {
    throw new Error('the store reads no streams');
  }

  /** Begins a transaction without waiting, so that the first statement saves a round trip. If this fails, the first statement fails. */
  begin(): void {
    this.#run('begin').catch(() => (this.#isLost = true));
  }

  async commit(): Promise<void> {
    const { command } = await this.#run('commit');
    // PostgreSQL answers the commit of a failed transaction with a rollback.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back, because a statement in it failed');
  }

  async rollback(): Promise<void> {
    // PostgreSQL rolls back the transaction of a lost connection.
    if (!this.#isLost) await this.#run('rollback').catch(() => undefined);
  }

  release(): void {
    this.#client.release(this.#isLost);
  }

  async #run(text: string, { parameters = [], name }: RunOptions = {}) {
    try {
      const result = await this.#client.query<object>({ text, values: parameters.map(toValue), name });
      this.#watch.answered();
      return result;
    } catch (cause) {
      this.#isLost ||= isLostConnection(cause);
      if (!this.#isLost && !refusesWork(cause)) {
        this.#watch.answered();
        throw cause;
      }
      this.#watch.failed(cause);
      throw new DatabaseUnavailable(cause);
    }
  }
}

interface RunOptions {
  readonly parameters?: readonly unknown[];
  /** A statement with a name is planned once per connection. */
  readonly name?: string | undefined;
}

/** The value that PostgreSQL gets. Its texts have no NUL character, and its integers are numbers. */
export function toValue(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
  return Number.isNaN(value) ? null : value;
}
