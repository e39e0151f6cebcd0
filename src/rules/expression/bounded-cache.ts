/**
 * Caches the values of recently used keys.
 *
 * The cache has two generations. If the new one is full, it becomes the old one, and the old one is dropped. So a hit costs one
 * look-up, and a key that is used in each generation stays.
 */
export class BoundedCache<T, K = string> {
  readonly #size: number;
  #recent = new Map<K, T>();
  #older = new Map<K, T>();

  /** `size`: the number of values to keep. */
  constructor(size: number) {
    this.#size = size;
  }

  /** The cached value, else the result of `make`. */
  get(key: K, make: () => T): T {
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const value = this.#older.get(key) ?? make();
    if (this.#recent.size * 2 >= this.#size) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, value);
    return value;
  }
}
