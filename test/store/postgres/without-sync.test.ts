import { Kysely, sql, type Transaction } from 'kysely';
import { expect, test } from 'vitest';
import { postgresDialect } from '#src/store/postgres/dialect.ts';
import { withoutSync } from '#src/store/postgres/without-sync.ts';
import type { Tables } from '#src/store/tables.ts';
import { createDatabase, openPool } from '../../support/postgres-database.ts';

test('only the transaction of the work does not wait for the disk', async () => {
  await using server = await createDatabase();
  await using db = new Kysely<Tables>({
    dialect: postgresDialect(openPool({ connectionString: server.url, options: '-c synchronous_commit=on', max: 1 })),
  });
  const settingOf = async (trx: Transaction<Tables>) => {
    const { rows } = await sql<{ synchronous_commit: string }>`show synchronous_commit`.execute(trx);
    return rows[0]?.synchronous_commit;
  };

  const settings = [await db.transaction().execute(withoutSync(settingOf)), await db.transaction().execute(settingOf)];

  expect(settings).toEqual(['off', 'on']);
});
