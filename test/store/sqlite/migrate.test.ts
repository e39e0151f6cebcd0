import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { ConfigError } from '#src/errors.ts';
import type { Schema } from '#src/store/schema/versions.ts';
import { migrate, versionOf } from '#src/store/sqlite/migrate.ts';
import { openStore } from '#src/store/store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The schema of a first release, and these migrations. */
const schemaOf = (...migrations: readonly string[]): Schema => ({
  base: { version: 12, sql: 'create table a (x text) strict' },
  migrations: migrations.map((sql) => ({ sql })),
});

const SECOND = 'alter table a add column y text; create table b (x text) strict';
const THIRD = 'create table c (x text) strict';
const BROKEN = `${THIRD}; ${THIRD}`;

function tablesOf(database: DatabaseSync): readonly unknown[] {
  return database
    .prepare("select name from sqlite_schema where type = 'table' order by name")
    .all()
    .map(({ name }) => name);
}

test('a new database gets all versions, an old one the missing versions', () => {
  using database = new DatabaseSync(':memory:');

  migrate(database, { file: 'x', schema: schemaOf() });
  database.exec("insert into a values ('kept')");
  migrate(database, { file: 'x', schema: schemaOf(SECOND) });

  expect(tablesOf(database)).toEqual(['a', 'b']);
  expect(database.prepare('select x, y from a').all()).toEqual([{ x: 'kept', y: null }]);
});

test('a failed migration leaves the database at the version before, and the next start repeats it', () => {
  using database = new DatabaseSync(':memory:');
  migrate(database, { file: 'x', schema: schemaOf() });

  expect(() => migrate(database, { file: 'x', schema: schemaOf(SECOND, BROKEN) })).toThrow('already exists');
  expect(tablesOf(database)).toEqual(['a', 'b']);
  expect(versionOf(database)).toBe(13);

  migrate(database, { file: 'x', schema: schemaOf(SECOND, THIRD) });
  expect(tablesOf(database)).toEqual(['a', 'b', 'c']);
});

test('a new database gets all versions or none', () => {
  using database = new DatabaseSync(':memory:');

  expect(() => migrate(database, { file: 'x', schema: schemaOf(SECOND, BROKEN) })).toThrow('already exists');
  expect(tablesOf(database)).toEqual([]);
  expect(versionOf(database)).toBe(0);
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

test('a file that is not a database is refused with a message for the operator', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  writeFileSync(file, 'a shopping list\n'.repeat(100));

  await expect(openStore({ file })).rejects.toThrow(ConfigError);
});
