import { omissionText } from '#src/clients/operation/part.ts';
import type { Delivery } from '#src/admin/queries/records.ts';
import { POLLING, pollingLines } from '#src/admin/language/polling.ts';
import { formatOutcome, reasons } from '#src/admin/language/reasons.ts';
import type { Outcome } from '#src/rules/decision.ts';
import type { SettledDecision } from '#src/admin/queries/settled-decisions.ts';
import type { CostExplanation, Explanation } from '#src/admin/queries/explanation.ts';
import { stateWord } from './delivery-names.ts';
import { printBills } from './print-bills.ts';
import { instantText, oneLine, printHanging, printRow } from './format.ts';
import type { Style, Terminal } from './terminal.ts';

export const OUTCOME_STYLES: Readonly<Record<Outcome, Style>> = {
  fired: 'green',
  suppressed: 'yellow',
  deferred: 'cyan',
  waiting: 'cyan',
  closed: 'cyan',
  unchanged: 'dim',
  failed: 'red',
};

const DELIVERY_STYLES: Readonly<Partial<Record<Delivery['state'], Style>>> = { failed: 'red', unknown: 'red', skipped: 'dim' };

/** Prints the schedule, cost, episodes, deliveries and decisions of one rule. */
export function printExplanation(explanation: Explanation, out: Terminal): void {
  printHead(explanation, out);
  for (const { text, holds } of explanation.remarks) printHanging(holds ? out.paint('yellow', text) : text, 0, out);
  printValues(explanation, out);
  printCost(explanation, out);
  for (const bill of explanation.bills) printBills(bill, out);
  printEpisodes(explanation, out);
  printDeliveries(explanation, out);
  printOutcomes(explanation, out);
}

function printHead({ rule, on, diagnostics, schedule, timezone, nextRuns }: Explanation, out: Terminal): void {
  out.print(`${out.paint('bold', rule.id)}  ${rule.about ?? ''}`.trimEnd());
  out.print(out.paint('dim', rule.file));
  for (const { file, line, column, message, hint } of diagnostics) {
    printHanging(out.paint('red', `${file}:${line}:${column} ${message}${hint === undefined ? '' : ` (${hint})`}`), 4, out);
  }
  if (diagnostics.length > 0) out.print(out.paint('yellow', 'The file has errors. Fanfare runs its last version without errors.'));
  const again = rule.command || rule.webhook ? '' : ' It does not run again.';
  const next = nextRuns.length > 0 ? ` Next runs (${timezone}):` : again;
  out.print(on ? `\nRuns ${schedule}.${next}` : `\nOff (enabled: ${rule.enabled}). When it is on, it runs ${schedule}.`);
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long', timeZone: timezone });
  for (const at of nextRuns) out.print(`  ${format.format(at)}`);
  out.print('');
}

function printValues({ values = {} }: Explanation, out: Terminal): void {
  for (const [name, value] of Object.entries(values)) out.print(`Stored value ${name}: ${JSON.stringify(value)}`);
}

function printCost({ rule, cost, polling }: Explanation, out: Terminal): void {
  if (!rule.watched) {
    out.print(cost.lookups.length > 0 ? '\nWatches nothing.' : '\nWatches nothing and needs no requests.');
    printLookups(cost, out);
    return;
  }
  const { requestsPerMinute, sharedWith } = cost;
  const shared =
    sharedWith.length > 0 ? `, shared with ${sharedWith.join(', ')} when they are due together` : ', shared with no other rule';
  const through = rule.watched.accounts.join(' and ');
  out.print('');
  printHanging(`Watches ${rule.watched.verb} through ${through}: ${requestsText(requestsPerMinute)} a minute${shared}.`, 0, out);
  if (polling) for (const line of pollingLines(polling, POLLING)) printHanging(oneLine(line), 0, out);
  printLookups(cost, out);
}

function printLookups({ lookups }: CostExplanation, out: Terminal): void {
  if (lookups.length === 0) return;
  const requests = lookups.reduce((sum, lookup) => sum + lookup.requests, 0);
  const each = lookups.some(({ isForEach }) => isForEach) ? ', and more for each element of forEach' : '';
  const verbs = lookups.map(({ verb, account }) => `${verb} through ${account}`).join(', ');
  printHanging(
    `Each firing also sends at least ${requests} ${requests === 1 ? 'request' : 'requests'} to read data${each}: ${verbs}.`,
    0,
    out,
  );
}

function requestsText(perMinute: number): string {
  if (perMinute > 0 && perMinute < 0.005) return 'less than 0.01 requests';
  const rounded = Math.round(perMinute * 100) / 100;
  return `${rounded} ${rounded === 1 ? 'request' : 'requests'}`;
}

function printEpisodes({ rule, episodes: { open, newest }, timezone }: Explanation, out: Terminal): void {
  if (!rule.watched) return;
  out.print(open === 0 ? '\nNo open episodes.' : `\nOpen episodes: ${open}. Newest:`);
  for (const { name, since, announced } of newest) {
    out.print(`  ${name} since ${instantText(since, timezone)}${announced ? '' : out.paint('dim', ', not announced')}`);
  }
}

function printDeliveries({ deliveries, timezone }: Explanation, out: Terminal): void {
  if (deliveries.length === 0) return;
  out.print('\nNot sent, sent again, sent without a part, or unknown:');
  for (const delivery of deliveries) {
    const { state, step, do: verb, account, createdAt, error, message, omitted = [], resends = [] } = delivery;
    const until = state === 'pending' ? pendingText(delivery, timezone) : undefined;
    const resent = resends.map(({ by, atMs }) => `sent again by ${oneLine(by)}, ${instantText(new Date(atMs), timezone)}`);
    const why =
      [until, error?.message ?? message, ...omitted.map(omissionText), ...resent].filter((part) => part !== undefined).join(', ') ||
      undefined;
    const style = DELIVERY_STYLES[state] ?? 'cyan';
    const what = `${step}: ${verb} through ${account}`;
    const row = `  ${instantText(createdAt, timezone)}  ${out.paint(style, stateWord(delivery).padEnd(8))} `;
    printRow(row, `${what}${why === undefined ? '' : `: ${why}`}`, out);
  }
  if (deliveries.some(({ state }) => state === 'unknown')) out.print('  To resolve unknown deliveries: fanfare resolve');
  if (deliveries.some(({ state }) => state === 'failed')) out.print('  To send failed deliveries again: fanfare resend');
}

/** Until when a delivery waits. Before its first attempt, a delivery that is due waits for others, for example for the answer to a question. */
function pendingText({ since, beginsAt, dueAt, createdAt }: Explanation['deliveries'][number], timezone: string): string {
  const isDue = since === undefined && beginsAt === undefined && dueAt <= createdAt;
  return isDue ? 'waits for earlier deliveries' : `until ${instantText(dueAt, timezone)} or later`;
}

/** Prints the latest decision of each outcome first, because rare outcomes matter more than frequent ones. */
export function printOutcomes({ outcomes, timezone }: Pick<Explanation, 'outcomes' | 'timezone'>, out: Terminal): void {
  if (outcomes.length === 0) {
    out.print('\nNo decisions yet.');
    return;
  }
  out.print('\nLatest decision of each kind:');
  for (const { outcome, latest } of outcomes) {
    for (const decision of latest.slice(0, 1)) print(outcome, decision);
  }
  const more = outcomes.filter(({ latest }) => latest.length > 1);
  if (more.length > 0) out.print('\nEarlier decisions:');
  for (const { outcome, latest } of more) for (const decision of latest.slice(1)) print(outcome, decision);

  function print(outcome: Outcome, decision: SettledDecision): void {
    const row = `  ${instantText(new Date(decision.atMs), timezone)}  ${out.paint(OUTCOME_STYLES[outcome], outcome.padEnd(11))} `;
    printRow(row, `${decision.message}${reasons.noticed(decision)}${formatOutcome(decision, reasons)}`, out);
  }
}
