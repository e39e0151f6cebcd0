import type { JsonObject } from '#src/operation/json.ts';
import type { Item } from '../../poll.ts';
import type { Falsehood } from '../../reasons/falsehood.ts';
import type { Rule, Watched } from '../../rule.ts';

/** How many of those that `where` refuses are named. */
const NAMED = 3;

/** An item that counts. */
export interface Present {
  readonly key: string;
  readonly itemId: string | undefined;
  /** The record with its `rank`: from 1, among those that count. */
  readonly item: Item;
}

/** An item that `where` refused. */
interface Refused {
  readonly key: string;
  readonly item: Item;
  readonly because: Falsehood;
}

export interface Sifted {
  /** Those that count, best first. */
  readonly present: readonly Present[];
  /** How many `where` refused, and the best of them. */
  readonly refused: number;
  readonly named: readonly Refused[];
  /** How many stand below the first `take`. */
  readonly below: number;
  /** Why those that the list has do not count, by key; undefined: they stand below the first `take`. */
  readonly out: ReadonlyMap<string, Falsehood | undefined>;
}

/** The list as the rule sees it; undefined where an item has no key: then it means nothing. */
export function siftItems(
  items: readonly Item[],
  { rule, watched, slotMs }: { readonly rule: Rule; readonly watched: Watched; readonly slotMs: number },
): Sifted | undefined {
  const about = { id: rule.name, about: rule.about };
  const now = new Date(slotMs).toISOString();
  const present = new Map<string, Present>();
  const named: Refused[] = [];
  const out = new Map<string, Falsehood | undefined>();
  let [refused, below] = [0, 0];
  for (const item of items) {
    const key = watched.key(item);
    if (key === undefined) return undefined;
    // The same key again stands lower in the list: the better rank is taken.
    if (present.has(key)) continue;
    if (present.size === watched.take) {
      below++;
      if (!out.has(key)) out.set(key, undefined);
      continue;
    }
    const verdict = watched.where?.test({ item, rule: about, now });
    if (verdict && !verdict.holds) {
      refused++;
      out.set(key, verdict.because);
      if (named.length < NAMED) named.push({ key, item, because: verdict.because });
      continue;
    }
    out.delete(key);
    present.set(key, { key, itemId: idOf(item), item: { ...item, rank: present.size + 1 } });
  }
  return { present: [...present.values()], refused, named, below, out };
}

function idOf({ id }: JsonObject): string | undefined {
  return typeof id === 'string' ? id : undefined;
}
