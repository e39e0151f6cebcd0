import { expect, test } from 'vitest';
import { seed } from '../support/property.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { formatHeading } from './checker/violations.ts';
import { TWENTIETH } from './options.ts';
import { runChaos } from './run.ts';

test('workers that are killed, frozen and disconnected announce every event once and in order', async () => {
  using directory = temporaryFolder();
  const lines: string[] = [];

  const violations = await runChaos({
    options: { ...TWENTIETH, seed },
    folder: directory.path,
    repeatedBy: `FANFARE_SEED=${seed} npm run test:deep -- test/chaos`,
    log: (line) => lines.push(line),
    signal: new AbortController().signal,
  });

  // The list of failed tests shows the first line.
  expect(violations, [violations.map(formatHeading).join('; '), ...lines].join('\n')).toEqual([]);
});
