import type { Restriction } from '#src/clients/operation/audience.ts';
import { readableRecord } from '#src/rules/readable-record.ts';
import type { Item } from '#src/rules/poll.ts';
import type { Falsehood } from '#src/rules/reasons/falsehood.ts';
import type { Rule, Watched } from '#src/rules/rule.ts';

import { uniteAccounts } from './accounts.ts';
import { itemsOfPeople } from './people-items.ts';

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
  readonly condition: Falsehood;
}

/** Why an item of the list does not count. */
export type Exclusion = 'belowTake' | { readonly restriction: Restriction } | { readonly condition: Falsehood };

/** A list after `include`, `where` and `take`. */
export interface FilteredItems {
  /** The counted items in the order of the list. */
  readonly listed: readonly ListedItem[];
  /** Items that would count, but have no key. They keep their rank, so that no other item rises. */
  readonly keyless: readonly Item[];
  /** How many items do not fit `where`. */
  readonly excludedCount: number;
  /** The first items that do not fit `where`. */
  readonly excludedSamples: readonly ExcludedItem[];
  /** How many items not everyone can read, without those of `include`. */
  readonly restricted: Readonly<Record<Restriction, number>>;
  /** How many items rank below `take`. */
  readonly belowTake: number;
  /** Why an item of the list does not count, by key. */
  readonly exclusions: ReadonlyMap<string, Exclusion>;
}

export interface FilterOptions {
  readonly rule: Rule;
  readonly watched: Watched;
  readonly slotMs: number;
  /** The account whose fields an item had in the last poll, by key. */
  readonly mainAccounts?: ReadonlyMap<string, string> | undefined;
}

/** Applies `include`, `where` and `take` to a list, and unites the items of several accounts with the same key. */
export function filterItems(items: readonly Item[], { rule, watched, slotMs, mainAccounts }: FilterOptions): FilteredItems {
  const about = { id: rule.name, about: rule.about };
  const now = new Date(slotMs).toISOString();
  const { lists } = rule;
  // A symbol stands for the key of an item without one.
  const listed = new Map<string | symbol, readonly [Item, ...Item[]]>();
  const isShared = watched.accounts.length > 1 || watched.people !== undefined;
  const excludedSamples: ExcludedItem[] = [];
  const exclusions = new Map<string, Exclusion>();
  const restricted = { followers: 0, direct: 0 };
  let [excludedCount, belowTake] = [0, 0];
  for (const read of itemsOfPeople(items, watched)) {
    const key = watched.key(read);
    const shown = readableRecord(read, watched.include);
    if ('restriction' in shown) {
      const { restriction } = shown;
      restricted[restriction]++;
      if (key !== undefined) exclusions.set(key, { restriction });
      continue;
    }
    const item = shown.record;
    const counted = key === undefined ? undefined : listed.get(key);
    if (key !== undefined && counted) {
      // A repeated key of one account has a lower rank: the first one counts.
      const isOther = isShared && counted.every(({ account }) => account !== item['account']);
      if (isOther && (watched.where?.test({ item, lists, rule: about, now }).holds ?? true)) listed.set(key, [...counted, item]);
      continue;
    }
    if (listed.size === watched.take) {
      belowTake++;
      if (key !== undefined && !exclusions.has(key)) exclusions.set(key, 'belowTake');
      continue;
    }
    const verdict = watched.where?.test({ item, lists, rule: about, now });
    if (verdict && !verdict.holds) {
      excludedCount++;
      if (key !== undefined) exclusions.set(key, { condition: verdict.condition });
      if (excludedSamples.length < MOST_SAMPLES) excludedSamples.push({ key: key ?? idOf(item), item, condition: verdict.condition });
      continue;
    }
    if (key !== undefined) exclusions.delete(key);
    listed.set(key ?? Symbol('keyless'), [item]);
  }
  const keyless = [...listed].flatMap(([key, [item]]) => (typeof key === 'symbol' ? [item] : []));
  const united = [...listed].flatMap(([key, some], index): readonly ListedItem[] => {
    if (typeof key === 'symbol') return [];
    const item = isShared ? uniteAccounts(some, mainAccounts?.get(key)) : some[0];
    const { id } = item;
    return [{ key, itemId: typeof id === 'string' ? id : undefined, item: { ...item, rank: index + 1 } }];
  });
  return { listed: united, keyless, excludedCount, excludedSamples, restricted, belowTake, exclusions };
}

/** The id of an item without a key. */
export function idOf({ id }: Item): string {
  return typeof id === 'string' ? id : '';
}
