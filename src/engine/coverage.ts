import type { NamesByOperation, NotifiedOperation, Notifier } from '#src/clients/operation/notifier.ts';

/** The names about which platforms notify now. Their polls are a safety net only. */
export interface Coverage {
  /** Whether a platform notifies about changes of a query. `name` is one of its names, or `OWN` if it has none. */
  covers(query: { readonly account: string; readonly verb: string; readonly name: string }): boolean;
  /** Whether it also notifies about changed items, and not only about new and missing ones. */
  coversChanges(query: { readonly account: string; readonly verb: string; readonly name: string }): boolean;
  /** The operation of a verb, if the platform of the account notifies about some of its names. */
  operationOf(query: { readonly account: string; readonly verb: string }): NotifiedOperation | undefined;
  /** Changes whenever the names change. */
  revision(): number;
  /** Replaces the names of an account. */
  set(covered: CoveredNames): void;
  /** The connection of an account ended. */
  clear(account: string): void;
  /** Replaces the names that the connection of another process covers; undefined: no other process is connected. */
  setElsewhere(account: string, covered: CoveredNames | undefined): void;
}

/** The names about which the platform of an account notifies. */
interface CoveredNames {
  readonly account: string;
  /** The client of the account, for example `streaming`. */
  readonly client: string;
  readonly operations: Notifier['operations'];
  readonly names: NamesByOperation;
  /** Further names, about whose new and missing items only it notifies. */
  readonly presenceOnly?: NamesByOperation | undefined;
}

interface CoveredOperation {
  readonly operation: NotifiedOperation;
  readonly names: ReadonlySet<string>;
  readonly presenceOnly: ReadonlySet<string>;
}

/** Creates an empty coverage. */
export function createCoverage(): Coverage {
  const here = new Map<string, CoveredOperations>();
  const elsewhere = new Map<string, CoveredOperations>();
  let revision = 0;
  const find = (account: string, verb: string): CoveredOperation | undefined => (here.get(account) ?? elsewhere.get(account))?.get(verb);
  return {
    covers({ account, verb, name }) {
      const found = find(account, verb);
      const lower = name.toLowerCase();
      return found !== undefined && (found.names.has(lower) || found.presenceOnly.has(lower));
    },
    coversChanges: ({ account, verb, name }) => find(account, verb)?.names.has(name.toLowerCase()) === true,
    operationOf: ({ account, verb }) => find(account, verb)?.operation,
    revision: () => revision,
    set(covered) {
      revision++;
      here.set(covered.account, byVerb(covered));
    },
    clear(account) {
      revision++;
      here.delete(account);
    },
    setElsewhere(account, covered) {
      revision++;
      if (covered) elsewhere.set(account, byVerb(covered));
      else elsewhere.delete(account);
    },
  };
}

type CoveredOperations = ReadonlyMap<string, CoveredOperation>;

function byVerb({ client, operations, names, presenceOnly }: CoveredNames): CoveredOperations {
  const found = operations.flatMap((operation) => {
    const [all, presence] = [names, presenceOnly].map((its) => its?.get(operation.operation));
    if (!all && !presence) return [];
    const lower = (its: readonly string[] = []): ReadonlySet<string> => new Set(its.map((one) => one.toLowerCase()));
    return [[`${client}.${operation.operation}`, { operation, names: lower(all), presenceOnly: lower(presence) }] as const];
  });
  return new Map(found);
}
