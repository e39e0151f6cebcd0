import { expect, test } from 'vitest';
import fc from 'fast-check';
import { compare } from './model/versus.ts';
import { someRule, someTimers, someWorld } from './model/world.ts';

/** Polls of one part; a rule that looks every minute makes as many in half a year. */
const LEAST_POLLS = 250_000;
const RUNS = 3_500;

/** FANFARE_MODEL_SEED plays one part again; a failure prints the seed. */
const given = process.env['FANFARE_MODEL_SEED'];
const seeds = given === undefined ? Array.from({ length: 4 }, (_, part) => (Date.now() + part * 1_000_003) | 0) : [Number(given)];

test.for(seeds)(`${LEAST_POLLS} polls of random worlds say what the model says (seed %i)`, { timeout: 240_000 }, (seed) => {
  let polls = 0;
  const property = fc.property(someRule, fc.array(someTimers, { minLength: 1, maxLength: 3 }), someWorld, (rule, edits, world) => {
    polls += compare(rule, world, (nth) => edits[nth % edits.length] ?? {});
  });

  fc.assert(property, { seed, numRuns: RUNS });

  expect(polls).toBeGreaterThan(LEAST_POLLS);
});
