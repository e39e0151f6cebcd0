import { usdText, type MonthlySpending } from '#src/clients/operation/spending.ts';
import type { CheckResult } from './check-result.ts';

/** The doctor warns above this part of the budget. */
const WARNING_SHARE = 0.8;

/** Checks the monthly budget of an account; no results for an account without bills. */
export async function examineBudget(about: string, spending: MonthlySpending | undefined): Promise<readonly CheckResult[]> {
  const spent = await spending?.spent();
  if (!spent) return [];
  const { spentUsd, monthUsd, month, until } = spent;
  const raise = `raise budgets.${about}.month in fanfare.yaml`;
  if (monthUsd === undefined) {
    const what = `it has cost ${usdText(spentUsd)} in ${month} and has no budget`;
    const remedy = `set a budget in fanfare.yaml, for example budgets: { ${about}: { month: 20 USD } }`;
    return [{ about, state: 'warning', what, remedy, reason: { kind: 'noBudget', account: about, spent: usdText(spentUsd), month } }];
  }
  const left = Math.max(0, monthUsd - spentUsd);
  const what = `it has cost ${usdText(spentUsd)} of ${usdText(monthUsd)} in ${month}: ${usdText(left)} are left`;
  const reason = { kind: 'budget', account: about, spent: usdText(spentUsd), most: usdText(monthUsd), left: usdText(left), month } as const;
  if (spentUsd < monthUsd * WARNING_SHARE) return [{ about, state: 'good', what, reason }];
  const resetsOn = until.toISOString().slice(0, 10);
  const remedy = `it resets on ${resetsOn}; to spend more before then, ${raise}`;
  return [{ about, state: left > 0 ? 'warning' : 'bad', what, remedy, reason: { ...reason, resetsOn } }];
}
