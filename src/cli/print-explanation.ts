import { omissionText } from '#src/operation/part.ts';
import type { Delivery } from '#src/queries/records.ts';
import type { Outcome } from '#src/rules/decision.ts';
import type { CostExplanation, Explanation } from '#src/queries/explanation.ts';
import { printBills } from './print-bills.ts';
import { instantText } from './instant-text.ts';
import type { Style, Terminal } from './terminal.ts';

export const OUTCOME_STYLES: Readonly<Record<Outcome, Style>> = {
  fired: 'green',
  silent: 'dim',
  refused: 'yellow',
  held: 'cyan',
  waiting: 'cyan',
  closed: 'cyan',
  quiet: 'dim',
  failed: 'red',
};

const DELIVERY_STYLES: Readonly<Partial<Record<Delivery['state'], Style>>> = { failed: 'red', unknown: 'red', skipped: 'dim' };

/** What an outcome is called; `quiet` would be taken for quiet hours. */
export function outcomeText(outcome: Outcome): string {
  return outcome === 'quiet' ? 'no news' : outcome;
}

/** Prints all that there is to know about one rule. */
export function printExplanation(explanation: Explanation, out: Terminal): void {
  printHead(explanation, out);
  for (const { text, holds } of explanation.remarks) out.print(holds ? out.paint('yellow', text) : text);
  printCost(explanation, out);
  for (const bill of explanation.bills) printBills(bill, out);
  printEpisodes(explanation, out);
  printDeliveries(explanation, out);
  printOutcomes(explanation, out);
}

function printHead({ rule, on, problems, schedule, timezone, nextRuns }: Explanation, out: Terminal): void {
  out.print(`${out.paint('bold', rule.id)}  ${rule.about ?? ''}`);
  out.print(out.paint('dim', rule.file));
  for (const { file, line, column, message, hint } of problems) {
    out.print(out.paint('red', `${file}:${line}:${column} ${message}${hint === undefined ? '' : ` (${hint})`}`));
  }
  if (problems.length > 0) out.print(out.paint('yellow', 'Its file has errors: it runs as it was before them.'));
  const next = nextRuns.length > 0 ? `The next times in ${timezone}:` : 'It does not run again.';
  out.print(on ? `\nRuns ${schedule}. ${next}` : `\nIs off (enabled: ${rule.enabled}); switched on, it runs ${schedule}.`);
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long', timeZone: timezone });
  for (const at of nextRuns) out.print(`  ${format.format(at)}`);
  out.print('');
}

function printCost({ rule, cost }: Explanation, out: Terminal): void {
  if (!rule.watched) {
    out.print(cost.lookups.length > 0 ? '\nWatches nothing.' : '\nWatches nothing and costs no requests.');
    printLookUps(cost, out);
    return;
  }
  const { requestsPerMinute, sharedWith } = cost;
  const shared =
    sharedWith.length > 0 ? `, shared with ${sharedWith.join(', ')} where they are due together` : ', shared with no other rule';
  const through = rule.watched.accounts.join(' and ');
  out.print(`\nWatches ${rule.watched.verb} through ${through}: ${requestsText(requestsPerMinute)} a minute${shared}.`);
  for (const account of cost.accounts) out.print(budgetText(account));
  printLookUps(cost, out);
}

function printLookUps({ lookups: lookUps }: CostExplanation, out: Terminal): void {
  if (lookUps.length === 0) return;
  const requests = lookUps.reduce((sum, lookUp) => sum + lookUp.requests, 0);
  const each = lookUps.some(({ isForEach }) => isForEach) ? ', and more for each element of forEach' : '';
  const verbs = lookUps.map(({ verb, account }) => `${verb} through ${account}`).join(', ');
  out.print(
    `Each time it fires, its steps read platforms with at least ${requests} ${requests === 1 ? 'request' : 'requests'}${each}: ${verbs}.`,
  );
}

function budgetText({ account, perMinute, allowed }: CostExplanation['accounts'][number]): string {
  const asked = `All rules together ask ${account} ${rounded(perMinute)} times a minute`;
  return allowed === undefined ? `${asked}.` : `${asked}; it allows ${allowed}.`;
}

function requestsText(perMinute: number): string {
  return `${rounded(perMinute)} ${rounded(perMinute) === 1 ? 'request' : 'requests'}`;
}

function rounded(perMinute: number): number {
  return Math.round(perMinute * 100) / 100;
}

function printEpisodes({ rule, episodes: { open, newest }, timezone }: Explanation, out: Terminal): void {
  if (!rule.watched) return;
  out.print(`\nFollows ${open === 0 ? 'nobody at the moment' : `${open} at the moment; those that began last`}${open === 0 ? '.' : ':'}`);
  for (const { name, since, spoke } of newest) {
    out.print(`  ${name} since ${instantText(since, timezone)}${spoke ? '' : out.paint('dim', ', without a word')}`);
  }
}

function printDeliveries({ deliveries, timezone }: Explanation, out: Terminal): void {
  if (deliveries.length === 0) return;
  out.print('\nNot sent, sent without a part, or not known to be sent:');
  for (const { state, step, do: verb, account, createdAt, dueAt, error, message, omitted = [] } of deliveries) {
    const until = state === 'pending' ? `until ${instantText(dueAt, timezone)} or later` : undefined;
    const why =
      [until, error?.message ?? message, ...omitted.map(omissionText)].filter((part) => part !== undefined).join(', ') || undefined;
    const style = DELIVERY_STYLES[state] ?? 'cyan';
    const what = `${step}: ${verb} through ${account}`;
    out.print(`  ${instantText(createdAt, timezone)}  ${out.paint(style, state.padEnd(8))} ${what}${why === undefined ? '' : `: ${why}`}`);
  }
  if (deliveries.some(({ state }) => state === 'unknown')) out.print('  What became of the unknown ones you can say: fanfare resolve');
}

/** One of each outcome first, so that nothing that matters stands below much that does not. */
function printOutcomes({ outcomes, timezone }: Explanation, out: Terminal): void {
  if (outcomes.length === 0) {
    out.print('\nIt has not decided anything yet.');
    return;
  }
  out.print('\nDecided last, one of each kind:');
  for (const { outcome, latest } of outcomes) {
    for (const { atMs, message } of latest.slice(0, 1)) print(outcome, atMs, message);
  }
  const more = outcomes.filter(({ latest }) => latest.length > 1);
  if (more.length > 0) out.print('\nAnd before that:');
  for (const { outcome, latest } of more) for (const { atMs, message } of latest.slice(1)) print(outcome, atMs, message);

  function print(outcome: Outcome, atMs: number, message: string): void {
    out.print(
      `  ${instantText(new Date(atMs), timezone)}  ${out.paint(OUTCOME_STYLES[outcome], outcomeText(outcome).padEnd(8))} ${message}`,
    );
  }
}
