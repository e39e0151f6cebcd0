/** The client, with the names of its methods that are called put into `called`. */
export function noting<T extends object>(client: T, called: Set<string>): T {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...parameters: readonly unknown[]): unknown => {
        called.add(String(name));
        return Reflect.apply(value, target, parameters);
      };
    },
  });
}
