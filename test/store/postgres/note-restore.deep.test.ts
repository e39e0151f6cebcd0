import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgresStore, type PostgresStore } from '#src/store/postgres/open.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { committing, creating, firing } from '../../support/firings.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';

const script = readFileSync('contrib/postgres/note-restore.sql', 'utf8');
let server: TestPostgres;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

/** What a state with a pending post knows of its restore, which `restore` notes. */
async function noted(restore: (store: PostgresStore, run: (text: string) => Promise<unknown>) => Promise<unknown>) {
  const schema = server.newSchema();
  await using store = await openPostgresStore({ url: server.url, schema, clock: new ManualClock('2026-11-20T18:00:00Z') });
  await store.ruleStates.commit(committing([firing([creating(['mastodon'])])]));
  const client = new Client({ connectionString: server.url });
  await client.connect();
  try {
    await restore(store, (text) => client.query(text.replace('search_path = fanfare', `search_path = ${schema}`)));
    await client.query(`set search_path = ${schema}`);
    const { rows: restores } = await client.query('select copied_ms, until_ms, at_ms > 0 as has_time from restored');
    const { rows: deliveries } = await client.query('select state, search_ms, lost_ms from delivery');
    return { restores, deliveries, isSearching: (await store.restores.begin()) !== undefined };
  } finally {
    await client.end();
  }
}

test('the script notes a restore as fanfare restore does', async () => {
  const byScript = await noted((_, run) => run(script));

  expect(byScript).toEqual(await noted((store) => store.restores.note()));
  expect(byScript).toMatchObject({ restores: [{ until_ms: null, has_time: true }], deliveries: [{ state: 'pending' }], isSearching: true });
  expect(byScript.deliveries[0]?.search_ms).toBe(byScript.restores[0]?.copied_ms);
  expect(Number(byScript.restores[0]?.copied_ms)).toBeGreaterThan(0);
});
