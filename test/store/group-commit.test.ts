import { Kysely, sql, type Dialect, type Transaction } from 'kysely';
import { expect, test } from 'vitest';
import { groupCommit } from '#src/store/group-commit.ts';
import { sqliteDialect } from '#src/store/sqlite/dialect.ts';
import { MEMORY, openDatabase } from '#src/store/sqlite/open.ts';
import { transactWithoutSync } from '#src/store/sqlite/transact-without-sync.ts';
import type { Tables } from '#src/store/tables.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** A database that counts its transactions. */
function open() {
  const dialect = sqliteDialect(openDatabase(MEMORY));
  let begun = 0;
  const counting: Dialect = {
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createDriver() {
      const driver = dialect.createDriver();
      return {
        init: () => driver.init(),
        acquireConnection: () => driver.acquireConnection(),
        beginTransaction: (connection, settings) => {
          begun++;
          return driver.beginTransaction(connection, settings);
        },
        commitTransaction: (connection) => driver.commitTransaction(connection),
        rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
        releaseConnection: (connection) => driver.releaseConnection(connection),
        destroy: () => driver.destroy(),
      };
    },
  };
  const db = new Kysely<Tables>({ dialect: counting });
  return {
    db,
    write: groupCommit(db),
    transactions: () => begun,
    rules: async () => (await db.selectFrom('rule_state').select('rule').orderBy('rule').execute()).map(({ rule }) => rule),
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}

const add = (rule: string) => async (trx: Transaction<Tables>) => {
  await trx.insertInto('rule_state').values({ rule, slot_ms: 1, wake_ms: null, memory: null }).execute();
  return rule;
};

test('concurrent commits share one transaction, and each caller gets its own result', async () => {
  await using store = open();

  const results = await Promise.all(['ada', 'grace', 'joan'].map((rule) => store.write(add(rule))));

  expect(results).toEqual(['ada', 'grace', 'joan']);
  expect(await store.rules()).toEqual(['ada', 'grace', 'joan']);
  expect(store.transactions()).toBe(1);
});

test('commits that arrive during a transaction are written after it', async () => {
  await using store = open();

  await store.write(async (trx) => {
    void store.write(add('grace'));
    return add('ada')(trx);
  });
  await store.write(add('joan'));

  expect(await store.rules()).toEqual(['ada', 'grace', 'joan']);
});

test('a failed commit writes nothing and does not affect the others', async () => {
  await using store = open();
  const failing = async (trx: Transaction<Tables>): Promise<never> => {
    await add('linus')(trx);
    throw new Error('half-way');
  };

  const ends = await Promise.allSettled([store.write(add('ada')), store.write(failing), store.write(add('grace'))]);

  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await store.rules()).toEqual(['ada', 'grace']);
});

test('if the transaction is rolled back, for example on a full disk, each of its commits fails, and later ones succeed', async () => {
  await using store = open();
  const full = async (trx: Transaction<Tables>): Promise<never> => {
    await sql`rollback`.execute(trx);
    throw new Error('the disk is full');
  };

  const ends = await Promise.allSettled([store.write(add('ada')), store.write(full), store.write(add('grace'))]);
  await store.write(add('joan'));

  expect(ends).toEqual(ends.map(() => ({ status: 'rejected', reason: new Error('the disk is full') })));
  expect(await store.rules()).toEqual(['joan']);
});

test.for<[string, readonly { readonly mayBeLost: boolean; readonly afterMs: number }[], readonly ('synced' | 'not synced')[]]>([
  ['work that may be lost', [{ mayBeLost: true, afterMs: 0 }], ['not synced']],
  ['other work', [{ mayBeLost: false, afterMs: 0 }], ['synced']],
  [
    'work that may be lost beside other work',
    [
      { mayBeLost: true, afterMs: 0 },
      { mayBeLost: false, afterMs: 0 },
    ],
    ['synced', 'synced'],
  ],
  ['work that may be lost, 30 seconds after the last sync', [{ mayBeLost: true, afterMs: 30_000 }], ['synced']],
  ['work that may be lost, while the clock is an hour behind', [{ mayBeLost: true, afterMs: -3_600_000 }], ['synced']],
])('%s', async ([, group, outcomes]) => {
  const clock = new ManualClock();
  const database = openDatabase(MEMORY);
  await using db = new Kysely<Tables>({ dialect: sqliteDialect(database) });
  const times = { nowMs: clock.nowMs() };
  const write = groupCommit(db, {
    clock: { nowMs: () => times.nowMs, sleep: (ms) => clock.sleep(ms) },
    withoutSync: (work) => transactWithoutSync(db, database, work),
  });
  const syncOf = async (trx: Transaction<Tables>) => {
    const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(trx);
    return rows[0]?.synchronous === 2 ? 'synced' : 'not synced';
  };
  expect(await write(syncOf, { mayBeLost: true })).toBe('synced');
  times.nowMs += group[0]?.afterMs ?? 0;

  const found = await Promise.all(group.map(({ mayBeLost }) => write(syncOf, { mayBeLost })));

  expect(found).toEqual(outcomes);
  expect(database.prepare('pragma synchronous').get()).toEqual({ synchronous: 2 });
});
