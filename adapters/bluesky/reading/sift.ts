import type { PageOptions } from '#src/operation/platform.ts';
import type { Page } from '#src/paging/page.ts';

/** How many items are enough for a page. */
const ENOUGH = 25;

/** A page of the items that are to be kept, filled from as many of the platform's pages as the budget allows. */
export async function sift<T>(
  keep: (item: T) => boolean,
  read: (options: PageOptions) => Promise<Page<T>>,
  { cursor: from, requests: most, signal }: PageOptions & { readonly requests: number },
): Promise<Page<T>> {
  const items: T[] = [];
  const met = new Set([from]);
  let scanned = 0;
  let cursor = from;
  for (let requests = 1; ; requests++) {
    const page = await read({ cursor, signal });
    items.push(...page.items.filter(keep));
    scanned += page.items.length;
    cursor = page.cursor;
    if (cursor === undefined || met.has(cursor)) return { items, scanned };
    if (items.length >= ENOUGH) return { items, scanned, cursor };
    if (requests === most) return { items, scanned, cursor, approximate: true };
    met.add(cursor);
  }
}
