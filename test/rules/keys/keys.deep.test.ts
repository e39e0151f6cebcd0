import { expect, test } from 'vitest';
import { chosen } from '../../support/property.ts';
import { configKeys, ruleKeys, testKeys } from './documents.ts';
import { distinctKeys, faultOfMisspelling, faultOfRemoval, wrongNames } from './keys.ts';

test.each([
  ['rules', ruleKeys],
  ['test files', testKeys],
  ['fanfare.yaml', configKeys],
])(
  'every misspelling of every key of %s is an error with a suggestion, and every missing required key is an error',
  (_, load) => {
    const faults = distinctKeys(load()).flatMap((key) => [
      ...wrongNames(key).map((wrong, index) => faultOfMisspelling(key, wrong, chosen([false, true], index))),
      ...(key.isRequired ? [faultOfRemoval(key)] : []),
    ]);

    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
    expect(faults.length).toBeGreaterThan(100);
  },
  600_000,
);
