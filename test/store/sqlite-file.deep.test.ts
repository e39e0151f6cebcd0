import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { openStore } from '#src/store/store.ts';
import { describeStore } from '../contract/store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder({ inMemory: true });
afterAll(() => folder[Symbol.dispose]());

const files: string[] = [];

describeStore('SQLite in a file', (clock) => {
  const file = join(folder.path, 'deep', `${files.length}.sqlite`);
  files.push(file);
  return openStore({ file, clock });
});

test('SQLite knows of each delivery of these files whether it is settled, whatever happened to it', () => {
  const found = new Set<string>();
  for (const file of files) {
    using database = new DatabaseSync(file, { readOnly: true });
    for (const { state, settled } of database.prepare('select distinct state, settled from delivery').all())
      found.add(`${String(state)} ${String(settled)}`);
  }

  const open = ['asked null', 'pending null', 'sending null'];
  expect([...found].toSorted()).toEqual([...open, 'failed 1', 'sent 1', 'skipped 1', 'unknown 1'].toSorted());
});
