import { expect, test } from 'vitest';
import { inMemory, inSqlite } from './stored.ts';
import { expected, table, walkTable } from './walk-table.ts';
import { POINTS } from './walk.ts';

test('the table of actions has every point and every action', () => {
  expect([...table.keys()]).toEqual(Object.keys(POINTS));
  expect([...(table.get('sent')?.keys() ?? [])]).toHaveLength(10);
});

test('the table of actions holds in SQLite', async () => {
  expect(await walkTable(inSqlite)).toEqual(expected());
});

test('the table of actions holds in memory', async () => {
  expect(await walkTable(inMemory)).toEqual(expected({ without: ['restore', 'turn off, then on'] }));
});
