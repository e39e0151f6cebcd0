import type { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openDatabase } from '#src/store/sqlite/open.ts';
import { sqliteSide } from '#src/store/transfer/sqlite-side.ts';
import { STORED_TABLES, type Row, type TransferTarget } from '#src/store/transfer/state-tables.ts';
import { transfer } from '#src/store/transfer/transfer.ts';
import { manyDeliveries } from '../support/many-deliveries.ts';

/** A transfer of three rules to a database that changes the written rows. */
function moveRules(change: (rows: readonly Row[]) => readonly Row[]) {
  const [from, to]: readonly DatabaseSync[] = [openDatabase(':memory:'), openDatabase(':memory:')];
  if (!from || !to) throw new Error('there are two databases');
  from.exec("insert into paused_rule (rule, person, at_ms) values ('a', 'ada', 1), ('b', 'ada', 2), ('c', 'grace', 3)");
  const target = sqliteSide(to);
  const changing: TransferTarget = { ...target, write: (table, rows) => target.write(table, change(rows)) };
  return transfer({ from: sqliteSide(from), to: changing, tables: STORED_TABLES });
}

test('a transfer counts the rows of each table', async () => {
  const tables = await moveRules((rows) => rows);

  expect(tables.filter(({ rows }) => rows > 0)).toEqual([{ name: 'paused_rule', rows: 3 }]);
});

test('a transfer to SQLite notes which deliveries are settled', async () => {
  using from = openDatabase(':memory:');
  using to = openDatabase(':memory:');
  for (const statement of manyDeliveries(100)) from.exec(statement);

  await transfer({ from: sqliteSide(from), to: sqliteSide(to), tables: STORED_TABLES });

  const rows = to.prepare('select distinct state, settled from delivery order by state').all();
  expect(rows.map(({ state, settled }) => [state, settled])).toEqual([
    ['failed', 1],
    ['pending', null],
    ['sent', 1],
    ['skipped', 1],
    ['unknown', 1],
  ]);
});

test.for([
  ['a lost row', (rows: readonly Row[]) => rows.slice(1)],
  ['a changed value', (rows: readonly Row[]) => rows.map(([rule = null, person = null]) => [rule, person, 9])],
] as const)('%s fails the transfer', async ([, change]) => {
  await expect(moveRules(change)).rejects.toThrow('copied rows of paused_rule differ from the 3 rows of the source');
});
