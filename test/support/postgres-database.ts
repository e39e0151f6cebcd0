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

let sharedServer: Promise<TestPostgres> | undefined;
let databases = 0;

/** Creates a database. Its disposal ends connections that are still open. The server of this process starts once, and ends with the run of tests. */
export async function createDatabase(): Promise<TestDatabase> {
  sharedServer ??= startPostgres();
  const server = await sharedServer;
  const name = `database_${++databases}`;
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

async function runStatement(url: string, command: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(command);
  await client.end();
}
