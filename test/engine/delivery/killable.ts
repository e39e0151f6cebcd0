/** A program that is killed at its `at`th asynchronous call, before or after the effect of the call. Later calls have no effect. */
export class Killable {
  readonly #at: number;
  readonly #when: 'before' | 'after';
  #calls = 0;
  #isKilled = false;

  constructor(at: number, when: 'before' | 'after') {
    this.#at = at;
    this.#when = when;
  }

  get isKilled(): boolean {
    return this.#isKilled;
  }

  /** The same function until the kill. The program can be killed at its calls. */
  call<A extends unknown[], R>(effect: (...args: A) => R | Promise<R>): (...args: A) => Promise<R> {
    return async (...args) => {
      if (this.#isKilled) return never();
      const last = ++this.#calls === this.#at;
      if (last && this.#when === 'before') return this.#kill();
      try {
        return await effect(...args);
      } finally {
        if (last) await this.#kill();
        // Calls that were under way never return.
        if (this.#isKilled) await never();
      }
    };
  }

  /** The same function until the kill. Its calls do not count, because it only reads or waits. */
  read<A extends unknown[], R>(read: (...args: A) => R | Promise<R>): (...args: A) => Promise<R> {
    return async (...args) => {
      if (this.#isKilled) return never();
      try {
        return await read(...args);
      } finally {
        if (this.#isKilled) await never();
      }
    };
  }

  /** All methods of `object` until the kill. The program can be killed at the methods in `effects`. */
  methods<T extends object>(object: T, effects: readonly (keyof T & string)[]): T {
    const entries = Object.entries(object).map(([name, value]) => {
      if (typeof value !== 'function') return [name, value];
      const method = value as () => unknown; // its arguments are passed on
      return [name, effects.some((effect) => effect === name) ? this.call(method) : this.read(method)];
    });
    return Object.fromEntries(entries) as T; // the same methods; each returned a promise before
  }

  #kill(): Promise<never> {
    this.#isKilled = true;
    return never();
  }
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
