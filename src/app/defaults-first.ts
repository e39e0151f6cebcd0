/** The same, in the order of `defaults` as far as they are there, then the others: where nobody names an account, the first is asked. */
export function defaultsFirst<T>(accounts: ReadonlyMap<string, T>, defaults: readonly string[] = []): ReadonlyMap<string, T> {
  const first = defaults.flatMap((name) => [...accounts].filter(([account]) => account === name));
  return new Map([...first, ...accounts]);
}
