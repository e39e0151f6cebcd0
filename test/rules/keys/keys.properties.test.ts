import { describe, expect, test } from 'vitest';
import { fc, runs } from '../../support/property.ts';
import { misspellings } from './document-keys.ts';
import { configKeys, ruleFields, ruleKeys, testKeys } from './documents.ts';
import { distinctKeys, faultOfField, faultOfMisspelling, faultOfRemoval, wrongNames } from './keys.ts';

describe.each([
  ['rules', ruleKeys],
  ['test files', testKeys],
  ['fanfare.yaml', configKeys],
])('the keys of %s', (_, load) => {
  const keys = load();

  test('are errors with a suggestion if they are misspelled, with plain values and with templates', () => {
    const misspelled = fc
      .tuple(fc.constantFrom(...keys), fc.nat(), fc.boolean())
      .filter(([key]) => wrongNames(key).length > 0)
      .map(([key, index, isTemplate]) => ({ key, wrong: wrongNames(key).at(index % wrongNames(key).length) ?? '', isTemplate }));
    fc.assert(
      fc.property(misspelled, ({ key, wrong, isTemplate }) => {
        expect(faultOfMisspelling(key, wrong, isTemplate)).toBeUndefined();
      }),
      { numRuns: runs(10, 100) },
    );
  });

  test('are errors if they are required and missing', () => {
    const required = distinctKeys(keys).filter(({ isRequired }) => isRequired);
    const chosen = fc.constantFrom(...required);
    fc.assert(
      fc.property(chosen, (key) => {
        expect(faultOfRemoval(key)).toBeUndefined();
      }),
      { numRuns: runs(5, 40) },
    );
  });
});

test('the fields in expressions of rules are errors with a suggestion if they are misspelled', () => {
  const fields = ruleFields();
  const names = new Set(fields.map(({ field }) => field));
  const misspelled = fc
    .tuple(fc.constantFrom(...fields), fc.nat())
    .map(([field, index]) => ({ field, wrong: misspellings(field.field).at(index % misspellings(field.field).length) ?? '' }))
    // A misspelling can be the name of another field, for example account for accounts.
    .filter(({ wrong }) => !names.has(wrong));
  fc.assert(
    fc.property(misspelled, ({ field, wrong }) => {
      expect(faultOfField(field, wrong)).toBeUndefined();
    }),
    { numRuns: runs(10, 100) },
  );
});
