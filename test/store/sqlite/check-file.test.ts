import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startApp } from '#src/app/app.ts';
import { restore } from '#src/app/restore.ts';
import { stateFileOf } from '#src/app/stored-state.ts';
import { isSound } from '#src/store/sqlite/check-file.ts';
import { clearDamage, fileCheckOf, noteDamage } from '#src/store/sqlite/file-check.ts';
import { openDatabase } from '#src/store/sqlite/open.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const LARGE_BYTES = 20_000_000;
const DAMAGED = { name: 'ConfigError', message: 'the state cannot be opened: it is damaged' };
const { signal } = new AbortController();

/** Creates a closed state in `folder`. No start reads the pages of a damaged one that are damaged. */
function makeState(folder: string, { bytes = LARGE_BYTES, isDamaged = false } = {}): string {
  const file = stateFileOf({ dataDirectory: folder });
  mkdirSync(folder, { recursive: true });
  using database = openDatabase(file);
  database.prepare(`insert into post_draft (id, owner, body, kept_ms) values ('1', 'ada', ?, 0)`).run('x'.repeat(bytes));
  database.exec('pragma wal_checkpoint(truncate)');
  if (isDamaged) {
    const descriptor = openSync(file, 'r+');
    writeSync(descriptor, Buffer.alloc(65_536, 0xff), 0, 65_536, statSync(file).size - 65_536);
    closeSync(descriptor);
  }
  return file;
}

/** Copies the files of a state while a process uses it: the files that its loss of power leaves. */
function copyUsedState(from: string, folder: string): string {
  const to = stateFileOf({ dataDirectory: folder });
  mkdirSync(folder, { recursive: true });
  using database = openDatabase(from, { isChecked: false });
  database.exec(`insert into saved_view (id, command, options, made_ms) values ('1', 'live', '[]', 0)`);
  for (const end of ['', '-wal']) copyFileSync(`${from}${end}`, `${to}${end}`);
  return to;
}

describe('the whole file is checked', () => {
  test('before its use if it is small or missing', () => {
    using folder = temporaryFolder();

    expect(fileCheckOf(join(folder.path, 'missing.sqlite'))).toBe('first');
    expect(fileCheckOf(makeState(folder.path, { bytes: 1000 }))).toBe('first');
  });

  test('never if it is large and was closed', () => {
    using folder = temporaryFolder();

    expect(fileCheckOf(makeState(folder.path))).toBe('none');
  });

  test('in the background if it is large and was not closed', async () => {
    using folder = temporaryFolder();
    const file = copyUsedState(makeState(join(folder.path, 'used')), join(folder.path, 'copy'));

    expect(fileCheckOf(file)).toBe('background');
    using database = openDatabase(file, { isChecked: false });
    expect(await isSound(file, { signal })).toBe(true);
    expect(fileCheckOf(file)).toBe('background');
    database.close();
    expect(fileCheckOf(file)).toBe('none');
  });
});

test('a damaged file is checked before its use until it is sound', async () => {
  using folder = temporaryFolder();
  const file = makeState(folder.path, { isDamaged: true });
  const before = readFileSync(file);

  expect(await isSound(file, { signal })).toBe(false);

  expect(readFileSync(file).equals(before)).toBe(true);
  expect(noteDamage(file)).toMatchObject({ ...DAMAGED, file });
  expect(fileCheckOf(file)).toBe('first');
  clearDamage(file);
  expect(fileCheckOf(file)).not.toBe('first');
});

test('a check ends when the process stops', async () => {
  using folder = temporaryFolder();
  const file = makeState(folder.path, { isDamaged: true });

  await expect(isSound(file, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
});

test('after an unclean end, Fanfare ends if its state is damaged, and does not start again before it is restored', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  copyUsedState(makeState(join(folder.path, 'used'), { isDamaged: true }), data);
  mkdirSync(join(folder.path, 'rules'));
  const environment = { PORT: '0', FANFARE_DATA: data, FANFARE_RULES: join(folder.path, 'rules') };
  const start = () => startApp({ environment, write: () => undefined, color: false });

  {
    await using app = await start();
    await expect(app.clockSetBack).rejects.toMatchObject(DAMAGED);
  }
  await expect(start()).rejects.toMatchObject(DAMAGED);

  await restore({ environment, file: makeState(join(folder.path, 'backup')) });
  await using app = await start();
  expect(app.url).toContain('http://');
});
