import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLists } from '#src/app/open-lists.ts';
import { openConfig } from '#src/config/open-config.ts';
import { createLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('each error of a list file is one line of the log, and so is its end', async () => {
  using folder = temporaryFolder();
  await using store = await openStore();
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], color: false, write: (line) => lines.push(line.slice(21).trim()) });
  const file = join(folder.path, 'lists/team.yaml');
  mkdirSync(join(folder.path, 'lists'));
  writeFileSync(file, 'ada: { kick: "ada_k }\n');
  const { listSource } = openLists({ config: openConfig({ FANFARE_RULES: join(folder.path, 'rules') }), store, log });

  await listSource.current();
  writeFileSync(file, '');
  await listSource.current();
  writeFileSync(file, '{}\n');
  await listSource.current();

  expect(lines.map((line) => line.replace(folder.path, ''))).toEqual([
    'warn  ! /lists/team.yaml:1:14 the quotes are not closed (add the closing quote)',
    'warn  ! /lists/team.yaml:1:1 the file is empty (for a list without entries, write {})',
    'info  the list files have no errors now',
  ]);
});
