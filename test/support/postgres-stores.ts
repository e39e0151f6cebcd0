import type { Kysely } from 'kysely';
import pg from 'pg';
import type { Clock } from '#src/clock.ts';
import { openDatabaseClock } from '#src/store/postgres/database-clock.ts';
import { connectDatabase, storeIn, type Connected, type PostgresStore } from '#src/store/postgres/open.ts';
import type { Tables } from '#src/store/tables.ts';
import { createDatabase, type TestDatabase } from './postgres-database.ts';

let shared: Promise<{ readonly database: TestDatabase; readonly client: pg.Client }> | undefined;
const free: Connected[] = [];

/** The database of all empty stores of this process. */
export async function databaseOfStores(): Promise<TestDatabase> {
  return (await (shared ??= connect())).database;
}

async function connect() {
  const database = await createDatabase();
  const client = new pg.Client(database.url);
  await client.connect();
  // The server ends before this process.
  client.on('error', () => undefined);
  return { database, client };
}

/** Opens an empty store. Its schema is emptied after its disposal, and used again with its connections: to open others takes five times as long. */
export async function openEmptyStore({ clock }: { readonly clock?: Clock } = {}): Promise<PostgresStore> {
  const { client } = await (shared ??= connect());
  const connected = free.pop() ?? (await connectNew());
  const db = createLentDatabase(connected.db);
  const store = storeIn({ ...connected, db }, { clock: clock ?? (await openDatabaseClock(db)) });
  const close = store[Symbol.asyncDispose].bind(store);
  return Object.assign(store, {
    async [Symbol.asyncDispose]() {
      await close();
      await client.query(EMPTY.replaceAll('$schema', connected.schema));
      free.push(connected);
    },
  });
}

async function connectNew(): Promise<Connected> {
  const server = await databaseOfStores();
  return connectDatabase({ url: server.url, schema: server.newSchema(), maxConnections: 4 });
}

/** Its `destroy` leaves the connections open, but refuses later statements. They would change the store of the next test. */
function createLentDatabase(db: Kysely<Tables>): Kysely<Tables> {
  let isOpen = true;
  const lent = db.withPlugin({
    transformQuery({ node }) {
      if (!isOpen) throw new Error('the store of this test is closed');
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const destroy = async (): Promise<void> => {
    isOpen = false;
  };
  return Object.assign(lent, { destroy });
}

const EMPTY = `
do $$
declare name text;
begin
  perform set_config('search_path', '$schema', true);
  perform set_config('session_replication_role', 'replica', true);
  for name in select tablename from pg_tables where schemaname = '$schema' and tablename <> 'schema_version' loop
    execute format('delete from %I', name);
  end loop;
end $$`;
