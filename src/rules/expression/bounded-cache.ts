/** Caches the values of the last used keys. */
export class BoundedCache<T, K = string> {
  readonly #size: number;
  readonly #entries = new Map<K, T>();

  constructor(size: number) {
    this.#size = size;
  }

  /** The cached value, else the result of `make`. */
  get(key: K, make: () => T): T {
    const value = this.#entries.get(key) ?? make();
    // A Map keeps insertion order: the last used key moves to the end.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#size) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    return value;
  }
}
