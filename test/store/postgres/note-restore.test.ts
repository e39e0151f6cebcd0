import pg from 'pg';
import { afterAll, expect, test, vi } from 'vitest';
import { silentLog } from '#src/log.ts';
import { openCluster } from '#src/store/postgres/cluster.ts';
import { noteRestore } from '#src/store/postgres/note-restore.ts';
import { openPostgresStore, type PostgresStore } from '#src/store/postgres/open.ts';
import { committing, creating, firing, keysOf, setting } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { createDatabase } from '../../support/postgres-database.ts';

const postgres = await createDatabase();
const client = new pg.Client(postgres.url);
await client.connect();
afterAll(async () => {
  await client.end();
  await postgres[Symbol.asyncDispose]();
});

const waiting = firing([creating(['mastodon']), setting(['edit'])]);
const at = '2026-11-20T18:00:00Z';

/** A state with a waiting delivery, as pg_restore leaves it. */
async function restored(use?: (store: PostgresStore) => Promise<unknown>): Promise<string> {
  const schema = postgres.newSchema();
  await using store = await openPostgresStore({ url: postgres.url, schema, clock: new ManualClock(at) });
  await store.ruleStates.commit(committing([waiting]));
  await use?.(store);
  return schema;
}

/** The stored data about a restore. */
async function known(schema: string) {
  const read = async (text: string): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    (await client.query<Readonly<Record<string, unknown>>>(text.replaceAll('$', `${schema}.`))).rows;
  return {
    restores: await read('select copied_ms, until_ms, at_ms > 0 as has_time from $restored'),
    deliveries: await read('select state, search_ms, lost_ms from $delivery'),
  };
}

test('a restore of a database is noted like a restore of a file', async () => {
  const byFile = await restored((store) => store.restores.note());
  const schema = await restored();

  const noted = await noteRestore({ url: postgres.url, schema });

  expect(await known(schema)).toEqual(await known(byFile));
  expect(noted).toEqual({ copiedAt: expect.any(Date), searched: 1, sealedTokens: [], hasOldAccess: false });
  await using store = await openPostgresStore({ url: postgres.url, schema });
  expect(await store.deliveries.find(keysOf(waiting)[0] ?? '')).toMatchObject({ state: 'pending', searchSince: noted.copiedAt });
  expect(await store.restores.begin()).toMatchObject({ copiedAt: noted.copiedAt });
});

test('a noted restore has the time of the database', async () => {
  const schema = await restored();
  await noteRestore({ url: postgres.url, schema });

  const { rows } = await client.query<{ readonly off: string }>(`select abs(at_ms - ${schema}.now_ms()) as off from ${schema}.restored`);
  expect(Number(rows[0]?.off)).toBeLessThan(60_000);
});

test('a process on a machine with a wrong clock has the time of the database', async () => {
  const schema = postgres.newSchema();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  await using process = await openCluster({ url: postgres.url, schema, worker: 'w1', role: 'worker', log: silentLog });
  const nowMs = process.clock.nowMs();
  vi.useRealTimers();

  const { rows } = await client.query<{ readonly now: string }>(`select ${schema}.now_ms() as now`);
  expect(Math.abs(nowMs - Number(rows[0]?.now))).toBeLessThan(60_000);
});

test('nothing is noted while a process runs, even if its row was lost with the restored tables', async () => {
  const schema = await restored();
  const note = () => noteRestore({ url: postgres.url, schema });
  {
    await using _worker = await openCluster({ url: postgres.url, schema, worker: 'w1', role: 'worker', log: silentLog });
    const refused = {
      name: 'ConfigError',
      file: 'DATABASE_URL',
      message: 'Fanfare is running and uses this database: w1',
      hint: 'stop all processes first; a killed process counts as running for 20 seconds',
    };
    await expect(note()).rejects.toMatchObject(refused);
    await client.query(`delete from ${schema}.worker`);
    await expect(note()).rejects.toMatchObject(refused);
  }
  // A killed process.
  await client.query(`insert into ${schema}.worker (id, role, host, schema_version, started_ms, seen_ms, key_fingerprint)
    select 'w2', 'worker', 'host', 1, now_ms, now_ms, '' from ${schema}.now_ms()`);
  await expect(note()).rejects.toThrow('uses this database: w2');
  expect((await known(schema)).restores).toEqual([]);

  await client.query(`update ${schema}.worker set seen_ms = seen_ms - 30000`);
  expect(await note()).toMatchObject({ searched: 1 });
});

test('the first process after a restore searches', async () => {
  const schema = await restored();
  const { copiedAt } = await noteRestore({ url: postgres.url, schema });
  await using cluster = await openCluster({ url: postgres.url, schema, worker: 'w1', role: 'worker', log: silentLog });

  expect(cluster.workers.wasAlone).toBe(true);
  expect(await cluster.store.restores.begin()).toMatchObject({ copiedAt });
});

test('a process that starts while a restore is noted waits for its end', async () => {
  const schema = await restored();
  let isStarted = false;
  /** The tables that transactions wait for. */
  const awaited = async () =>
    (
      await client.query<{ readonly name: string }>(
        'select relname as name from pg_locks join pg_class on pg_class.oid = relation where not granted order by name',
      )
    ).rows.map(({ name }) => name);
  await client.query(`begin; lock table ${schema}.restored in exclusive mode`);
  const noting = noteRestore({ url: postgres.url, schema });
  await expect.poll(awaited).toEqual(['restored']);
  const starting = openCluster({ url: postgres.url, schema, worker: 'w1', role: 'worker', log: silentLog }).then(async (cluster) => {
    isStarted = true;
    await cluster[Symbol.asyncDispose]();
  });
  await expect.poll(async () => [...(await awaited()), isStarted]).toEqual(['restored', 'worker', false]);
  await client.query('commit');
  await Promise.all([noting, starting]);

  expect((await known(schema)).restores).toHaveLength(1);
});

test('a database without a state is refused', async () => {
  await expect(noteRestore({ url: postgres.url, schema: postgres.newSchema() })).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(/^the database 127\.0\.0\.1.* has no state$/u),
    hint: expect.stringContaining('pg_restore'),
  });
});
