import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { isForOthers } from '#src/http/secrets/modes.ts';
import { openStore } from '#src/store/store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('only the owner can read the database and the files beside it', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'data', 'fanfare.sqlite');
  await using store = await openStore({ file });
  await store.sealedRows.save('x', 'v1.sealed');
  using _claim = await store.sealedRows.claim('x', new AbortController().signal);

  const modes = readdirSync(dirname(file)).map((name) => [name, statSync(join(dirname(file), name)).mode & 0o077]);

  expect(modes.map(([name]) => name)).toEqual(expect.arrayContaining(['fanfare.sqlite', 'fanfare.sqlite-wal', 'fanfare.sqlite-tokens-x']));
  expect(modes.filter(([, others]) => others !== 0)).toEqual([]);
  expect(statSync(dirname(file)).mode & 0o077).toBe(0);
});

test('an existing database, its folder and the files of a crash become readable by their owner only', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const file = join(data, 'fanfare.sqlite');
  {
    await using first = await openStore({ file });
    await first.sealedRows.save('x', 'v1.sealed');
    using _claim = await first.sealedRows.claim('x', new AbortController().signal);
  }
  for (const name of readdirSync(data)) chmodSync(join(data, name), 0o644);
  writeFileSync(`${file}-wal`, '', { mode: 0o644 });
  chmodSync(data, 0o755);

  await using store = await openStore({ file });
  using _claim = await store.sealedRows.claim('x', new AbortController().signal);
  const open = [data, ...readdirSync(data).map((name) => join(data, name))].filter((path) => (statSync(path).mode & 0o077) !== 0);

  // No process has claimed these files since.
  expect(open.map((path) => basename(path)).filter((name) => !/-(sender|answerer)$/u.test(name))).toEqual([]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(data).mode & 0o777).toBe(0o700);
  expect(await store.sealedRows.load('x')).toBe('v1.sealed');
});

test('the mode of a shared folder or a working directory does not change', async () => {
  using folder = temporaryFolder();
  const shared = join(folder.path, 'shared');
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  chmodSync(folder.path, 0o755);
  const before = process.cwd();

  await using _shared = await openStore({ file: join(shared, 'fanfare.sqlite') });
  process.chdir(shared);
  try {
    await using _around = await openStore({ file: join(folder.path, 'fanfare.sqlite') });
  } finally {
    process.chdir(before);
  }

  expect(statSync(shared).mode & 0o7777).toBe(0o1777);
  expect(statSync(folder.path).mode & 0o777).toBe(0o755);
  expect(statSync(join(shared, 'fanfare.sqlite')).mode & 0o777).toBe(0o600);
});

test('a disk without file modes causes no error', () => {
  expect(isForOthers(0o100666, 'win32')).toBe(false);
  expect(isForOthers(0o100640, 'linux')).toBe(true);
  expect(isForOthers(0o100600, 'linux')).toBe(false);
});
