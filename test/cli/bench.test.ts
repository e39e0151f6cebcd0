import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bench } from '#src/cli/bench.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('bench returns the exit code of the benchmarks, and an error outside a clone', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'measure.mjs');
  writeFileSync(file, 'process.exitCode = 3;');

  expect(await bench(file)).toBe(3);
  await expect(bench(join(folder.path, 'none.mjs'))).rejects.toThrow(/only a clone of the repository/);
});
