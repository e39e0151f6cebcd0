import pg from 'pg';
import { expect, test } from 'vitest';
import { connectAlone } from '#src/store/postgres/connect-alone.ts';
import { createDatabase } from '../../support/postgres-database.ts';

/** The settings of a session of Fanfare if the database has its own. */
async function settingsWith(own: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
  await using database = await createDatabase();
  const admin = new pg.Client(database.url);
  await admin.connect();
  for (const [name, value] of Object.entries(own)) await admin.query(`alter database ${admin.database} set ${name} = '${value}'`);
  await admin.end();

  const client = await connectAlone({ url: database.url, schema: 'fanfare', applicationName: 'test' });
  const { rows } = await client.query<{ name: string; setting: string }>('select name, setting from pg_settings where name = any($1)', [
    Object.keys(own),
  ]);
  await client.end();
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}

test('a session does not take over settings of the database with which statements fail or commits are lost', async () => {
  const own = {
    default_transaction_isolation: 'serializable',
    lock_timeout: '100',
    idle_session_timeout: '5000',
    transaction_timeout: '5000',
    synchronous_commit: 'off',
  };

  expect(await settingsWith(own)).toEqual({
    default_transaction_isolation: 'read committed',
    lock_timeout: '0',
    idle_session_timeout: '0',
    transaction_timeout: '0',
    synchronous_commit: 'local',
  });
});

test('a session waits for standbys as the database does', async () => {
  expect(await settingsWith({ synchronous_commit: 'remote_apply' })).toEqual({ synchronous_commit: 'remote_apply' });
});
