import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { growthPercent } from '#src/app/save-memory.ts';

test('a small heap grows by 10 MB between two full garbage collections, and a large one by 10 %', () => {
  expect([5, 20, 30, 50, 100, 1000].map((megabytes) => growthPercent(megabytes * 1e6))).toEqual([50, 50, 33, 20, 10, 10]);
});

test('the memory of a burst is collected within a minute', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['test/app/burst-process.ts']);

  const [peak = 0, after] = z.array(z.number()).parse(JSON.parse(stdout));

  expect(peak).toBeGreaterThan(100);
  expect(after).toBeLessThan(30);
});
