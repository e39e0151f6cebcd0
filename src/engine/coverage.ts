import type { NamesByOperation } from '#src/clients/operation/notifier.ts';

/** The names about which platforms notify this process now. Their polls are a safety net only. */
export interface Coverage {
  /** Whether a platform notifies about changes of a query. `name` is one of its names, or `OWN` if it has none. */
  covers(query: { readonly account: string; readonly verb: string; readonly name: string }): boolean;
  /** Replaces the names of an account. */
  set(covered: { readonly account: string; readonly client: string; readonly names: NamesByOperation }): void;
  /** The connection of an account ended. */
  clear(account: string): void;
}

/** Creates an empty coverage. It has only the names of connections of this process, so a name that another process covers is polled as usual here. */
export function createCoverage(): Coverage {
  const accounts = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();
  return {
    covers: ({ account, verb, name }) => accounts.get(account)?.get(verb)?.has(name.toLowerCase()) === true,
    set({ account, client, names }) {
      const byVerb = [...names].map(
        ([operation, some]) => [`${client}.${operation}`, new Set(some.map((one) => one.toLowerCase()))] as const,
      );
      accounts.set(account, new Map(byVerb));
    },
    clear: (account) => void accounts.delete(account),
  };
}
