import { expect, test } from 'vitest';
import { fc, runs } from '../../support/property.ts';
import { someActs } from './acts.ts';
import { walk } from './walk.ts';
import { someRules } from './walked-rules.ts';

const WALKS = runs(3, 50);

test(`${WALKS} random walks: cards show the last state of their streams, and each change is announced once and in order`, async () => {
  let sent = 0;
  const property = fc.asyncProperty(someRules, someActs, async (rules, acts) => {
    sent += await walk(rules, acts);
  });

  await fc.assert(property, { numRuns: WALKS });

  expect(sent).toBeGreaterThan(0);
});
