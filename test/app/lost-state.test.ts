import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { warnOfLoss } from '#src/config/data-directory.ts';
import { createLog } from '#src/log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('an empty state beside a key causes a warning, and one without a key does not', () => {
  using folder = temporaryFolder({ inMemory: true });
  const config = { dataDirectory: folder.path };
  const lines: string[] = [];
  const log = createLog({ level: 'warn', secrets: [], write: (line) => lines.push(line), color: false });

  warnOfLoss(config, log);
  expect(lines).toEqual([]);
  writeFileSync(join(folder.path, 'key'), 'a key');
  warnOfLoss(config, log);

  expect(lines.join('')).toContain('the state is empty, although the data folder has the key of an earlier installation');
  expect(lines.join('')).toContain('fanfare restore');
});
