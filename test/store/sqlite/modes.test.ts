import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '#src/store/store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('the database, and all that stands beside it, is for its owner alone', async () => {
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
