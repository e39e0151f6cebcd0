import type { Page } from '#src/paging/page.ts';
import { purseFor, type Rows, type XBudgets } from './budgets.ts';
import type { PRICES } from './prices.ts';

/** A page is full with this many items. */
const FULL = 100;

export interface ScanOptions<T> {
  readonly operation: string;
  readonly budgets: XBudgets | undefined;
  /** What X bills for a row of it. */
  readonly kind: keyof typeof PRICES;
  readonly rows: Rows;
  /** X's page at its own cursor, of so many rows. */
  readonly read: (cursor: string | undefined, rows: number) => Promise<Page<T>>;
  readonly keep: (item: T) => boolean;
  readonly cursor: string | undefined;
}

/** A page of the items that are to be kept, out of as many of X's pages as the budget allows. */
export async function scan<T>({ operation, budgets, kind, rows, read, keep, cursor }: ScanOptions<T>): Promise<Page<T>> {
  const purse = purseFor(operation, budgets, { kind, ...rows });
  const found: T[] = [];
  let scanned = 0;
  let after = cursor;
  for (;;) {
    const asked = purse.rowsOf(kind, rows);
    if (asked === undefined) return { items: found, scanned, cursor: after, approximate: true };
    const { items, cursor: next, partialErrors } = await read(after, asked);
    purse.pay(kind, items.length);
    scanned += items.length;
    found.push(...items.filter(keep));
    if (next === undefined || next === after || found.length >= FULL || partialErrors) {
      return { items: found, scanned, cursor: next, partialErrors };
    }
    after = next;
  }
}
