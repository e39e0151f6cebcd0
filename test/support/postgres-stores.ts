import pg from 'pg';
import { openPostgresStore, type PostgresStore, type PostgresStoreOptions } from '#src/store/postgres/open.ts';
import { createDatabase, type TestDatabase } from './postgres-database.ts';

let shared: Promise<{ readonly database: TestDatabase; readonly client: pg.Client }> | undefined;
const freeSchemas: string[] = [];

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

/** Opens an empty store. Its schema is emptied and used again after its disposal, because that takes less time than a new schema. */
export async function openEmptyStore(options?: Omit<PostgresStoreOptions, 'url' | 'schema'>): Promise<PostgresStore> {
  const { database, client } = await (shared ??= connect());
  const { url } = database;
  const schema = freeSchemas.pop() ?? database.newSchema();
  const store = await openPostgresStore({ maxConnections: 4, ...options, url, schema });
  const close = store[Symbol.asyncDispose].bind(store);
  return Object.assign(store, {
    async [Symbol.asyncDispose]() {
      await close();
      await client.query(EMPTY.replaceAll('$schema', schema));
      freeSchemas.push(schema);
    },
  });
}

const EMPTY = `
do $$
declare name text;
begin
  perform set_config('search_path', '$schema', true);
  perform set_config('session_replication_role', 'replica', true);
  for name in select tablename from pg_tables where schemaname = '$schema' and tablename not in ('schema_version', 'sent_count') loop
    execute format('delete from %I', name);
  end loop;
  update sent_count set count = 0 where count <> 0;
end $$`;
