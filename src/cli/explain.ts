import type { Decision } from '#src/rules/decision.ts';
import type { Explanation, RuleShelf } from './rule-shelf.ts';
import type { Style, Terminal } from './terminal.ts';

export interface ExplainOptions {
  readonly rules: RuleShelf;
  /** The rule's id. */
  readonly rule: string;
  readonly out: Terminal;
}

const STYLES: Readonly<Record<Decision['outcome'], Style>> = {
  fired: 'green',
  silent: 'dim',
  refused: 'yellow',
  waiting: 'cyan',
  closed: 'cyan',
  quiet: 'dim',
  failed: 'red',
};

/** Prints when a rule runs, what that costs, and what it decided last; the exit code is 1 where there is no such rule. */
export async function explain({ rules, rule: id, out }: ExplainOptions): Promise<number> {
  const found = await rules.explain(id);
  if (!found) {
    const { rules: known } = await rules.load([]);
    out.printError(`There is no rule ${id} that can run. There are: ${known.map((rule) => rule.id).join(', ') || 'none'}.`);
    return 1;
  }
  printSchedule(found, out);
  printCost(found, out);
  printDecisions(found, out);
  return 0;
}

function printSchedule({ rule, on, schedule, timezone, nextRuns }: Explanation, out: Terminal): void {
  out.print(`${out.paint('bold', rule.id)}  ${rule.about ?? ''}`);
  out.print(out.paint('dim', rule.file));
  out.print(`\nRuns ${schedule}${on ? '' : `, but is off (enabled: ${rule.enabled})`}. The next times in ${timezone}:`);
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long', timeZone: timezone });
  for (const at of nextRuns) out.print(`  ${format.format(at)}`);
}

function printCost({ rule, requestsPerMinute, sharedWith }: Explanation, out: Terminal): void {
  if (!rule.watched) {
    out.print('\nWatches nothing and costs no requests.');
    return;
  }
  const shared =
    sharedWith.length > 0 ? `, shared with ${sharedWith.join(', ')} where they are due together` : ', shared with no other rule';
  const least = Math.round(requestsPerMinute * 100) / 100;
  out.print(`\nWatches ${rule.watched.verb} through ${rule.watched.account}: ${least} requests a minute${shared}.`);
}

function printDecisions({ decisions }: Explanation, out: Terminal): void {
  if (decisions.length === 0) {
    out.print('\nIt has not decided anything yet.');
    return;
  }
  out.print('\nDecided last:');
  for (const { atMs, outcome, reason } of decisions) {
    out.print(`  ${new Date(atMs).toISOString().slice(0, 19)}Z  ${out.paint(STYLES[outcome], outcome.padEnd(8))} ${reason}`);
  }
}
