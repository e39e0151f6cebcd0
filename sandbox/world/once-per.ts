/**
 * A function that calls `make` once for each key. Sandboxes of one process share what depends on the same people alone, because it takes long to
 * generate.
 */
export function oncePer<K extends WeakKey, T extends object>(make: (key: K) => T): (key: K) => T {
  const made = new WeakMap<K, T>();
  return (key) => {
    const one = made.get(key) ?? make(key);
    made.set(key, one);
    return one;
  };
}
