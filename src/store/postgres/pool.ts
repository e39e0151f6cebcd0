import type { ClientBase, Pool } from 'pg';
import { driverUrl } from './driver-url.ts';
import { setUpSession, STATEMENT_MS } from './session.ts';

export interface PoolOptions {
  readonly url: string;
  readonly schema: string;
  /** The name of this process in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly maxConnections: number;
}

const CONNECT_MS = 5_000;

/** Creates a pool of connections to one schema. The driver loads here, because a store in a file does not need it. */
export async function createPool({ url, schema, applicationName, maxConnections }: PoolOptions): Promise<Pool> {
  const { default: pg } = await import('pg');
  // The declaration leaves out that the pool waits for it, and does not use a connection for which it fails.
  const setUp = (client: ClientBase): unknown => setUpSession(client, schema);
  const pool = new pg.Pool({
    ...(await connectionOptions({ url, applicationName })),
    max: maxConnections,
    onConnect: setUp,
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

/** The options of one connection, in a pool or alone. `setUpSession` makes the settings of the session. */
export async function connectionOptions({ url, applicationName }: Pick<PoolOptions, 'url' | 'applicationName'>) {
  return {
    connectionString: driverUrl(url),
    types: await sqlTypes(),
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_MS,
    // The network may lose the answer, so the client waits only for a limited time.
    query_timeout: STATEMENT_MS + 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
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
