import { expect, test } from 'vitest';
import { findLost } from '#src/clients/operation/find-lost.ts';

const since = new Date('2026-11-20T18:00:00Z');

test.for([
  ['a record made since then', [5_000], { found: 5_000 }],
  ['a record that is older by at most the difference between clocks', [-60_000], { found: -60_000 }],
  ['the oldest of several records', [-30_000, 5_000], { found: -30_000 }],
  ['the record that is not too old', [-3_600_000, 5_000], { found: 5_000 }],
  ['unknown if all records are too old', [-60_001], 'cannotTell'],
  ['unknown if a record has no time', [undefined], 'cannotTell'],
  ['absent if all records are older than a day', [-86_400_001], 'absent'],
  ['absent without records', [], 'absent'],
] as const)('the result of a lost write is %s', ([, alike, recovery]) => {
  const madeAt = (ms: number | undefined): Date | undefined => (ms === undefined ? undefined : new Date(since.getTime() + ms));

  expect(findLost<number | undefined>(alike, { since, madeAt })).toEqual(recovery);
});
