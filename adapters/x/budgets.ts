import { PlatformError, UnsupportedOperation } from '#src/errors.ts';
import type { Page } from '#src/clients/paging/page.ts';
import { NO_BUDGET } from './capabilities.ts';
import { PRICES } from './spending.ts';

/** The limits of one page of a composed read. */
export interface XBudgets {
  /** The highest bill of a page, in USD. */
  readonly usd: number;
  /** The number of requests; default 10. */
  readonly requests?: number | undefined;
}

const USUAL_REQUESTS = 10;

/** The number of rows that a request may ask for. */
interface Rows {
  /** The fewest rows that the endpoint accepts. */
  readonly least: number;
  readonly most: number;
}

/**
 * The rest of the budget of one page.
 *
 * @internal
 */
export interface PageBudget {
  /** The number of rows that the next request may ask for; undefined if the budget does not allow another request. */
  rowsOf(kind: keyof typeof PRICES, rows: Rows): number | undefined;
  /** Books a request by its number of rows. */
  pay(kind: keyof typeof PRICES, rows: number): void;
}

/**
 * Opens the budget for one page of `operation`; throws if there is no budget, or if it is too small for the first request.
 *
 * @internal
 */
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
      // The addend covers rounding errors of sums in USD.
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
    const message = `x: ${operation} costs at least ${least} USD per page, but the budget is ${budgets.usd} USD: raise the page budget of the account (budgets in fanfare.yaml).`;
    throw new PlatformError(message, { platform: 'x', fault: 'rejected' });
  }
  return budget;
}

/** A page is full with this many items. */
const FULL = 100;

interface ScanOptions<T> {
  readonly operation: string;
  readonly budgets: XBudgets | undefined;
  /** The kind of a row, which sets its price. */
  readonly kind: keyof typeof PRICES;
  readonly rows: Rows;
  /** Reads a page of X with this number of rows. */
  readonly read: (cursor: string | undefined, rows: number) => Promise<Page<T>>;
  readonly keep: (item: T) => boolean;
  readonly cursor: string | undefined;
}

/**
 * A page of the items for which `keep` is true, from as many pages of X as the budget allows.
 *
 * @internal
 */
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
