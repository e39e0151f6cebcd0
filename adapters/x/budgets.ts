import { PlatformError, UnsupportedOperation } from '#src/errors.ts';
import type { Page } from '#src/paging/page.ts';
import { NO_BUDGET } from './capabilities.ts';
import { PRICES } from './spending.ts';

/** The limits of one page of a composed read. */
export interface XBudgets {
  /** How much X may bill for it, in USD. */
  readonly usd: number;
  /** The number of requests; absent: 10. */
  readonly requests?: number | undefined;
}

const USUAL_REQUESTS = 10;

/** How many rows a request may ask for. */
interface Rows {
  /** As few as the endpoint takes. */
  readonly least: number;
  readonly most: number;
}

/** What is left of the budget of one page. */
export interface PageBudget {
  /** How many rows the next request may ask for; undefined: it may not be made. */
  rowsOf(kind: keyof typeof PRICES, rows: Rows): number | undefined;
  /** Takes note of what a request gave. */
  pay(kind: keyof typeof PRICES, rows: number): void;
}

/** The budget for one page of `operation`; throws where there is none, or where it is too small to begin with. */
export function openPageBudget(
  operation: string,
  budgets: XBudgets | undefined,
  first: Rows & { readonly kind: keyof typeof PRICES },
): PageBudget {
  if (!budgets) throw new UnsupportedOperation({ platform: 'x', operation, ...NO_BUDGET });
  let requestsLeft = budgets.requests ?? USUAL_REQUESTS;
  let usdLeft = budgets.usd;

  const budget: PageBudget = {
    rowsOf(kind, { least, most }) {
      // A thousandth of a cent is lost in the sums.
      const affordable = Math.floor(usdLeft / PRICES[kind] + 1e-6);
      return requestsLeft < 1 || affordable < least ? undefined : Math.min(affordable, most);
    },
    pay(kind, rows) {
      requestsLeft -= 1;
      usdLeft -= rows * PRICES[kind];
    },
  };
  if (budget.rowsOf(first.kind, first) === undefined) {
    const least = (first.least * PRICES[first.kind]).toFixed(3);
    const message = `x: ${operation} may cost ${budgets.usd} USD a page, and begins at ${least}: raise the account's budget (budgets: page).`;
    throw new PlatformError(message, { platform: 'x', fault: 'rejected' });
  }
  return budget;
}

/** A page is full with this many items. */
const FULL = 100;

interface ScanOptions<T> {
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
  const budget = openPageBudget(operation, budgets, { kind, ...rows });
  const found: T[] = [];
  let scanned = 0;
  let after = cursor;
  for (;;) {
    const asked = budget.rowsOf(kind, rows);
    if (asked === undefined) return { items: found, scanned, cursor: after, approximate: true };
    const { items, cursor: next, partialErrors } = await read(after, asked);
    budget.pay(kind, items.length);
    scanned += items.length;
    found.push(...items.filter(keep));
    if (next === undefined || next === after || found.length >= FULL || partialErrors) {
      return { items: found, scanned, cursor: next, partialErrors };
    }
    after = next;
  }
}
