import type { ItemExplanation, ItemRule, WatchingRule } from '#src/admin/queries/explain-item.ts';
import type { SettledDecision } from '#src/admin/queries/settled-decisions.ts';
import { formatOutcome, reasons } from '#src/admin/language/reasons.ts';
import { instantText, oneLine, printHanging, printRow } from './format.ts';
import { goneText } from './print-gone-rule.ts';
import type { Terminal } from './terminal.ts';

export interface PrintItemOptions {
  readonly timezone: string;
  readonly out: Terminal;
}

/** A name that needs no quotes in a rule and in a shell. Titles and display names with spaces are not handles. */
const HANDLE = /^[a-z_][\w.-]*$/iu;

/** Prints the decisions of each rule about an item. If no rule watches the item, prints the rule that would. */
export function printItem({ name, rules, gone, others }: ItemExplanation, { timezone, out }: PrintItemOptions): void {
  const shown = oneLine(name);
  for (const rule of rules) printRule(rule, shown, { timezone, out });
  for (const rule of gone) {
    printHanging(`${out.paint('bold', rule.id)} has seen ${shown}. ${goneText(rule, timezone)}`, 2, out);
    printDecisions(rule.decisions, { timezone, out });
  }
  if (rules.length + gone.length === 0)
    printHanging(out.paint('yellow', `No rule watches ${shown}: no rule names it, and no rule has seen it.`), 0, out);
  if (others.length > 0) {
    if (rules.length + gone.length > 0) out.print('');
    const absent = `These rules watch lists in which ${shown} was not found.`;
    printHanging(`${absent} If where or take left it out, only the last poll shows it:`, 0, out);
    for (const rule of others) out.print(`  ${out.paint('bold', rule.id)}: ${rule.verb}${stateText(rule)}`);
  }
  const handle = name.replace(/^@/u, '');
  if (rules.length > 0 || !HANDLE.test(handle)) return;
  out.print(`\nTo announce ${handle}, write a rule with when: { watch: streaming.getStreams, with: { users: [${handle}] } }`);
  out.print(`To create such a rule: fanfare new --kind live --channels ${handle}`);
}

function printRule(rule: ItemRule, name: string, { timezone, out }: PrintItemOptions): void {
  const { id, verb, isNamed, isOpen, decisions, belowTake } = rule;
  const how = isNamed ? `names ${name}` : `has seen ${name}`;
  printHanging(`${out.paint('bold', id)} watches ${verb} and ${how}${isOpen ? '; an episode is open' : ''}${stateText(rule)}.`, 2, out);
  if (belowTake) {
    const { atMs, place, take } = belowTake;
    const row = `  ${instantText(new Date(atMs), timezone)}  `;
    printRow(row, `not announced: #${place} of the list, and the rule counts the first ${take} (take)`, out);
  } else if (decisions.length === 0)
    printHanging(
      `  There is no stored decision about ${name}. Fanfare stores the last 50 per rule and outcome. If where or take left it out, only the last poll shows it.`,
      2,
      out,
    );
  printDecisions(decisions, { timezone, out });
}

function printDecisions(decisions: readonly SettledDecision[], { timezone, out }: PrintItemOptions): void {
  for (const decision of decisions) {
    const { atMs, outcome, message } = decision;
    const row = `  ${instantText(new Date(atMs), timezone)}  ${outcome.padEnd(11)} `;
    printRow(row, `${oneLine(message)}${reasons.noticed(decision)}${formatOutcome(decision, reasons, oneLine)}`, out);
  }
}

function stateText({ on, isPaused }: WatchingRule): string {
  if (!on) return ' (off)';
  return isPaused ? ' (paused)' : '';
}
