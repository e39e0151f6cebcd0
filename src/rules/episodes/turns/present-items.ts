import type { JsonObject } from '#src/operation/json.ts';
import type { Item } from '../../poll.ts';
import type { Rule, Watched } from '../../rule.ts';

/** An item that counts. */
export interface Present {
  readonly key: string;
  readonly itemId: string | undefined;
  /** The record with its `rank`: from 1, among those that count. */
  readonly item: Item;
}

/** Those of the list that count, best first; undefined where one of them has no key: then the list means nothing. */
export function presentItems(
  items: readonly Item[],
  { rule, watched, slotMs }: { readonly rule: Rule; readonly watched: Watched; readonly slotMs: number },
): readonly Present[] | undefined {
  const about = { id: rule.id, about: rule.about };
  const now = new Date(slotMs).toISOString();
  const present = new Map<string, Present>();
  for (const item of items) {
    const key = watched.key(item);
    if (key === undefined) return undefined;
    // The same key again stands lower in the list: the better rank is taken.
    if (present.size === watched.take || present.has(key)) continue;
    if (watched.where && !watched.where.test({ item, rule: about, now }).holds) continue;
    present.set(key, { key, itemId: idOf(item), item: { ...item, rank: present.size + 1 } });
  }
  return [...present.values()];
}

function idOf({ id }: JsonObject): string | undefined {
  return typeof id === 'string' ? id : undefined;
}
