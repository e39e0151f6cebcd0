import { expect, test } from 'vitest';
import { readinessOf } from '#src/app/readiness.ts';

const connected = { state: 'connected', problem: undefined } as const;

test.for([
  [[], 2, { ready: true, why: undefined }],
  [['a'], 2, { ready: true, why: 'a could not be run: the log says why' }],
  [['a', 'b'], 2, { ready: false, why: 'a, b could not be run: the log says why' }],
  [['a', 'b', 'c', 'd'], 9, { ready: true, why: '4 rules could not be run: the log says why' }],
] as const)('of %j stuck rules of %i it says so, and is not ready where all are', ([stuck, running, readiness]) => {
  expect(readinessOf({ discord: connected, stuck, running })).toEqual(readiness);
});

test('before Discord was connected once nothing is ready; afterwards it is, whatever the connection does', () => {
  expect(readinessOf({ discord: { state: 'connecting', problem: undefined }, stuck: [], running: 1 })).toEqual({
    ready: false,
    why: 'Discord is not connected yet',
  });
  expect(readinessOf({ discord: { state: 'restoring', problem: undefined }, stuck: [], running: 1 })).toEqual({
    ready: true,
    why: 'the connection to Discord is being restored',
  });
});
