/** Keeps what was made for the last keys that were asked for. */
export class BoundedCache<T, K = string> {
  readonly #size: number;
  readonly #entries = new Map<K, T>();

  constructor(size: number) {
    this.#size = size;
  }

  /** What was made for the key, else what `make` gives now. */
  get(key: K, make: () => T): T {
    const value = this.#entries.get(key) ?? make();
    // The last asked for stands last.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#size) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    return value;
  }
}
