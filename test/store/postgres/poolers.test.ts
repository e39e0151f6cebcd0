import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { examineDatabase } from '#src/app/examine-database.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { silentLog } from '#src/log.ts';
import { openCluster } from '#src/store/postgres/cluster.ts';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { committing } from '../../support/firings.ts';
import { startPooler } from '../../support/pooler.ts';
import { createDatabase } from '../../support/postgres-database.ts';

const postgres = await createDatabase();
afterAll(() => postgres[Symbol.asyncDispose]());

const urlOf = ({ port }: { readonly port: number }): string => postgres.url.replace(`:${postgres.port}/`, `:${port}/`);

test('with a pooler in session mode, a process works with all settings of its sessions', async () => {
  await using pooler = await startPooler({ targetPort: postgres.port, mode: 'session' });
  const schema = postgres.newSchema();
  await using cluster = await openCluster({ url: urlOf(pooler), schema, worker: 'one', role: 'all', log: silentLog });

  expect(await cluster.store.ruleStates.commit(committing([], { slotMs: cluster.clock.nowMs() }))).toBe(true);
  const { rows } = await sql`
    select current_setting('search_path') as path, current_setting('statement_timeout') as longest,
      current_setting('idle_in_transaction_session_timeout') as idle, current_setting('jit') as jit`.execute(cluster.store.db);
  expect(rows).toEqual([{ path: `"${schema}"`, longest: '30s', idle: '10s', jit: 'off' }]);
});

test('a pooler in transaction mode is refused with a remedy, and its connections keep no settings', async () => {
  await using pooler = await startPooler({ targetPort: postgres.port, mode: 'transaction' });
  const opening = openCluster({ url: urlOf(pooler), schema: postgres.newSchema(), worker: 'one', role: 'all', log: silentLog });

  await expect(opening).rejects.toMatchObject({
    name: 'ConfigError',
    message: `the database ${new URL(urlOf(pooler)).host}${new URL(postgres.url).pathname} cannot be opened: a connection pooler that is not in session mode shares its connections`,
    hint: expect.stringContaining('pool_mode = session') as unknown,
  });
  const other = new pg.Client(urlOf(pooler));
  await other.connect();
  const { rows } = await other.query("select current_setting('search_path') as path, current_setting('statement_timeout') as longest");
  await other.end();
  expect(rows).toEqual([{ path: '"$user", public', longest: '0' }]);
});

test('fanfare doctor reports a pooler in transaction mode', async () => {
  await using pooler = await startPooler({ targetPort: postgres.port, mode: 'transaction' });
  const { store, database } = await examineDatabase(configOfEnvironment({ DATABASE_URL: urlOf(pooler) }));
  await store[Symbol.asyncDispose]();

  expect(database).toMatchObject({ state: 'bad', remedy: expect.stringContaining('pool_mode = session') as unknown });
});

test('a parameter that a pooler refuses is an error of configuration, not a defect', async () => {
  await using pooler = await startPooler({ targetPort: postgres.port, mode: 'session' });
  const opening = openPostgresStore({ url: `${urlOf(pooler)}?options=-c%20jit%3Doff`, schema: postgres.newSchema() });

  await expect(opening).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringContaining('a connection pooler refuses the connection (unsupported startup parameter: options)') as unknown,
  });
});
