import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { ConfigError } from '#src/errors.ts';
import { migrate } from '#src/store/sqlite/migrate.ts';
import { openStore } from '#src/store/store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const FIRST = 'create table a (x text) strict';
const SECOND = 'alter table a add column y text; create table b (x text) strict';
const BROKEN = 'create table c (x text) strict; create table c (x text) strict';

function tablesOf(database: DatabaseSync): readonly unknown[] {
  return database
    .prepare("select name from sqlite_schema where type = 'table' order by name")
    .all()
    .map(({ name }) => name);
}

test('a new database gets all versions, an old one the missing versions', () => {
  using database = new DatabaseSync(':memory:');

  migrate(database, { file: 'x', schema: [FIRST] });
  database.exec("insert into a values ('kept')");
  migrate(database, { file: 'x', schema: [FIRST, SECOND] });

  expect(tablesOf(database)).toEqual(['a', 'b']);
  expect(database.prepare('select x, y from a').all()).toEqual([{ x: 'kept', y: null }]);
});

test('a version that fails leaves the database at the one before, and the next start tries it again', () => {
  using database = new DatabaseSync(':memory:');

  expect(() => migrate(database, { file: 'x', schema: [FIRST, BROKEN] })).toThrow('already exists');
  expect(tablesOf(database)).toEqual(['a']);

  migrate(database, { file: 'x', schema: [FIRST, SECOND] });
  expect(tablesOf(database)).toEqual(['a', 'b']);
});

test('a database of a newer Fanfare is refused and not changed', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  {
    using database = new DatabaseSync(file);
    database.exec('create table tomorrow (x text); pragma user_version = 1000');
  }

  await expect(openStore({ file })).rejects.toThrow(/newer Fanfare .*\(version 1000/);

  using database = new DatabaseSync(file);
  expect(tablesOf(database)).toEqual(['tomorrow']);
});

test('a file that is no database is refused with a word to the operator', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  writeFileSync(file, 'a shopping list\n'.repeat(100));

  await expect(openStore({ file })).rejects.toThrow(ConfigError);
});
