import { afterAll, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '#src/log.ts';
import { openCluster, type Cluster } from '#src/store/postgres/cluster.ts';
import { migrate, type Migrated, type SchemaVersion } from '#src/store/postgres/migrate.ts';
import { createPool } from '#src/store/postgres/pool.ts';
import { SCHEMA } from '#src/store/postgres/schema.ts';
import { startPostgres } from '../../support/postgres.ts';

const KNOWN = SCHEMA.length;
/** Programs of this version also work with it. */
const EXPAND: SchemaVersion = { worksWith: KNOWN, sql: 'alter table lane add column region text' };
/** Programs of this version do not work with it. */
const CONTRACT: SchemaVersion = { worksWith: KNOWN + 1, sql: 'alter table lane rename column since_ms to held_since_ms' };

const postgres = await startPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());

const join = (schema: string, worker: string): Promise<Cluster> =>
  openCluster({ url: postgres.url, schema, worker, role: 'worker', log: silentLog });

/** Migrates the schema as a newer program does when it starts. */
async function migrateTo(schema: string, ...added: readonly SchemaVersion[]): Promise<Migrated> {
  const pool = await createPool({ url: postgres.url, schema, applicationName: 'newer', maxConnections: 1 });
  onTestFinished(() => pool.end());
  return migrate(pool, { schema, versions: [...SCHEMA, ...added] });
}

test('a running process works with the expanded schema of a newer program, and an older program still starts', async () => {
  const schema = postgres.newSchema();
  await using running = await join(schema, 'one');

  expect(await migrateTo(schema, EXPAND)).toMatchObject({ version: KNOWN + 1 });

  await using started = await join(schema, 'two');
  expect(started.store.version).toBe(KNOWN + 1);
  expect((await running.workers.live()).map(({ id }) => id)).toEqual(['one', 'two']);
});

test('a migration that running processes do not work with is refused until they have stopped', async () => {
  const schema = postgres.newSchema();
  const running = await join(schema, 'one');

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

test('a process that did not answer during the migration ends when it continues', async () => {
  const schema = postgres.newSchema();
  await using frozen = await join(schema, 'one');
  const pool = await createPool({ url: postgres.url, schema, applicationName: 'test', maxConnections: 1 });
  onTestFinished(() => pool.end());
  await pool.query('update worker set seen_ms = 0');
  await migrateTo(schema, EXPAND, CONTRACT);

  await expect(frozen.workers.run(new AbortController().signal)).rejects.toThrow('a newer Fanfare migrated the database');
});
