import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { TENTH } from './options.ts';
import { runChaos } from './run.ts';

test('workers that are killed, frozen and disconnected announce every event once and in order', async () => {
  using directory = temporaryFolder();
  const lines: string[] = [];

  const isClean = await runChaos({
    options: TENTH,
    folder: directory.path,
    log: (line) => lines.push(line),
    signal: new AbortController().signal,
  });

  expect(isClean, lines.join('\n')).toBe(true);
});
