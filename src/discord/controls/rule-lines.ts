import type { Decision, Outcome } from '#src/rules/decision.ts';
import type { Problem } from '#src/rules/problem.ts';
import type { Schedule } from '#src/rules/rule.ts';
import type { RuleView } from '#src/web/views.ts';
import type { Reader } from '../cards/card.ts';
import { instant } from '../cards/figures.ts';
import { escaped, oneLine } from '../text/foreign-text.ts';
import { moment, timeSpan } from './text.ts';

const MARKS: Readonly<Record<Outcome, string>> = {
  fired: '📣',
  silent: '🔇',
  refused: '✋',
  held: '🌙',
  waiting: '⏳',
  closed: '🏁',
  quiet: '·',
  failed: '⚠️',
};

const LONGEST_REASON = 300;

/** Whether a rule runs, as a sign and in words. */
export function stateLine(
  { on, enabled, paused, problems }: Pick<RuleView, 'on' | 'enabled' | 'paused' | 'problems'>,
  { words: { controls } }: Reader,
): string {
  const { rule } = controls;
  const isBroken = problems.some(({ severity }) => severity === 'error');
  if (on && paused) {
    const when = instant(paused.at);
    return `⏸️ ${paused.by === undefined ? rule.blown(when) : rule.pausedBy(escaped(paused.by, 80), when)}`;
  }
  if (on) return isBroken ? `🟠 ${rule.asBefore}` : `🟢 ${rule.on}`;
  if (isBroken) return `🔴 ${rule.broken}`;
  return `⚪ ${enabled === 'sandbox' ? rule.offInSandbox : rule.off}`;
}

/** One decision: when, what, why. */
export function decisionLine(
  { atMs, outcome, ...because }: Pick<Decision, 'atMs' | 'outcome' | 'reason' | 'why'>,
  { words: { controls, reasons } }: Reader,
): string {
  return `${instant(new Date(atMs))} ${MARKS[outcome]} **${controls.outcomes[outcome]}**: ${escaped(reasons.decided(because), LONGEST_REASON)}`;
}

/** One thing that is wrong with a file, and where. */
export function problemLine({ severity, file, line, column, message, hint }: Problem): string {
  const place = oneLine(`${file}:${line}:${column}`, 120).replaceAll('`', "'");
  return `${severity === 'error' ? '🔴' : '🟡'} \`${place}\` ${escaped(message, 300)}${hint === undefined ? '' : ` (${escaped(hint, 200)})`}`;
}

/** When a rule looks, in words. */
export function scheduleLine(schedule: Schedule, reader: Reader): string {
  const { rule } = reader.words.controls;
  if ('everyMs' in schedule) return rule.every(timeSpan(schedule.everyMs, reader));
  return 'atMs' in schedule ? rule.once(moment(new Date(schedule.atMs))) : rule.cron(schedule.cron, schedule.timezone);
}
