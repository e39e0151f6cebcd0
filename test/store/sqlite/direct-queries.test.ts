import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { prepared } from '#src/store/prepared.ts';
import { sqliteDialect } from '#src/store/sqlite/dialect.ts';
import { migrate } from '#src/store/sqlite/migrate.ts';
import { SCHEMA } from '#src/store/sqlite/schema.ts';
import type { Tables } from '#src/store/tables.ts';

const readSlot = prepared((db, { rule }: { readonly rule: string }) =>
  db.selectFrom('rule_state').select('slot_ms').where('rule', '=', rule),
);

const slotOf = async (db: Kysely<Tables>): Promise<number | undefined> => (await readSlot(db, { rule: 'live' })).rows[0]?.slot_ms;

function openDatabase(): Kysely<Tables> {
  const database = new DatabaseSync(':memory:');
  migrate(database, { file: ':memory:', schema: SCHEMA });
  return new Kysely<Tables>({ dialect: sqliteDialect(database) });
}

test('a prepared query waits for the transaction that has the connection', async () => {
  await using db = openDatabase();
  let outside: Promise<number | undefined> | undefined;

  const failed = db.transaction().execute(async (trx) => {
    await trx.insertInto('rule_state').values({ rule: 'live', slot_ms: 5 }).execute();
    outside = slotOf(db);
    expect(await slotOf(trx)).toBe(5);
    throw new Error('undo');
  });

  await expect(failed).rejects.toThrow('undo');
  expect(await outside).toBeUndefined();
});

test('a failed prepared query releases the connection', async () => {
  await using db = openDatabase();
  const wrong = prepared((of, { rule }: { readonly rule: string }) => of.insertInto('rule_state').values({ rule } as never)); // without its slot

  await expect(wrong(db, { rule: 'live' })).rejects.toThrow(/slot_ms/u);

  expect(await slotOf(db)).toBeUndefined();
});
