import pg from 'pg';
import { expect, test } from 'vitest';
import { whyWaiting } from '#src/store/postgres/waiting-session.ts';
import { createDatabase } from '../../support/postgres-database.ts';

const LOCK = 'select pg_advisory_lock(1)';
const SOON = { interval: 3 };

async function openSession(url: string) {
  const client = new pg.Client(url);
  await client.connect();
  // The end of the test ends running statements.
  client.on('error', () => undefined);
  const { rows } = await client.query<{ readonly pid: number }>('select pg_backend_pid() as pid');
  return {
    pid: rows[0]?.pid ?? 0,
    client,
    begin: (statement: string) => void client.query(statement).catch(() => undefined),
    [Symbol.asyncDispose]: () => client.end(),
  };
}

test('a session that waits for a lock waits for what its holder waits for, if the holder has a statement', async () => {
  await using database = await createDatabase();
  await using observer = await openSession(database.url);
  await observer.client.query(`create function now_ms() returns integer language sql as 'select 4711'`);
  await using holder = await openSession(database.url);
  await using waiting = await openSession(database.url);
  await using idle = await openSession(database.url);
  const waitsFor = async ({ pid }: { readonly pid: number }) => (await whyWaiting(observer.client, pid)).waitsFor;

  await holder.client.query(LOCK);
  waiting.begin(LOCK);
  await expect.poll(() => waitsFor(waiting), SOON).toBe('advisory');
  expect(await whyWaiting(observer.client, waiting.pid)).toEqual({ waitsFor: 'advisory', atMs: 4711 });
  expect(await waitsFor(holder)).toBeUndefined();

  holder.begin('select pg_sleep(60)');
  await expect.poll(() => waitsFor(waiting), SOON).toBe('PgSleep');
  expect(await waitsFor(holder)).toBe('PgSleep');
  expect(await waitsFor(idle)).toBeUndefined();
  expect(await waitsFor({ pid: 0 })).toBeUndefined();
  // A session that runs waits for nothing.
  expect(await waitsFor(observer)).toBe('');

  await observer.client.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [[holder.pid, waiting.pid]]);
});
