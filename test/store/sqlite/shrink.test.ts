import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openDatabase } from '#src/store/sqlite/open.ts';
import { emptyLog, shrinkFile } from '#src/store/sqlite/shrink.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A file with 12,000 rows of a kilobyte each, of which few are left. */
function fillAndEmpty(database: DatabaseSync): void {
  database.exec(`
    with recursive number(n) as (select 1 union all select n + 1 from number where n < 12000)
    insert into rule_source (file, source, saved_ms) select n, hex(randomblob(500)), n from number;
    delete from rule_source where saved_ms > 10;
    pragma wal_checkpoint(truncate)`);
}

test('a mostly empty file returns its pages to the disk', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  using database = openDatabase(file);
  fillAndEmpty(database);
  const before = statSync(file).size;

  shrinkFile(database);
  database.exec('pragma wal_checkpoint(truncate)');

  expect(before).toBeGreaterThan(12_000_000);
  expect(statSync(file).size).toBeLessThan(1_000_000);
});

test('a file that cannot shrink now, because its disk is full, fails no other work', () => {
  using folder = temporaryFolder();
  using database = openDatabase(join(folder.path, 'fanfare.sqlite'));
  fillAndEmpty(database);
  database.exec('pragma query_only = on');

  shrinkFile(database);
  const before = database.prepare('pragma freelist_count').get();
  database.exec('pragma query_only = off');
  shrinkFile(database);

  expect(before).not.toEqual(database.prepare('pragma freelist_count').get());
});

test('a file that was created without this setting can shrink after it is opened', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  openDatabase(file).close();
  const old = new DatabaseSync(file);
  old.exec('pragma journal_mode = delete; pragma auto_vacuum = none; vacuum; pragma journal_mode = wal');
  fillAndEmpty(old);
  const before = [old.prepare('pragma auto_vacuum').get()?.['auto_vacuum'], statSync(file).size > 12_000_000];
  old.close();

  using database = openDatabase(file);
  database.exec('pragma wal_checkpoint(truncate)');

  expect(before).toEqual([0, true]);
  expect(database.prepare('pragma auto_vacuum').get()).toEqual({ auto_vacuum: 2 });
  expect(statSync(file).size).toBeLessThan(1_000_000);
  expect(database.prepare('select count(*) as rows from rule_source').get()).toEqual({ rows: 10 });
});

test('after a log that cannot be emptied, statements still wait for the locks of other programs', () => {
  using folder = temporaryFolder();
  using database = openDatabase(join(folder.path, 'fanfare.sqlite'));
  const timeout = (): unknown => database.prepare('pragma busy_timeout').get();
  const before = timeout();
  database.exec('begin immediate; delete from rule_source');

  expect(() => emptyLog(database)).toThrow('locked');
  database.exec('rollback');

  expect(timeout()).toEqual(before);
});
