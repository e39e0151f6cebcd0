import { usdText } from '#src/operation/spending.ts';
import type { BillExplanation } from '#src/queries/explanation.ts';
import type { Terminal } from './terminal.ts';

/** Prints the cost of a rule on an account, and the budget of the account. */
export function printBills({ account, reads, writes, spent }: BillExplanation, out: Terminal): void {
  const { spentUsd, monthUsd, month } = spent;
  if (reads) {
    const { verb, rows, row, rowUsd, monthUsd: costUsd } = reads;
    const each = rows === 1 ? `a ${row}` : `at most ${rows} times a ${row}`;
    out.print(
      `${account} bills up to ${usdText(costUsd)} a month for ${verb}: each day ${each} at ${usdText(rowUsd)}, and the same for each new one.`,
    );
    if (monthUsd !== undefined && costUsd > monthUsd) {
      out.print(
        out.paint('yellow', `That is more than the budget of ${account}: when it is used up, the rule stops until the next month.`),
      );
    }
  }
  for (const { verb, usd, usdWithLink } of writes) {
    const link = usdWithLink === undefined ? '' : `, ${usdText(usdWithLink)} with a link in it`;
    out.print(`${account} bills ${usdText(usd)} for each ${verb}${link}.`);
  }
  out.print(
    monthUsd === undefined
      ? `${account} has cost ${usdText(spentUsd)} in ${month} and has no budget. To limit it, set budgets.${account}.month in fanfare.yaml.`
      : `${account} has cost ${usdText(spentUsd)} of ${usdText(monthUsd)} in ${month}: ${usdText(Math.max(0, monthUsd - spentUsd))} are left.`,
  );
}
