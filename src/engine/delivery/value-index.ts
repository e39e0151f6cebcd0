const NONE: ReadonlySet<never> = new Set();

/** Values by key, in the order in which they were added. */
export class ValueIndex<V> {
  readonly #values = new Map<string, Set<V>>();

  add(key: string, value: V): void {
    const values = this.#values.get(key);
    if (values) values.add(value);
    else this.#values.set(key, new Set([value]));
  }

  delete(key: string, value: V): void {
    const values = this.#values.get(key);
    values?.delete(value);
    if (values?.size === 0) this.#values.delete(key);
  }

  get(key: string): ReadonlySet<V> {
    return this.#values.get(key) ?? NONE;
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }
}
