import type { PageOptions } from '#src/operation/platform.ts';
import type { Page, PartialError } from '#src/paging/page.ts';

/** How many items are enough for a page. */
const ENOUGH = 25;

/** A page of the items that are to be kept, filled from as many of the platform's pages as the budget allows. */
export async function sift<T>(
  keep: (item: T) => boolean,
  read: (options: PageOptions) => Promise<Page<T>>,
  { cursor: from, requests: most, signal }: PageOptions & { readonly requests: number },
): Promise<Page<T>> {
  const items: T[] = [];
  const partialErrors: PartialError[] = [];
  const met = new Set([from]);
  let scanned = 0;
  let cursor = from;
  for (let requests = 1; ; requests++) {
    const page = await read({ cursor, signal });
    partialErrors.push(...(page.partialErrors ?? []));
    items.push(...page.items.filter(keep));
    scanned += page.items.length;
    cursor = page.cursor;
    if (cursor === undefined || met.has(cursor)) return { items, partialErrors, scanned };
    if (items.length >= ENOUGH) return { items, partialErrors, scanned, cursor };
    if (requests === most) return { items, partialErrors, scanned, cursor, approximate: true };
    met.add(cursor);
  }
}
