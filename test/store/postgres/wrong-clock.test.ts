import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { createDatabaseHealth } from '#src/admin/queries/database-health.ts';
import { openRunningState } from '#src/app/running-state.ts';
import { systemClock } from '#src/clock.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { createLog } from '#src/log.ts';
import { openCluster } from '#src/store/postgres/cluster.ts';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { committing } from '../../support/firings.ts';
import { createDatabase } from '../../support/postgres-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const postgres = await createDatabase();
afterAll(() => postgres[Symbol.asyncDispose]());

test('a process waits while the clock of the database is before the release', async () => {
  const schema = postgres.newSchema();
  await (await openPostgresStore({ url: postgres.url, schema }))[Symbol.asyncDispose]();
  const client = new pg.Client(postgres.url);
  await client.connect();
  const { rows } = await client.query<{ readonly text: string }>(`select pg_get_functiondef('${schema}.now_ms'::regproc) as text`);
  await client.query(`create or replace function ${schema}.now_ms() returns bigint language sql stable as 'select 0::bigint'`);
  const whys: string[] = [];
  const log = createLog({ level: 'info', secrets: [], write: () => undefined, color: false });

  const opening = openCluster({ url: postgres.url, schema, worker: 'one', role: 'all', onWait: (why) => void whys.push(why), log });
  await expect.poll(() => whys.length).toBe(1);
  await client.query(rows[0]?.text ?? '');
  await client.end();
  await using cluster = await opening;

  expect(whys).toEqual([
    expect.stringMatching(/cannot be opened: its clock is wrong: it shows 1970-01-01T\S+, which is before the release/u),
  ]);
  expect(cluster.workers.wasAlone).toBe(true);
});

test('after the clock of the database was set back, a process that starts beside others continues the rules from now', async () => {
  await using database = await createDatabase();
  using folder = temporaryFolder();
  const lines: string[] = [];
  const log = createLog({ level: 'warn', secrets: [], write: (line) => lines.push(line), color: false });
  const config = configOfEnvironment({ DATABASE_URL: database.url, FANFARE_DATA: folder.path });
  const health = createDatabaseHealth({ onChange: () => undefined, clock: systemClock, log });
  const start = (worker: string) => openRunningState({ config, worker, role: 'worker', database: health, log });
  await using one = await start('one');
  const stopping = new AbortController();
  const signing = one.keepState(stopping.signal);
  const client = new pg.Client(database.url);
  await client.connect();
  const setAhead = (ms: number) =>
    client.query(`create or replace function fanfare.now_ms() returns bigint language sql volatile
      as $$ select floor(extract(epoch from clock_timestamp()) * 1000)::bigint + ${ms} $$`);
  await setAhead(7_200_000);
  {
    await using two = await start('two');
    await two.store.ruleStates.commit(committing([], { slotMs: two.clock.nowMs() }));
  }
  // It was killed while it held a lane.
  await client.query(
    `insert into fanfare.lane (account, token, holder, since_ms, until_ms) select 'x', 1, 'two', 0, fanfare.now_ms() + 12000`,
  );
  await setAhead(0);
  await expect.poll(async () => (await one.cluster?.workers.live())?.map(({ id }) => id)).toEqual(['one']);

  await using two = await start('two');

  // The clocks of two processes differ by as much as a response of the database takes.
  expect([await two.store.storedClock.aheadMs(), two.cluster?.workers.wasAlone, two.cluster?.agenda.wasDown]).toEqual([0, false, true]);
  expect(lines.join('')).toContain('the clock was set back since the last run');
  const { rows } = await client.query(`select until_ms - fanfare.now_ms() <= 12000 as "isSoonFree" from fanfare.lane`);
  await client.end();
  expect(rows).toEqual([{ isSoonFree: true }]);
  stopping.abort();
  await signing;
});
