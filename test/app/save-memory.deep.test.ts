import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('a heap that becomes small while V8 repeats a collection does not end the process', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['test/app/repeats-process.ts']);

  expect(stdout).toContain('started GC #2');
});
