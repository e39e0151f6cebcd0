import { expect, test } from 'vitest';
import { limitShrinking } from './limited-shrinking.ts';
import { fc } from './property.ts';

/** Each run takes one second. All numbers above 1,000 fail. */
function slow() {
  let nowMs = 0;
  const runs: number[] = [];
  const run = (number: number): boolean => {
    nowMs += 1_000;
    runs.push(number);
    return number <= 1_000;
  };
  return { run, runs, nowMs: () => nowMs };
}

const numbers = fc.integer({ min: 0, max: 1_000_000_000 });
/** The first counterexample is the last run of these. */
const PASSING = Array.from({ length: 100 }, (_, number): [number] => [number]);
const EXAMPLES = { examples: [...PASSING, [900_000_000] satisfies [number]], numRuns: PASSING.length + 1 };

test('shrinking ends after its limit, with the smallest counterexample so far', () => {
  const { run, runs, nowMs } = slow();

  const details = fc.check(fc.property(numbers, run), { ...EXAMPLES, plugins: [limitShrinking({ limitMs: 10_000, nowMs })] });

  expect(runs).toHaveLength(EXAMPLES.numRuns + 10);
  expect(details).toMatchObject({ failed: true, counterexample: [Math.min(...runs.filter((number) => number > 1_000))] });
});

test('shrinking of an asynchronous property ends after its limit', async () => {
  const { run, runs, nowMs } = slow();
  const property = fc.asyncProperty(numbers, (number) => Promise.resolve(run(number)));

  const details = await fc.check(property, { ...EXAMPLES, plugins: [limitShrinking({ limitMs: 10_000, nowMs })] });

  expect(runs).toHaveLength(EXAMPLES.numRuns + 10);
  expect(details).toMatchObject({ failed: true, counterexample: [Math.min(...runs.filter((number) => number > 1_000))] });
});

test('a search that is shorter than its limit finds the smallest counterexample', () => {
  const { run, nowMs } = slow();

  const details = fc.check(fc.property(numbers, run), { ...EXAMPLES, plugins: [limitShrinking({ limitMs: 10_000_000, nowMs })] });

  expect(details).toMatchObject({ failed: true, counterexample: [1_001] });
});

test('runs without a failure have no limit, and skipped inputs are no failures', () => {
  const { run, runs, nowMs } = slow();
  const property = fc.property(fc.integer({ min: 0, max: 1_000 }), (number) => {
    const isFine = run(number);
    fc.pre(number % 2 === 0);
    return isFine;
  });

  const details = fc.check(property, { numRuns: 50, plugins: [limitShrinking({ limitMs: 10_000, nowMs })] });

  expect(details).toMatchObject({ failed: false, numRuns: 50 });
  expect(runs.length).toBeGreaterThan(50);
});
