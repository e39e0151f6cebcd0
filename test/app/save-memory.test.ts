import { expect, test } from 'vitest';
import { growthPercent } from '#src/app/save-memory.ts';

test('a small heap grows by 10 MB between two full garbage collections, and a large one by 10 %', () => {
  expect([5, 20, 30, 50, 100, 1000].map((megabytes) => growthPercent(megabytes * 1e6))).toEqual([50, 50, 33, 20, 10, 10]);
});
