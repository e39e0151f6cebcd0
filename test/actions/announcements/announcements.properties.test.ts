import { expect, test } from 'vitest';
import { fc, runs } from '../../support/property.ts';
import { someActs } from './acts.ts';
import { walk } from './walk.ts';
import { NIGHTS, someRule } from './walked-rule.ts';

const WALKS = runs(3, 50);

test(`${WALKS} random walks: actions during announcements lose, repeat and resume nothing`, async () => {
  let announced = 0;
  const property = fc.asyncProperty(fc.constantFrom(...NIGHTS), someRule, someActs, async (night, rule, acts) => {
    announced += (await walk(night, rule, acts)).announced;
  });

  await fc.assert(property, { numRuns: WALKS });

  expect(announced).toBeGreaterThan(0);
});
