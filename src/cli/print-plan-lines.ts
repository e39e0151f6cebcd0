import type { PlanLine } from '#src/engine/rule-sets/plan-lines.ts';
import type { Style, Terminal } from './terminal.ts';

const SYMBOL_STYLES: Readonly<Record<PlanLine['symbol'], Style>> = { '+': 'green', '~': 'yellow', '-': 'red', '!': 'red' };

/** Prints the changes of rules, one line each. */
export function printPlanLines(lines: readonly PlanLine[], out: Terminal): void {
  for (const { symbol, text } of lines) out.print(`${out.paint(SYMBOL_STYLES[symbol], symbol)} ${text}`);
}
