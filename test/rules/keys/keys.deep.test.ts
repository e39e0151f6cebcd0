import { expect, test } from 'vitest';
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
      ...wrongNames(key).flatMap((wrong) => [false, true].map((isTemplate) => faultOfMisspelling(key, wrong, isTemplate))),
      ...(key.isRequired ? [faultOfRemoval(key)] : []),
    ]);

    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
    expect(faults.length).toBeGreaterThan(100);
  },
  600_000,
);
