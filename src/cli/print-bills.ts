import { usdText } from '#src/clients/operation/spending.ts';
import type { BillExplanation } from '#src/admin/queries/explanation.ts';
import { formatNumber } from '#src/rules/messages/format.ts';
import type { Terminal } from './terminal.ts';

/** Prints the cost of a rule on an account, and the budget of the account. */
export function printBills({ account, reads, writes, spent }: BillExplanation, out: Terminal): void {
  const { spentUsd, monthUsd, month } = spent;
  if (reads) {
    const { verb, rows, row, rowUsd, monthUsd: costUsd } = reads;
    out.print(
      `${verb} through ${account} costs up to ${usdText(costUsd)} a month: at most ${formatNumber(rows)} a day at ${usdText(rowUsd)} for each ${row}, and the same for each new one.`,
    );
    if (monthUsd !== undefined && costUsd > monthUsd) {
      out.print(
        out.paint('yellow', `This is more than the budget of ${account}. When the budget is used up, the rule stops until the next month.`),
      );
    }
  }
  for (const { verb, usd, usdWithLink } of writes) {
    const link = usdWithLink === undefined ? '' : `, or ${usdText(usdWithLink)} with a link`;
    out.print(`Each ${verb} through ${account} costs ${usdText(usd)}${link}.`);
  }
  out.print(
    monthUsd === undefined
      ? `Spent on ${account} in ${month}: ${usdText(spentUsd)}. To set a budget: budgets.${account}.month in fanfare.yaml`
      : `Spent on ${account} in ${month}: ${usdText(spentUsd)} of ${usdText(monthUsd)}, ${usdText(Math.max(0, monthUsd - spentUsd))} left.`,
  );
}
