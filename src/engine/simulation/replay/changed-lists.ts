import type { Listing } from '#src/clients/operation/listing.ts';
import type { Rule } from '#src/rules/rule.ts';
import { listsOf } from '#src/rules/rules-reading.ts';

/** The changes of living lists, newest first. The entries of lists in files, and those of their sources, have no history. */
export interface ListChanges {
  changes(filter: { readonly list: string; readonly limit: number }): Promise<Listing<{ readonly at: Date }>>;
}

/** The lists of a rule that changed since an instant. */
export async function changedLists(rule: Rule, lists: ListChanges, sinceMs: number): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const list of listsOf(rule)) {
    const { items } = await lists.changes({ list, limit: 1 });
    if (items.some(({ at }) => at.getTime() >= sinceMs)) changed.push(list);
  }
  return changed;
}
