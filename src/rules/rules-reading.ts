import { memoize } from '#src/clients/operation/memoize.ts';
import type { Rule } from './rule.ts';

/** The rules that watch the entries of a list, or read it in an expression, by id. */
export function rulesReading(list: string, rules: readonly Rule[]): readonly Rule[] {
  return rulesByList(rules).get(list) ?? [];
}

/** The lists whose entries a rule watches, or reads in an expression. */
export function listsOf({ watched, readLists = [] }: Pick<Rule, 'watched' | 'readLists'>): ReadonlySet<string> {
  return new Set([...(watched?.people ? [watched.people.list] : []), ...readLists]);
}

/** A reload makes a new array, and an installation can have 10,000 rules. */
const rulesByList = memoize((rules: readonly Rule[]): ReadonlyMap<string, readonly Rule[]> => {
  const byList = new Map<string, Rule[]>();
  for (const rule of rules.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    for (const list of listsOf(rule)) {
      const readers = byList.get(list) ?? [];
      readers.push(rule);
      byList.set(list, readers);
    }
  }
  return byList;
});
