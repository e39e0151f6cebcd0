/** Groups of values by key. An empty group does not exist. */
export class MultiMap<T> {
  readonly #groups = new Map<string, Set<T>>();

  /** The values of a key, in the order in which they were added. */
  of(key: string): readonly T[] {
    return [...(this.#groups.get(key) ?? [])];
  }

  add(key: string, value: T): void {
    const group = this.#groups.get(key);
    if (group) group.add(value);
    else this.#groups.set(key, new Set([value]));
  }

  delete(key: string, value: T): void {
    const group = this.#groups.get(key);
    group?.delete(value);
    if (group?.size === 0) this.#groups.delete(key);
  }
}
