import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { createLog } from '#src/log.ts';
import { openCluster } from '#src/store/postgres/cluster.ts';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { createDatabase } from '../../support/postgres-database.ts';

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
