import { expect, test } from 'vitest';
import { fc, runs } from '../../support/property.ts';
import { compare } from './model/compare.ts';
import { someRule, someTimers, someWorld } from './model/world.ts';

const WORLDS = runs(60, 700);

test(`${WORLDS} random worlds have the same effects in the product and in the model`, () => {
  let polls = 0;
  const property = fc.property(someRule, fc.array(someTimers, { minLength: 1, maxLength: 3 }), someWorld, (rule, edits, world) => {
    polls += compare(rule, world, (nth) => edits[nth % edits.length] ?? {});
  });

  fc.assert(property, { numRuns: WORLDS });

  // A world has 75 polls on average, and the average of a run differs from it by about 3.
  expect(polls).toBeGreaterThan(50 * WORLDS);
});
