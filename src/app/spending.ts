import type { Clock } from '#src/clock.ts';
import type { Account } from '#src/config/accounts.ts';
import { isBilled, type AccountBudget } from '#src/config/budgets.ts';
import type { Config } from '#src/config/config.ts';
import { monthlySpending, type MonthlySpending } from '#src/operation/spending.ts';
import type { Store } from '#src/store/store.ts';
import type { AccountHealth } from '#src/queries/accounts.ts';

/** Less than any request costs that is billed. */
const LITTLE_USD = 0.001;

/** What accounts spend that are billed for what they do, held to their budgets; undefined: the account costs nothing. */
export type SpendingOf = (account: Account) => MonthlySpending | undefined;

/** Spending as it is kept in the store. */
export function spendingsIn({ spentSums: sums }: Pick<Store, 'spentSums'>, { budgets }: Pick<Config, 'budgets'>, clock: Clock): SpendingOf {
  return (account) => {
    const { platform, account: name } = account;
    return isBilled(account) ? monthlySpending({ platform, account: name, monthUsd: budgets[name]?.monthUsd, sums, clock }) : undefined;
  };
}

/** What an account of X is given beside what opens it. */
export function partsOfX(
  account: Account,
  { store, config, clock }: { readonly store: KeptForX; readonly config: Pick<Config, 'budgets'>; readonly clock: Clock },
) {
  return {
    budgets: pageBudgetOf(config.budgets[account.account]),
    spending: spendingsIn(store, config, clock)(account),
    watchList: store.watchListOf(account.account),
  };
}

type KeptForX = Pick<Store, 'spentSums' | 'watchListOf'>;

/** What the reads of X that are put together may cost; undefined: there are none. */
function pageBudgetOf({ pageUsd, requests }: AccountBudget = {}): { readonly usd: number; readonly requests?: number } | undefined {
  return pageUsd === undefined ? undefined : { usd: pageUsd, ...(requests !== undefined && { requests }) };
}

/** Says of accounts whose month is used up that they are ill, before anybody asks anything of them. */
export async function noteUsedUp(accounts: readonly Account[], spendingOf: SpendingOf, health: AccountHealth): Promise<void> {
  for (const account of accounts) {
    const spending = spendingOf(account);
    const probe = async () => (await spending?.reserve(LITTLE_USD))?.settle(0);
    // It is the health that is told.
    if (spending) await health.watch(account.account, probe).catch(() => undefined);
  }
}
