import { afterAll, beforeAll, expect, test } from 'vitest';
import { fc, runs } from '../../support/property.ts';
import { someActs } from './acts.ts';
import { openTown, type Town } from './town.ts';
import { walk } from './walk.ts';

const WALKS = runs(2, 25);

let town: Town;
beforeAll(async () => void (town = await openTown()));
afterAll(() => town[Symbol.asyncDispose]());

test(`${WALKS} random walks: follows announce each stream once, and answers say what is stored`, async () => {
  let cards = 0;
  const property = fc.asyncProperty(someActs, async (acts) => void (cards += await walk(town, acts)));

  await fc.assert(property, { numRuns: WALKS });

  expect(cards).toBeGreaterThan(0);
});
