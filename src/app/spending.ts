import type { Clock } from '#src/clock.ts';
import type { Account } from '#src/config/accounts.ts';
import { isBilled } from '#src/config/budgets.ts';
import type { Config } from '#src/config/config.ts';
import { monthlySpending, type MonthlySpending } from '#src/clients/operation/spending.ts';
import type { Store } from '#src/store/store.ts';
import type { MoneyBudget } from '#src/admin/queries/metrics.ts';
import type { AccountHealth } from '#src/admin/queries/accounts.ts';

/** Less than the price of any billed request. */
const LITTLE_USD = 0.001;

/** The spending of a billed account within its budget; undefined: the account is free. */
export type SpendingOf = (account: Account) => MonthlySpending | undefined;

/** Reads the spending of accounts from the store. */
export function spendingsIn({ spentSums: sums }: Pick<Store, 'spentSums'>, { budgets }: Pick<Config, 'budgets'>, clock: Clock): SpendingOf {
  return (account) => {
    const { platform, account: name } = account;
    return isBilled(account) ? monthlySpending({ platform, account: name, monthUsd: budgets[name]?.monthUsd, sums, clock }) : undefined;
  };
}

/** The money budgets of accounts, for the metrics. */
export function moneyBudgetsOf(accounts: readonly Account[], spendingOf: SpendingOf): readonly MoneyBudget[] {
  return accounts.flatMap((account) => {
    const spending = spendingOf(account);
    return spending ? [{ account: account.account, spent: () => spending.spent() }] : [];
  });
}

/** Reports accounts with a used-up budget as unhealthy at the start of a single process. Beside others, the first use reports it. */
export async function noteUsedUp(accounts: readonly Account[], spendingOf: SpendingOf, health: AccountHealth): Promise<void> {
  for (const account of accounts) {
    const spending = spendingOf(account);
    const probe = async () => (await spending?.reserve(LITTLE_USD))?.settle(0);
    // The watch reports the error.
    if (spending) await health.watch(account.account, probe).catch(() => undefined);
  }
}
