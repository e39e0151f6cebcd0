/**
 * The names that a poll after a hint asks for, in lower case. Undefined: it asks for everything that the rule watches. An entry of the agenda
 * stores them, so they are few.
 */
export type HintedNames = readonly string[] | undefined;

/** The names and the accounts of the hints about a rule. */
export interface Hinted {
  readonly names?: HintedNames;
  /** The accounts whose platforms notified. */
  readonly accounts?: readonly string[];
}

/** A rule whose list may have changed. */
export interface HintedRule extends Hinted {
  readonly rule: string;
}

/** About as many names as a platform answers in one request or two. */
const MOST_NAMES = 200;

/** The names of two hints; undefined if one of them is about everything, or if they are too many. */
export function joinNames(some: HintedNames, others: HintedNames): HintedNames {
  if (some === undefined || others === undefined) return undefined;
  const names = new Set([...some, ...others]);
  return names.size > MOST_NAMES ? undefined : [...names];
}

/** Two hints about a rule as one; `some`: undefined: there is only one. */
export function joinHints(some: Hinted | undefined, others: Hinted): Hinted {
  if (!some) return others;
  return { names: joinNames(some.names, others.names), accounts: joinAccounts(some.accounts, others.accounts) };
}

/** The accounts of two hints, each once. */
export function joinAccounts(some: readonly string[] = [], others: readonly string[] = []): readonly string[] {
  return [...new Set([...some, ...others])];
}

/** Whether a poll for `planned` is also a poll for `names`. */
export function coversNames(planned: HintedNames, names: HintedNames): boolean {
  return planned === undefined || (names !== undefined && names.every((name) => planned.includes(name)));
}
