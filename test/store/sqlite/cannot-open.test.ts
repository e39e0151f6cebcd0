import { DatabaseSync } from 'node:sqlite';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cannotOpen } from '#src/store/sqlite/cannot-open.ts';
import { openDatabase } from '#src/store/sqlite/open.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function failureOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

test('a disk that is full when the state is made is told as that, with what to do', () => {
  using database = new DatabaseSync(':memory:');
  database.exec('pragma max_page_count = 1');
  const full = failureOf(() => database.exec('create table t (a text)'));

  expect(cannotOpen('data/fanfare.sqlite', full)).toMatchObject({
    name: 'ConfigError',
    message: 'the state cannot be opened: the disk is full',
    file: 'data/fanfare.sqlite',
    hint: 'make room, or point FANFARE_DATA at another disk',
  });
});

test('a file that is no database, and one that is damaged, are told as that', () => {
  using folder = temporaryFolder();
  const [foreign, damaged] = [join(folder.path, 'foreign'), join(folder.path, 'damaged')];
  writeFileSync(foreign, 'id: not-a-database\n'.repeat(400));
  openDatabase(damaged).close();
  writeFileSync(damaged, Buffer.alloc(8192, 0xff), { flag: 'r+' });

  expect(failureOf(() => openDatabase(foreign))).toMatchObject({ name: 'ConfigError', file: foreign });
  expect(failureOf(() => openDatabase(damaged))).toMatchObject({ name: 'ConfigError', file: damaged });
});

test('what nobody but the program can be blamed for stays as it is', () => {
  using database = new DatabaseSync(':memory:');
  const wrong = failureOf(() => database.exec('select * from nowhere'));

  expect(wrong).toBeInstanceOf(Error);
  expect(cannotOpen('x', wrong)).toBe(wrong);
});
