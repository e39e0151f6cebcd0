/** A number in [0, 1) that depends only on the seed, the salt and the arguments, which are whole numbers. */
export type Dice = (a: number, b?: number, c?: number) => number;

/** Creates dice. The salt names their purpose and changes the numbers. */
export function createDice(seed: number, salt: string): Dice {
  let start = scramble(seed | 0, 0x9e3779b9);
  for (const char of salt) start = scramble(start, char.charCodeAt(0));
  return (a, b = 0, c = 0) => (scramble(scramble(scramble(start, a), b), c) >>> 0) / 2 ** 32;
}

function scramble(state: number, value: number): number {
  let mixed = Math.imul(state ^ value, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0x27d4eb2f);
  return (mixed ^ (mixed >>> 16)) + 0x6d2b79f5;
}

/** A whole number from 0 to `count - 1`. */
export function below(count: number, thrown: number): number {
  return Math.floor(thrown * count);
}

/** An item of the list. */
export function pick<T>(list: readonly T[], thrown: number): T {
  const chosen = list[below(list.length, thrown)];
  if (chosen === undefined) throw new RangeError('there is nothing to pick from');
  return chosen;
}

/** An item of the list. The chance of an item is proportional to its weight. */
export function pickWeighted<T extends { readonly weight: number }>(list: readonly T[], thrown: number): T {
  let left = thrown * list.reduce((sum, { weight }) => sum + weight, 0);
  for (const item of list) {
    left -= item.weight;
    if (left < 0) return item;
  }
  return pick(list, thrown);
}

/** The new position of `index` in a permutation of `count` items, which must be a prime number. `thrown` selects the permutation. */
export function shuffled(index: number, count: number, thrown: number): number {
  const { step, shift } = shuffle(count, thrown);
  return (index * step + shift) % count;
}

/** The inverse of {@link shuffled}. */
export function unshuffled(position: number, count: number, thrown: number): number {
  const { step, shift } = shuffle(count, thrown);
  const distance = (position - shift + count) % count;
  return (distance * inverse(step, count)) % count;
}

function shuffle(count: number, thrown: number): { readonly step: number; readonly shift: number } {
  const number = below((count - 1) * count, thrown);
  return { step: 1 + Math.floor(number / count), shift: number % count };
}

/** The modular inverse by Fermat: `value` to the power of `prime - 2`. */
function inverse(value: number, prime: number): number {
  let result = 1;
  for (let factor = value, power = prime - 2; power > 0; power = Math.floor(power / 2)) {
    if (power % 2 === 1) result = (result * factor) % prime;
    factor = (factor * factor) % prime;
  }
  return result;
}
