import { afterAll, expect, onTestFinished, test } from 'vitest';
import type pg from 'pg';
import { silentLog } from '#src/log.ts';
import { openCluster, type Cluster } from '#src/store/postgres/cluster.ts';
import { migrate, type Migrated, type PostgresVersion } from '#src/store/postgres/migrate.ts';
import { createPool } from '#src/store/postgres/pool.ts';
import { SCHEMA } from '#src/store/postgres/schema.ts';
import { newestVersion } from '#src/store/schema/versions.ts';
import { createDatabase, openPool } from '../../support/postgres-database.ts';

const KNOWN = newestVersion(SCHEMA);
/** Programs of this version also work with it. */
const EXPAND: PostgresVersion = { worksWith: KNOWN, sql: 'alter table lane add column region text' };
/** Programs of this version do not work with it. */
const CONTRACT: PostgresVersion = { worksWith: KNOWN + 1, sql: 'alter table lane rename column since_ms to held_since_ms' };

const postgres = await createDatabase();
afterAll(() => postgres[Symbol.asyncDispose]());

const join = (schema: string, worker: string): Promise<Cluster> =>
  openCluster({ url: postgres.url, schema, worker, role: 'worker', log: silentLog });

/** Stops the time of the database, by which processes without a heartbeat die. */
async function stopTime(schema: string): Promise<pg.Pool> {
  const pool = await createPool({ url: postgres.url, schema, applicationName: 'test', maxConnections: 1 });
  onTestFinished(() => pool.end());
  const { rows } = await pool.query<{ readonly ms: string }>('select now_ms() as ms');
  await pool.query(`create or replace function now_ms() returns bigint language sql volatile as 'select ${rows[0]?.ms}::bigint'`);
  return pool;
}

/** Migrates the schema as a newer program does when it starts. */
async function migrateTo(schema: string, ...added: readonly PostgresVersion[]): Promise<Migrated> {
  const pool = await createPool({ url: postgres.url, schema, applicationName: 'newer', maxConnections: 1 });
  onTestFinished(() => pool.end());
  return migrate(pool, { schema, versions: { ...SCHEMA, migrations: [...SCHEMA.migrations, ...added] } });
}

test('a running process works with the expanded schema of a newer program, and an older program still starts', async () => {
  const schema = postgres.newSchema();
  await using running = await join(schema, 'one');
  await stopTime(schema);

  expect(await migrateTo(schema, EXPAND)).toMatchObject({ version: KNOWN + 1 });

  await using started = await join(schema, 'two');
  expect(started.store.version).toBe(KNOWN + 1);
  expect((await running.workers.live()).map(({ id }) => id)).toEqual(['one', 'two']);
});

test('a migration that running processes do not work with is refused until they have stopped', async () => {
  const schema = postgres.newSchema();
  const running = await join(schema, 'one');
  await stopTime(schema);

  const refused = migrateTo(schema, EXPAND, CONTRACT);

  await expect(refused).rejects.toThrow(/do not work with its new schema: one$/);
  await running[Symbol.asyncDispose]();
  expect(await migrateTo(schema, EXPAND, CONTRACT)).toMatchObject({ version: KNOWN + 2 });
});

test('an older program refuses a contracted schema', async () => {
  const schema = postgres.newSchema();
  await migrateTo(schema, EXPAND, CONTRACT);

  await expect(join(schema, 'one')).rejects.toThrow(`version ${KNOWN + 2} of the schema; this Fanfare knows ${KNOWN}`);
});

test('a migration may take longer than other statements', async () => {
  const schema = postgres.newSchema();
  await migrateTo(schema);
  // On a busy machine, other statements take longer than usual too.
  const settings = `-c search_path=${schema},pg_catalog -c statement_timeout=2500`;
  const pool = openPool({ connectionString: postgres.url, options: settings, max: 1, query_timeout: 2_500 });
  onTestFinished(() => pool.end());
  const long = { worksWith: KNOWN, sql: 'select pg_sleep(2.6)' };

  const { version } = await migrate(pool, { schema, versions: { ...SCHEMA, migrations: [...SCHEMA.migrations, long] } });

  expect(version).toBe(KNOWN + 1);
});

test('a migration that PostgreSQL ends, because it and a running process wait for each other, is repeated', async () => {
  const schema = postgres.newSchema();
  await migrateTo(schema);
  const settings = `-c search_path=${schema},pg_catalog`;
  // The server ends the session that finds out, and this one looks after an hour.
  const pool = openPool({ connectionString: postgres.url, options: `${settings} -c deadlock_timeout=1h`, max: 2 });
  onTestFinished(() => pool.end());
  const [running, gate] = [await pool.connect(), await pool.connect()];
  await running.query('begin; lock table rule_state in row exclusive mode');
  await gate.query('select pg_advisory_lock(7)');
  const waiting = async (lock: string) => (await gate.query(`select 1 from pg_locks where not granted and ${lock}`)).rows.length;

  const migrating = migrateTo(schema, {
    worksWith: KNOWN,
    sql: 'alter table lane add region text; select pg_advisory_xact_lock(7); alter table rule_state add region text',
  });
  await expect.poll(() => waiting("locktype = 'advisory' and objid = 7")).toBe(1);
  const working = running.query('lock table lane in row exclusive mode; commit');
  await expect.poll(() => waiting("relation = 'lane'::regclass")).toBe(1);
  await gate.query('select pg_advisory_unlock(7)');
  await working;
  for (const client of [running, gate]) client.release();

  expect(await migrating).toMatchObject({ version: KNOWN + 1 });
});

test('a process without a heartbeat for 20 seconds does not delay a migration', async () => {
  const schema = postgres.newSchema();
  await using _frozen = await join(schema, 'one');
  const pool = await stopTime(schema);
  await pool.query('update worker set seen_ms = now_ms() - 19000');
  await expect(migrateTo(schema, EXPAND, CONTRACT)).rejects.toThrow('processes of an older Fanfare run');

  await pool.query('update worker set seen_ms = now_ms() - 20000');
  expect(await migrateTo(schema, EXPAND, CONTRACT)).toMatchObject({ version: KNOWN + 2 });
});
