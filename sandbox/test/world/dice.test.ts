import { fc } from '../../../test/support/property.ts';
import { expect, test } from 'vitest';
import { createDice, pickWeighted, shuffled, unshuffled } from '../../world/dice.ts';

const thrown = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const prime = fc.constantFrom(2, 3, 127, 251);

test('the seed, the salt and the numbers determine the result', () => {
  const [one, same, otherSeed, otherSalt] = [createDice(7, 'a'), createDice(7, 'a'), createDice(8, 'a'), createDice(7, 'b')];

  const throws = [one, same, otherSeed, otherSalt].map((dice) => [dice(1), dice(2), dice(1, 2, 3)]);

  expect(throws[1]).toEqual(throws[0]);
  expect(new Set(throws.map(String)).size).toBe(3);
});

test('results are uniformly distributed', () => {
  const dice = createDice(3, 'fair');
  const counts = Array.from({ length: 10 }, () => 0);

  for (let index = 0; index < 20_000; index++) {
    const part = Math.floor(dice(index) * 10);
    counts[part] = (counts[part] ?? 0) + 1;
  }

  expect(Math.min(...counts)).toBeGreaterThan(1800);
  expect(Math.max(...counts)).toBeLessThan(2200);
});

test('a shuffle is a permutation with an inverse', () => {
  fc.assert(
    fc.property(prime, thrown, (count, luck) => {
      const positions = Array.from({ length: count }, (_, index) => shuffled(index, count, luck));

      expect(new Set(positions).size).toBe(count);
      expect(positions.map((place) => unshuffled(place, count, luck))).toEqual(positions.map((_, index) => index));
    }),
  );
});

test('items without weight are never picked', () => {
  const list = [
    { name: 'never', weight: 0 },
    { name: 'always', weight: 2 },
  ];

  fc.assert(
    fc.property(thrown, (luck) => {
      expect(pickWeighted(list, luck).name).toBe('always');
    }),
  );
});
