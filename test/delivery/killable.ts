/** A life that ends at its `at`th asynchronous call, before or after the call has its effect: then nothing it calls happens any more. */
export class Mortal {
  readonly #at: number;
  readonly #moment: 'before' | 'after';
  #calls = 0;
  #dead = false;

  constructor(at: number, moment: 'before' | 'after') {
    this.#at = at;
    this.#moment = moment;
  }

  get dead(): boolean {
    return this.#dead;
  }

  /** The same function, as far as this life goes. */
  call<A extends unknown[], R>(effect: (...args: A) => R | Promise<R>): (...args: A) => Promise<R> {
    return async (...args) => {
      if (this.#dead) return never();
      const last = ++this.#calls === this.#at;
      if (last && this.#moment === 'before') return this.#die();
      try {
        return await effect(...args);
      } finally {
        if (last) await this.#die();
        // Whoever was at work at that moment is gone as well.
        if (this.#dead) await never();
      }
    };
  }

  /** The same function as far as this life goes, and no moment to die at: it only looks, or waits. */
  look<A extends unknown[], R>(look: (...args: A) => R | Promise<R>): (...args: A) => Promise<R> {
    return async (...args) => {
      if (this.#dead) return never();
      try {
        return await look(...args);
      } finally {
        if (this.#dead) await never();
      }
    };
  }

  /** All methods of `object`, as far as this life goes; it may die at those in `effects`: at a read nothing differs from the effect before it. */
  methods<T extends object>(object: T, effects: readonly (keyof T & string)[]): T {
    const entries = Object.entries(object).map(([name, value]) => {
      if (typeof value !== 'function') return [name, value];
      const method = value as () => unknown; // whatever it takes, it is handed on
      return [name, effects.some((effect) => effect === name) ? this.call(method) : this.look(method)];
    });
    return Object.fromEntries(entries) as T; // the same methods, each of which returned a promise before
  }

  #die(): Promise<never> {
    this.#dead = true;
    return never();
  }
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
