import type { RuleView } from '#src/admin/queries/records.ts';
import { isFailing } from '#src/admin/queries/rule-view.ts';
import { instantText, oneLine, printRow } from './format.ts';
import { OUTCOME_STYLES } from './print-explanation.ts';
import type { Style, Terminal } from './terminal.ts';

/** One long id must not move the columns of all rules out of the terminal. */
const WIDEST_ID = 32;

/** Prints one line for each rule: its state, its schedule and its last decision; running rules first. */
export function printRules(all: readonly RuleView[], timezone: string, out: Terminal): void {
  const rules = all.toSorted((a, b) => Number(b.on) - Number(a.on) || (a.id < b.id ? -1 : 1));
  const states = rules.map((rule) => stateOf(rule, timezone));
  const idWidth = Math.min(widest(rules.map(({ id }) => id)), WIDEST_ID);
  const stateWidth = widest(states.map(([, text]) => text));
  const scheduleWidth = widest(rules.map(({ schedule = '' }) => schedule));
  for (const [index, rule] of rules.entries()) {
    const [style, state] = states[index] ?? ['dim', ''];
    const { id, schedule = '', file, lastDecision: last } = rule;
    const decision =
      last &&
      `${out.paint(OUTCOME_STYLES[last.outcome], last.outcome)} ${instantText(new Date(last.atMs), timezone)}: ${oneLine(last.message)}`;
    const end = decision ?? out.paint('dim', rule.on ? 'no decisions yet' : file);
    const row = `${id.padEnd(idWidth)}  ${out.paint(style, state.padEnd(stateWidth))}  ${schedule.padEnd(scheduleWidth)}  `;
    printRow(row, end, out);
  }
  if (rules.length === 0) out.print('There are no rules yet. To write one: fanfare new');
  else out.print(`\nTimes in ${timezone}. To see everything about a rule: fanfare explain <rule>`);
}

function stateOf(rule: RuleView, timezone: string): readonly [Style, string] {
  const { on, paused, plannedPauses: [next] = [], diagnostics } = rule;
  if (on && paused?.by === undefined && paused) return ['red', 'paused automatically'];
  if (on && paused) return ['yellow', paused.until ? `paused until ${instantText(paused.until, timezone)}` : 'paused'];
  if (diagnostics.some(({ severity }) => severity === 'error')) return ['red', on ? 'on, new version has errors' : 'has errors'];
  if (on && isFailing(rule)) return ['red', 'on, failing'];
  if (on) return ['green', next ? `on, paused from ${instantText(next.from, timezone)}` : 'on'];
  return ['dim', 'off'];
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(({ length }) => length));
}
