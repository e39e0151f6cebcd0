import type { Explanation } from '#src/admin/queries/explanation.ts';
import { instantText, printRow } from './format.ts';
import { OUTCOME_STYLES } from './print-explanation.ts';
import type { Terminal } from './terminal.ts';

/** Prints one line for each instance of a rule. */
export function printInstances(instances: readonly Explanation[], out: Terminal): void {
  const [first] = instances;
  if (!first) return;
  const { rule, schedule } = first;
  out.print(`${out.paint('bold', rule.name)}  ${rule.about ?? ''}`.trimEnd());
  out.print(out.paint('dim', rule.file));
  out.print(`\n${instances.length} instances. Each runs ${schedule}.`);
  const width = Math.max(...instances.map((one) => one.rule.id.length));
  for (const one of instances) {
    const follows = `follows ${one.episodes.open}`.padEnd(12);
    const row = `  ${one.rule.id.padEnd(width)}  ${stateOf(one, out)}  ${follows}  `;
    printRow(row, lastOf(one, out), out);
  }
  out.print(`\nTo see one instance: fanfare explain ${rule.id}`);
}

function stateOf({ paused, on }: Explanation, out: Terminal): string {
  if (paused) return out.paint('red', 'paused');
  return on ? out.paint('green', 'on    ') : out.paint('dim', 'off   ');
}

function lastOf({ outcomes, timezone }: Explanation, out: Terminal): string {
  const last = outcomes[0]?.latest[0];
  if (!last) return out.paint('dim', 'no decisions yet');
  return `${out.paint(OUTCOME_STYLES[last.outcome], last.outcome)} ${instantText(new Date(last.atMs), timezone)}: ${last.message}`;
}
