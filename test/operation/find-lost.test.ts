import { expect, test } from 'vitest';
import { findLost } from '#src/operation/find-lost.ts';

const since = new Date('2026-11-20T18:00:00Z');

test.for([
  ['what was made since', [5_000], { found: 5_000 }],
  ['what is older by less than clocks are apart', [-60_000], { found: -60_000 }],
  ['the oldest of several', [-30_000, 5_000], { found: -30_000 }],
  ['the record that is not older', [-3_600_000, 5_000], { found: 5_000 }],
  ['an open outcome if all are older', [-60_001], 'cannotTell'],
  ['nobody knows what where no time is said', [undefined], 'cannotTell'],
  ['nothing where all are older than a day', [-86_400_001], 'absent'],
  ['nothing where there is nothing', [], 'absent'],
] as const)('the lost one is %s', ([, alike, recovery]) => {
  const madeAt = (ms: number | undefined): Date | undefined => (ms === undefined ? undefined : new Date(since.getTime() + ms));

  expect(findLost<number | undefined>(alike, { since, madeAt })).toEqual(recovery);
});
