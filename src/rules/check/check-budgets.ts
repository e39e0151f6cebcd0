import type { Accounts } from '#src/rules/accounts.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { Report } from '#src/rules/document/report.ts';
import { formatCount, formatDuration, formatNumber } from '#src/rules/messages/format.ts';
import { LIKELY_BUDGET, shortBudgets } from '#src/rules/poll-budget.ts';
import { requestLoad, type AccountLoad } from '#src/rules/request-load.ts';
import type { CheckedRule } from './check-rule.ts';
import { clientOf } from './choose-accounts.ts';
import { locate } from './locate.ts';

type CheckedFile = Pick<CheckedRule, 'rules'> & { readonly file: string; readonly source: string };

/** Warns of accounts whose rate limit does not allow the polls of all rules. */
export function overloadedAccounts(files: readonly CheckedFile[], accounts: Accounts): readonly Diagnostic[] {
  return requestLoad(
    files.flatMap((one) => one.rules),
    accounts,
  ).flatMap((load) => {
    const budget = accounts[load.client]?.requestsPerMinute?.[load.account] ?? LIKELY_BUDGET;
    const worst = files.find((one) => one.rules.includes(load.worst.rule));
    return load.perMinute > budget && worst ? reportLoad(worst, load, budget) : [];
  });
}

function reportLoad({ file, source }: CheckedFile, { account, perMinute, worst }: AccountLoad, budget: number): readonly Diagnostic[] {
  const report = new Report(file, source);
  const location = locate({ file, source }, ['when', 'every']);
  const share = Math.round(worst.perMinute);
  report.warning(
    location,
    'overloaded-account',
    `all rules together send ${Math.round(perMinute)} requests per minute to ${account}, which allows about ${budget}; this rule sends ${share}`,
    `poll less often, for example every ${formatDuration((worst.everyMs * perMinute) / budget)}, or read fewer pages`,
  );
  return report.diagnostics;
}

/** Warns of `within` that the rate limit of an account does not allow beside rules of the same or a higher priority. */
export function unreachableWithin(files: readonly CheckedFile[], accounts: Accounts): readonly Diagnostic[] {
  const hasWithin = files.some(({ rules }) => rules.some(({ withinMs }) => withinMs !== undefined));
  const short = hasWithin
    ? shortBudgets(
        files.flatMap(({ rules }) => rules),
        accounts,
      )
    : [];
  return files.flatMap(({ file, source, rules }) => {
    const report = new Report(file, source);
    for (const { watched, schedule, withinMs, priority = 'normal', enabled } of rules) {
      if (withinMs === undefined || enabled === false || !watched || !('everyMs' in schedule)) continue;
      const { everyMs } = schedule;
      const slow = short.find(
        ({ client, account, intervalMs }) =>
          client === clientOf(watched.verb) && watched.accounts.includes(account) && intervalMs(everyMs, priority) > withinMs,
      );
      if (!slow) continue;
      const { account, perMinute, allowed, intervalMs } = slow;
      const message = `within: ${formatDuration(withinMs)} is not possible: all rules need ${formatCount(Math.round(perMinute), 'request')} per minute of ${account}, which has ${formatNumber(allowed)} for polls, so this rule is polled about every ${formatDuration(intervalMs(everyMs, priority))}`;
      const hint = priority === 'high' ? 'poll less often' : 'write priority: high, or poll other rules less often';
      report.warning(locate({ file, source }, ['when', 'within']), 'impossible-within', message, hint);
    }
    return report.diagnostics;
  });
}
