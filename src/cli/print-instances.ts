import type { Explanation } from '#src/queries/explanation.ts';
import { instantText } from './instant-text.ts';
import { OUTCOME_STYLES, outcomeText } from './print-explanation.ts';
import type { Terminal } from './terminal.ts';

/** Prints the instances of a rule, one line each. */
export function printInstances(instances: readonly Explanation[], out: Terminal): void {
  const [first] = instances;
  if (!first) return;
  const { rule, schedule } = first;
  out.print(`${out.paint('bold', rule.name)}  ${rule.about ?? ''}`);
  out.print(out.paint('dim', rule.file));
  out.print(`\nThese are ${instances.length} rules, one for each value. Each runs ${schedule}.`);
  const width = Math.max(...instances.map((one) => one.rule.id.length));
  for (const one of instances) {
    const follows = `follows ${one.episodes.open}`.padEnd(12);
    out.print(`  ${one.rule.id.padEnd(width)}  ${stateOf(one, out)}  ${follows}  ${lastOf(one, out)}`);
  }
  out.print(`\nMore of one: fanfare explain ${rule.id}`);
}

function stateOf({ paused, on }: Explanation, out: Terminal): string {
  if (paused) return out.paint('red', 'paused');
  return on ? out.paint('green', 'on    ') : out.paint('dim', 'off   ');
}

function lastOf({ outcomes, timezone }: Explanation, out: Terminal): string {
  const last = outcomes[0]?.latest[0];
  if (!last) return out.paint('dim', 'nothing decided yet');
  return `${out.paint(OUTCOME_STYLES[last.outcome], outcomeText(last.outcome))} ${instantText(new Date(last.atMs), timezone)}: ${last.message}`;
}
