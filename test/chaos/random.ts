/** Random numbers from a seed: each name has a sequence that does not depend on the others. */
export class Random {
  #state: number;

  constructor(seed: number, name = '') {
    this.#state = seed >>> 0;
    for (const char of name) this.#state = Math.imul(this.#state ^ (char.codePointAt(0) ?? 0), 0x9e_37_79_b1) >>> 0;
    this.number();
  }

  /** A number from 0 up to 1. */
  number(): number {
    // mulberry32, a public-domain generator.
    this.#state = (this.#state + 0x6d_2b_79_f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.number() * (most - least + 1));
  }

  pick<T>(values: readonly [T, ...T[]]): T;
  pick<T>(values: readonly T[]): T | undefined;
  pick<T>(values: readonly T[]): T | undefined {
    return values[Math.floor(this.number() * values.length)];
  }

  shuffled<T>(values: readonly T[]): readonly T[] {
    return values
      .map((value) => ({ value, rank: this.number() }))
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ value }) => value);
  }
}
