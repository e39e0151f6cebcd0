import { usdText } from '#src/operation/spending.ts';
import type { BillExplanation } from '#src/queries/explanation.ts';
import type { Terminal } from './terminal.ts';

/** Prints what a rule costs through an account, beside what the account may cost. */
export function printBills({ account, reads, writes, spent }: BillExplanation, out: Terminal): void {
  const { spentUsd, monthUsd, month } = spent;
  if (reads) {
    const { verb, rows, row, rowUsd, monthUsd: costUsd } = reads;
    const each = rows === 1 ? `a ${row}` : `at most ${rows} times a ${row}`;
    out.print(
      `${account} bills up to ${usdText(costUsd)} a month for ${verb}: a day ${each} at ${usdText(rowUsd)}; and each new one the same.`,
    );
    if (monthUsd !== undefined && costUsd > monthUsd) {
      out.print(
        out.paint('yellow', `That is more than the budget of ${account}: where it is used up, the rule rests until the next month.`),
      );
    }
  }
  for (const { verb, usd, usdWithLink } of writes) {
    const link = usdWithLink === undefined ? '' : `, ${usdText(usdWithLink)} with a link in it`;
    out.print(`${account} bills ${usdText(usd)} for each ${verb}${link}.`);
  }
  out.print(
    monthUsd === undefined
      ? `${account} has cost ${usdText(spentUsd)} in ${month}, and may cost anything: budgets.${account}.month in fanfare.yaml limits it.`
      : `${account} has cost ${usdText(spentUsd)} of ${usdText(monthUsd)} in ${month}: ${usdText(Math.max(0, monthUsd - spentUsd))} are left.`,
  );
}
