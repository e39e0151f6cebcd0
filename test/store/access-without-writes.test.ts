import { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { createAccessStore } from '#src/store/access.ts';
import { sqliteDialect } from '#src/store/sqlite/dialect.ts';
import { MEMORY, openDatabase } from '#src/store/sqlite/open.ts';
import type { Tables } from '#src/store/tables.ts';
import { ManualClock } from '../support/manual-clock.ts';

test('sessions and tokens count while the database accepts no writes, so that people see why', async () => {
  const clock = new ManualClock();
  const database = openDatabase(MEMORY);
  await using db = new Kysely<Tables>({ dialect: sqliteDialect(database) });
  const { people, sessions, apiTokens } = createAccessStore(db, clock);
  await people.put({ id: 'ada', name: 'Ada', kind: 'discord', role: 'admin' });
  await sessions.begin({ hash: 'session', person: 'ada', address: '127.0.0.1', expiresAt: new Date(clock.nowMs() + 3_600_000) });
  await apiTokens.add('token', { id: 't', name: 'prometheus', scope: 'metrics', by: 'ada', expiresAt: undefined });
  database.exec('pragma query_only = on');
  await clock.advance(120_000);

  expect(await sessions.find('session')).toMatchObject({ id: 'ada' });
  expect(await apiTokens.use('token')).toMatchObject({ id: 't', scope: 'metrics' });
  await expect(apiTokens.revoke('t')).rejects.toThrow('the state cannot be used: it is read-only');
});
