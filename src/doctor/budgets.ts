import { usdText, type MonthlySpending } from '#src/operation/spending.ts';
import type { CheckResult } from './check-result.ts';

/** From here on somebody should know of it. */
const MUCH = 0.8;

/** What an account has cost this month, and what is left of its budget; nothing where it costs nothing. */
export async function examineBudget(about: string, spending: MonthlySpending | undefined): Promise<readonly CheckResult[]> {
  const spent = await spending?.spent();
  if (!spent) return [];
  const { spentUsd, monthUsd, month, until } = spent;
  const raise = `raise budgets.${about}.month in fanfare.yaml`;
  if (monthUsd === undefined) {
    const what = `it has cost ${usdText(spentUsd)} in ${month}, and may cost anything`;
    return [{ about, state: 'warning', what, remedy: `set a budget in fanfare.yaml, as budgets: { ${about}: { month: 20 USD } }` }];
  }
  const left = Math.max(0, monthUsd - spentUsd);
  const what = `it has cost ${usdText(spentUsd)} of ${usdText(monthUsd)} in ${month}: ${usdText(left)} are left`;
  if (spentUsd < monthUsd * MUCH) return [{ about, state: 'good', what }];
  const starts = `it starts anew on ${until.toISOString().slice(0, 10)}`;
  return [{ about, state: left > 0 ? 'warning' : 'bad', what, remedy: `${starts}; to use it more before, ${raise}` }];
}
