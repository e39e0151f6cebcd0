import { PlatformError, UnsupportedOperation } from '#src/errors.ts';
import { PRICES } from './prices.ts';

/** What a page of a read that is put together from several requests may take at the most. */
export interface XBudgets {
  /** How much X may bill for it, in USD. */
  readonly usd: number;
  /** How many requests it may make; 10 where nothing is said. */
  readonly requests?: number | undefined;
}

const USUAL_REQUESTS = 10;

/** Why a read that is put together does not start. */
export const NO_BUDGET = {
  reason: 'PROVIDER_MISSING',
  detail:
    'X bills each row, so a read that is put together from several requests needs a budget: say `budgets: { x: { page: 0.10 USD } }` in fanfare.yaml, or give the adapter `budgets: { usd: 0.1 }`.',
} as const;

/** How many rows a request may ask for. */
export interface Rows {
  /** As few as the endpoint takes. */
  readonly least: number;
  readonly most: number;
}

/** What is left of the budget of one page. */
export interface Purse {
  /** How many rows the next request may ask for; undefined: it may not be made. */
  rowsOf(kind: keyof typeof PRICES, rows: Rows): number | undefined;
  /** Takes note of what a request gave. */
  pay(kind: keyof typeof PRICES, rows: number): void;
}

/** The budget for one page of `operation`; throws where there is none, or where it is too small to begin with. */
export function purseFor(operation: string, budgets: XBudgets | undefined, first: Rows & { readonly kind: keyof typeof PRICES }): Purse {
  if (!budgets) throw new UnsupportedOperation({ platform: 'x', operation, ...NO_BUDGET });
  let requestsLeft = budgets.requests ?? USUAL_REQUESTS;
  let usdLeft = budgets.usd;

  const purse: Purse = {
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
  if (purse.rowsOf(first.kind, first) === undefined) {
    const least = (first.least * PRICES[first.kind]).toFixed(3);
    const message = `x: ${operation} may cost ${budgets.usd} USD a page, and begins at ${least}: raise the account's budget (budgets: page).`;
    throw new PlatformError(message, { platform: 'x', fault: 'rejected' });
  }
  return purse;
}
