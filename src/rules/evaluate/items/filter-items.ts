import type { Item } from '../../poll.ts';
import type { Falsehood } from '../../reasons/falsehood.ts';
import type { Rule, Watched } from '../../rule.ts';

const MOST_SAMPLES = 3;

/** An item that a rule counts. */
export interface ListedItem {
  readonly key: string;
  readonly itemId: string | undefined;
  /** The record with its `rank` among the counted items, from 1. */
  readonly item: Item;
}

/** An item that does not fit `where`. */
interface ExcludedItem {
  readonly key: string;
  readonly item: Item;
  readonly because: Falsehood;
}

/** A list after `where` and `take`. */
export interface FilteredItems {
  /** The counted items in the order of the list. */
  readonly listed: readonly ListedItem[];
  /** How many items do not fit `where`. */
  readonly excludedCount: number;
  /** The first items that do not fit `where`. */
  readonly excludedSamples: readonly ExcludedItem[];
  /** How many items rank below `take`. */
  readonly belowTake: number;
  /** Why an item of the list does not count, by key. Undefined: it ranks below `take`. */
  readonly exclusions: ReadonlyMap<string, { readonly because: Falsehood } | undefined>;
}

/** Applies `where` and `take` to a list. Undefined if an item has no key: then the list is unusable. */
export function filterItems(
  items: readonly Item[],
  { rule, watched, slotMs }: { readonly rule: Rule; readonly watched: Watched; readonly slotMs: number },
): FilteredItems | undefined {
  const about = { id: rule.name, about: rule.about };
  const now = new Date(slotMs).toISOString();
  const listed = new Map<string, ListedItem>();
  const excludedSamples: ExcludedItem[] = [];
  const exclusions = new Map<string, { readonly because: Falsehood } | undefined>();
  let [excludedCount, belowTake] = [0, 0];
  for (const item of items) {
    const key = watched.key(item);
    if (key === undefined) return undefined;
    // A repeated key has a lower rank: the first one counts.
    if (listed.has(key)) continue;
    if (listed.size === watched.take) {
      belowTake++;
      if (!exclusions.has(key)) exclusions.set(key, undefined);
      continue;
    }
    const verdict = watched.where?.test({ item, rule: about, now });
    if (verdict && !verdict.holds) {
      excludedCount++;
      exclusions.set(key, verdict);
      if (excludedSamples.length < MOST_SAMPLES) excludedSamples.push({ key, item, because: verdict.because });
      continue;
    }
    exclusions.delete(key);
    const { id } = item;
    listed.set(key, { key, itemId: typeof id === 'string' ? id : undefined, item: { ...item, rank: listed.size + 1 } });
  }
  return { listed: [...listed.values()], excludedCount, excludedSamples, belowTake, exclusions };
}
