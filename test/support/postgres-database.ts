import pg from 'pg';
import { startPostgres, type TestPostgres } from './postgres.ts';

/** A new empty database, on the server that all test files of this process share. */
export interface TestDatabase extends AsyncDisposable {
  /** Its address, with user and password. */
  readonly url: string;
  readonly port: number;
  /** Its address as the program names it: without user and password. */
  readonly address: string;
  /** A schema name that no other test on this database uses. */
  newSchema(): string;
}

let sharedServer: Promise<Pick<TestPostgres, 'url' | 'port'>> | undefined;
let databases = 0;

/**
 * Creates a database. Its disposal ends connections that are still open. The server of this process starts once, and ends with the run
 * of tests. `FANFARE_TEST_POSTGRES` is the address of a running server that is used instead.
 */
export async function createDatabase(): Promise<TestDatabase> {
  sharedServer ??= openServer();
  const server = await sharedServer;
  // Processes that use the same running server must not choose the same name.
  const name = `database_${process.pid}_${++databases}`;
  await runStatement(server.url, `create database ${name}`);
  let schemas = 0;
  return {
    url: server.url.replace(/[^/]+$/, name),
    port: server.port,
    address: `127.0.0.1:${server.port}/${name}`,
    newSchema: () => `test_${++schemas}`,
    [Symbol.asyncDispose]: () => runStatement(server.url, `drop database ${name} with (force)`),
  };
}

/**
 * A pool for a test. `pool.end()` does not wait until its connections are closed, so the disposal of the database may end one of them,
 * which is an error of the pool.
 */
export function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', () => undefined);
  return pool;
}

async function openServer(): Promise<Pick<TestPostgres, 'url' | 'port'>> {
  const url = process.env['FANFARE_TEST_POSTGRES'];
  return url === undefined ? await startPostgres() : { url, port: Number(new URL(url).port) };
}

async function runStatement(url: string, command: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(command);
  await client.end();
}
