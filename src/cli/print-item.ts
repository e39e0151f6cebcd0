import type { ItemExplanation, ItemRule, WatchingRule } from '#src/admin/queries/explain-item.ts';
import type { SettledDecision } from '#src/admin/queries/settled-decisions.ts';
import { formatOutcome, reasons } from '#src/admin/language/reasons.ts';
import { instantText, oneLine } from './format.ts';
import { goneText } from './print-gone-rule.ts';
import type { Terminal } from './terminal.ts';

export interface PrintItemOptions {
  readonly timezone: string;
  readonly out: Terminal;
}

/** Prints the decisions of each rule about an item. If no rule watches the item, prints the rule that would. */
export function printItem({ name, rules, gone, others }: ItemExplanation, { timezone, out }: PrintItemOptions): void {
  const shown = oneLine(name);
  for (const rule of rules) printRule(rule, shown, { timezone, out });
  for (const rule of gone) {
    out.print(`${out.paint('bold', rule.id)} has seen ${shown}. ${goneText(rule, timezone)}`);
    printDecisions(rule.decisions, { timezone, out });
  }
  if (rules.length + gone.length === 0)
    out.print(out.paint('yellow', `No rule watches ${shown}: no rule names it, and no rule has seen it.`));
  if (others.length > 0) {
    out.print(
      `${rules.length + gone.length > 0 ? '\n' : ''}These rules watch lists in which ${shown} was not found. If where or take left it out, only the last poll shows it:`,
    );
    for (const rule of others) out.print(`  ${out.paint('bold', rule.id)}: ${rule.verb}${stateText(rule)}`);
  }
  if (rules.length > 0) return;
  out.print(`\nTo announce ${shown}, write a rule with when: { watch: streaming.getStreams, with: { users: [${shown}] } }`);
  out.print(`To create such a rule: fanfare new --kind live --channels ${shown}`);
}

function printRule(rule: ItemRule, name: string, { timezone, out }: PrintItemOptions): void {
  const { id, verb, isNamed, isOpen, decisions, belowTake } = rule;
  const how = isNamed ? `names ${name}` : `has seen ${name}`;
  out.print(`${out.paint('bold', id)} watches ${verb} and ${how}${isOpen ? '; an episode is open' : ''}${stateText(rule)}.`);
  if (belowTake) {
    const { atMs, place, take } = belowTake;
    out.print(
      `  ${instantText(new Date(atMs), timezone)}  not announced: #${place} of the list, and the rule counts the first ${take} (take)`,
    );
  } else if (decisions.length === 0)
    out.print(
      `  There is no stored decision about ${name}. Fanfare stores the last 50 per rule and outcome. If where or take left it out, only the last poll shows it.`,
    );
  printDecisions(decisions, { timezone, out });
}

function printDecisions(decisions: readonly SettledDecision[], { timezone, out }: PrintItemOptions): void {
  for (const decision of decisions) {
    const { atMs, outcome, message } = decision;
    out.print(
      `  ${instantText(new Date(atMs), timezone)}  ${outcome.padEnd(11)} ${oneLine(message)}${reasons.noticed(decision)}${formatOutcome(decision, reasons, oneLine)}`,
    );
  }
}

function stateText({ on, isPaused }: WatchingRule): string {
  if (!on) return ' (off)';
  return isPaused ? ' (paused)' : '';
}
