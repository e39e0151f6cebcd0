import { createHook } from 'node:async_hooks';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { sqliteDialect } from '#src/store/sqlite/dialect.ts';
import { createFifoLock } from '#src/store/sqlite/fifo-lock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const QUERIES = 100;

/** Runs queries in parallel, and counts how often a promise wakes a function. */
async function countWakeUps(queries: number): Promise<number> {
  await using db = new Kysely<object>({ dialect: sqliteDialect(new DatabaseSync(':memory:')) });
  await sql`select 1`.execute(db);
  let count = 0;
  const hook = createHook({ before: () => void count++ }).enable();
  await Promise.all(Array.from({ length: queries }, () => sql`select 1`.execute(db)));
  hook.disable();
  return count;
}

test('queries and transactions use the connection one after another, in the order of the calls', async () => {
  await using db = new Kysely<{ entry: { text: string } }>({ dialect: sqliteDialect(new DatabaseSync(':memory:')) });
  await sql`create table entry (text text not null)`.execute(db);
  const write = (text: string): Promise<unknown> => db.insertInto('entry').values({ text }).execute();

  await Promise.all([
    write('1'),
    db.transaction().execute(async (trx) => {
      await trx.insertInto('entry').values({ text: '2' }).execute();
      await trx.insertInto('entry').values({ text: '3' }).execute();
    }),
    write('4'),
  ]);

  expect((await db.selectFrom('entry').select('text').execute()).map(({ text }) => text)).toEqual(['1', '2', '3', '4']);
});

test('a failed transaction releases the connection', async () => {
  await using db = new Kysely<object>({ dialect: sqliteDialect(new DatabaseSync(':memory:')) });

  await expect(db.transaction().execute((trx) => sql`select * from missing`.execute(trx))).rejects.toThrow('missing');

  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
});

test('the cost of a query does not grow with the number of waiting queries', async () => {
  const few = await countWakeUps(QUERIES);

  expect(few).toBeGreaterThan(QUERIES);
  expect(await countWakeUps(10 * QUERIES)).toBeLessThan(11 * few);
});

test('a released lock goes to the oldest waiter, and no new caller overtakes it', async () => {
  const lock = createFifoLock();
  const order: string[] = [];
  const take = async (name: string): Promise<void> => {
    await lock.acquire();
    order.push(name);
  };
  await take('first');
  const waiting = [take('second'), take('third')];

  lock.release();
  const late = take('late');
  await waiting[0];
  expect(order).toEqual(['first', 'second']);

  lock.release();
  lock.release();
  await Promise.all([...waiting, late]);
  expect(order).toEqual(['first', 'second', 'third', 'late']);
});

const LOCKED = { name: 'DatabaseUnavailable', message: 'the state cannot be used: another program has locked it' };

test('a lock of another program is an outage, during which no statement blocks the process', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  const outages: string[] = [];
  const database = new DatabaseSync(file, { timeout: 20 });
  const timeout = () => database.prepare('pragma busy_timeout').get();
  await using db = new Kysely<object>({ dialect: sqliteDialect(database, ({ code }) => void outages.push(code)) });
  const write = () => db.transaction().execute((trx) => sql`create table if not exists entry (text text)`.execute(trx));
  using other = new DatabaseSync(file);
  other.exec('begin immediate');

  await expect(write()).rejects.toMatchObject({ ...LOCKED, file });
  const during = timeout();
  await expect(write()).rejects.toMatchObject({ ...LOCKED, file });
  other.exec('rollback');
  await write();

  expect(outages).toEqual(['SQLITE_BUSY', 'SQLITE_BUSY']);
  expect(during).toEqual({ timeout: 0 });
  expect(timeout()).toEqual({ timeout: 20 });
});
