import type { Pool } from 'pg';

export interface PoolOptions {
  readonly url: string;
  readonly schema: string;
  /** The name of this process in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly maxConnections: number;
}

/** The server ends a longer statement. */
const STATEMENT_MS = 30_000;
/** The server ends the transaction of a process that is frozen or cut off, because other processes wait for its locks. */
const IDLE_IN_TRANSACTION_MS = 10_000;
const CONNECT_MS = 5_000;

/** Creates a pool of connections to one schema. The driver loads here, because a store in a file does not need it. */
export async function createPool({ url, schema, applicationName, maxConnections }: PoolOptions): Promise<Pool> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    ...(await connectionOptions({ url, schema, applicationName })),
    max: maxConnections,
    // A new connection plans each statement again, and most rules run less often than every minute.
    idleTimeoutMillis: 300_000,
    // A statement that is sent before the answer of the one before saves a round trip.
    pipeline: true,
  });
  // The pool replaces a connection that is lost while it is idle.
  pool.on('error', () => undefined);
  // A connection that is lost between two statements of a transaction has no other listener, and the error would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** The options of one connection, in a pool or alone. */
export async function connectionOptions({ url, schema, applicationName }: Omit<PoolOptions, 'maxConnections'>) {
  const settings = {
    search_path: quoted(schema),
    // Compilation takes longer than each of these statements.
    jit: 'off',
    idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
    statement_timeout: String(STATEMENT_MS),
    tcp_keepalives_idle: '10',
    tcp_keepalives_interval: '5',
    tcp_keepalives_count: '3',
  };
  return {
    connectionString: url,
    types: await sqlTypes(),
    application_name: applicationName,
    options: Object.entries(settings)
      // The server splits the options at spaces.
      .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/gu, String.raw`\$&`)}`)
      .join(' '),
    connectionTimeoutMillis: CONNECT_MS,
    // The network may lose the answer, so the client does not wait for ever.
    query_timeout: STATEMENT_MS + 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
}

/** An identifier in quotation marks. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

const INT8 = 20;

/** Integers of 64 bits become numbers: instants and counts fit. */
async function sqlTypes() {
  const { default: pg } = await import('pg');
  return {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
  };
}
