import pg from 'pg';
import { openPostgresStore, type PostgresStore, type PostgresStoreOptions } from '#src/store/postgres/open.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';

/** Empty stores on one server. */
export interface TestStores extends AsyncDisposable {
  readonly postgres: TestPostgres;
  /** Opens an empty store. Its schema is emptied and used again after its disposal, because that takes less time than a new schema. */
  open(options?: Omit<PostgresStoreOptions, 'url' | 'schema'>): Promise<PostgresStore>;
}

/** Starts a server for stores. */
export async function startPostgresStores(): Promise<TestStores> {
  const postgres = await startPostgres();
  const free: string[] = [];
  const client = new pg.Client(postgres.url);
  await client.connect();
  return {
    postgres,
    async open(options) {
      const schema = free.pop() ?? postgres.newSchema();
      const store = await openPostgresStore({ maxConnections: 4, ...options, url: postgres.url, schema });
      const close = store[Symbol.asyncDispose].bind(store);
      return Object.assign(store, {
        async [Symbol.asyncDispose]() {
          await close();
          await client.query(EMPTY.replaceAll('$schema', schema));
          free.push(schema);
        },
      });
    },
    async [Symbol.asyncDispose]() {
      await client.end();
      await postgres[Symbol.asyncDispose]();
    },
  };
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
