import { DatabaseSync } from 'node:sqlite';
import { closeSync, mkdirSync, openSync, readFileSync, statSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isDatabaseUnavailable } from '#src/errors.ts';
import { cannotOpen, cannotUse } from '#src/store/sqlite/cannot-open.ts';
import { openDatabase } from '#src/store/sqlite/open.ts';
import { openStore } from '#src/store/store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function failureOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

test('a full disk at the creation of the state is reported with its remedy', () => {
  using database = new DatabaseSync(':memory:');
  database.exec('pragma max_page_count = 1');
  const full = failureOf(() => database.exec('create table t (a text)'));

  expect(cannotOpen('data/fanfare.sqlite', full)).toMatchObject({
    name: 'ConfigError',
    message: 'the state cannot be opened: the disk is full',
    file: 'data/fanfare.sqlite',
    hint: 'free some space in data, or move the folder to another disk and set FANFARE_DATA',
  });
});

test('a statement on a read-only database names the folder and the remedy, and can be repeated', () => {
  using database = new DatabaseSync(':memory:');
  database.exec('create table t (a text); pragma query_only = on');
  const refused = failureOf(() => database.exec("insert into t values ('a')"));

  const error = cannotUse('/var/lib/fanfare/fanfare.sqlite', refused);

  expect(isDatabaseUnavailable(error)).toBe(true);
  expect(error).toMatchObject({
    message: 'the state cannot be used: it is read-only',
    file: '/var/lib/fanfare/fanfare.sqlite',
    hint: 'make the folder /var/lib/fanfare and its files writable for the user of Fanfare, or move the folder and set FANFARE_DATA',
    code: 'SQLITE_READONLY',
  });
});

test('a file that is not a database, and a damaged database, are reported', () => {
  using folder = temporaryFolder();
  const [foreign, damaged] = [join(folder.path, 'foreign'), join(folder.path, 'damaged')];
  writeFileSync(foreign, 'id: not-a-database\n'.repeat(400));
  openDatabase(damaged).close();
  writeFileSync(damaged, Buffer.alloc(8192, 0xff), { flag: 'r+' });

  expect(failureOf(() => openDatabase(foreign))).toMatchObject({ name: 'ConfigError', file: foreign });
  expect(failureOf(() => openDatabase(damaged))).toMatchObject({ name: 'ConfigError', file: damaged });
});

test('a folder with the name of the database is reported', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  mkdirSync(file);

  expect(failureOf(() => openDatabase(file))).toMatchObject({ name: 'ConfigError', message: 'the state cannot be stored here', file });
});

test('an error of the program itself is unchanged', () => {
  using database = new DatabaseSync(':memory:');
  const wrong = failureOf(() => database.exec('select * from nowhere'));

  expect(wrong).toBeInstanceOf(Error);
  expect(cannotOpen('x', wrong)).toBe(wrong);
});

const DAMAGED = 'the state cannot be opened: it is damaged';
const FOREIGN = 'the state cannot be opened: it is not a database of Fanfare';

/** A state of some size, closed. */
function stateIn(folder: string): string {
  const file = join(folder, 'fanfare.sqlite');
  using database = openDatabase(file);
  database.exec(`
    with recursive number(n) as (select 1 union all select n + 1 from number where n < 500)
    insert into rule_source (file, source, saved_ms) select n, hex(randomblob(500)), n from number`);
  return file;
}

/** Overwrites pages in the middle, after the pages of the empty tables. */
function overwrite(file: string): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(200_000, 0xa5), 0, 200_000, Math.floor(statSync(file).size / 2));
  closeSync(handle);
}

test('a state with overwritten pages in the middle is reported as damaged', () => {
  using folder = temporaryFolder();
  const file = stateIn(folder.path);
  overwrite(file);

  expect(failureOf(() => openDatabase(file))).toMatchObject({ name: 'ConfigError', message: DAMAGED, file });
});

test('a command that does not check the whole file reports the damage that it reads', async () => {
  using folder = temporaryFolder();
  const file = stateIn(folder.path);
  overwrite(file);

  const load = async (): Promise<unknown> => {
    await using store = await openStore({ file, isChecked: false });
    return await store.ruleSources.load();
  };

  await expect(load()).rejects.toMatchObject({ name: 'ConfigError', message: DAMAGED, file });
});

test.for([
  ['of another program', "create table contacts (name text); insert into contacts values ('ada')", FOREIGN],
  ['of a newer Fanfare', 'create table rule_state (rule text); pragma user_version = 9999', 'a newer Fanfare wrote this state'],
] as const)('a command that does not check the whole file refuses the database %s', ([, sql, message]) => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  const other = new DatabaseSync(file);
  other.exec(`${sql}; pragma auto_vacuum = incremental`);
  other.close();

  const failure = failureOf(() => openDatabase(file, { isChecked: false }));

  expect(failure).toMatchObject({ name: 'ConfigError', message: expect.stringContaining(message) });
});

test('a command checks the whole file of an older Fanfare before it migrates it', () => {
  using folder = temporaryFolder();
  const file = stateIn(folder.path);
  using database = new DatabaseSync(file);
  database.exec('pragma user_version = 2');
  database.close();
  overwrite(file);
  const before = readFileSync(file);

  expect(failureOf(() => openDatabase(file, { isChecked: false }))).toMatchObject({ name: 'ConfigError', message: DAMAGED, file });
  expect(readFileSync(file)).toEqual(before);
});

test('a state of zeros, as a loss of power leaves it, has a remedy that keeps the announcements', () => {
  using folder = temporaryFolder();
  const file = stateIn(folder.path);
  writeFileSync(file, Buffer.alloc(statSync(file).size));

  expect(failureOf(() => openDatabase(file))).toMatchObject({ message: FOREIGN, hint: expect.stringContaining('fanfare restore <file>') });
});

test('a truncated state is reported as damaged', () => {
  using folder = temporaryFolder();
  const file = stateIn(folder.path);
  truncateSync(file, 100_000);

  expect(failureOf(() => openDatabase(file))).toMatchObject({ name: 'ConfigError', message: DAMAGED, file });
});

test('a state that is damaged while it is open is reported as damaged', async () => {
  using folder = temporaryFolder();
  const file = stateIn(folder.path);
  await using store = await openStore({ file });
  // A write of another process makes this one read the file again.
  using other = new DatabaseSync(file);
  other.exec("insert into standing_message values ('discord', 'a', 'b')");
  overwrite(file);

  await expect(store.ruleSources.load()).rejects.toMatchObject({ name: 'ConfigError', message: DAMAGED, file });
});

test('the database of another program is refused, and not written to', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  const other = new DatabaseSync(file);
  other.exec("create table contacts (name text); insert into contacts values ('ada')");
  other.close();
  const before = readFileSync(file);

  expect(failureOf(() => openDatabase(file))).toMatchObject({ name: 'ConfigError', message: FOREIGN, file });
  expect(readFileSync(file)).toEqual(before);
});

test.for([
  ['an empty file', (file: string) => truncateSync(file, 0)],
  ['a file whose log of changes was removed before anything reached the file', loseLog],
  ['no file', (file: string) => rmSync(file)],
] as const)('%s counts as an empty state', ([, lose]) => {
  using folder = temporaryFolder();
  const file = stateIn(folder.path);
  let calls = 0;
  openDatabase(file, { onEmpty: () => calls++ }).close();
  const whole = calls;
  lose(file);

  openDatabase(file, { onEmpty: () => calls++ }).close();

  expect([whole, calls]).toEqual([0, 1]);
});

/** The file on the disk while all of its content is in the write-ahead log. */
function loseLog(file: string): void {
  rmSync(file);
  using database = openDatabase(file);
  const early = readFileSync(file);
  database.close();
  rmSync(`${file}-wal`, { force: true });
  writeFileSync(file, early);
}
