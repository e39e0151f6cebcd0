import type { Rule } from '#src/rules/rule.ts';

/** A loaded rule that reads a list. */
interface ListReader {
  readonly id: string;
  readonly on: boolean;
  /** Whether it watches the entries as people. Otherwise, expressions of it read the list. */
  readonly watches: boolean;
}

/** The loaded rules. */
export interface LoadedRules {
  readonly now: { readonly rules: readonly Rule[] };
  readonly isOn: (rule: Rule) => boolean;
}

/** The rules that read a list. */
interface ListReaders {
  /** The first rules by id. */
  readonly rules: readonly ListReader[];
  /** The number of all rules that read it. */
  readonly ruleCount: number;
}

const MOST_RULES = 50;

/** A reload makes a new array, and an installation can have 10,000 rules. */
const known = new WeakMap<readonly Rule[], ReadonlyMap<string, readonly Rule[]>>();

/** The loaded rules that watch the entries of a list, or read it in an expression. */
export function listReaders(list: string, { now: { rules }, isOn }: LoadedRules): ListReaders {
  const byList = known.get(rules) ?? rulesByList(rules);
  known.set(rules, byList);
  const readers = byList.get(list) ?? [];
  return {
    rules: readers.slice(0, MOST_RULES).map((rule) => ({ id: rule.id, on: isOn(rule), watches: rule.watched?.people?.list === list })),
    ruleCount: readers.length,
  };
}

function rulesByList(rules: readonly Rule[]): ReadonlyMap<string, readonly Rule[]> {
  const byList = new Map<string, Rule[]>();
  for (const rule of rules.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const lists = new Set([...(rule.watched?.people ? [rule.watched.people.list] : []), ...(rule.readLists ?? [])]);
    for (const list of lists) {
      const readers = byList.get(list) ?? [];
      readers.push(rule);
      byList.set(list, readers);
    }
  }
  return byList;
}
