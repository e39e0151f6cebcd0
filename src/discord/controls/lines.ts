import { isChannelProblem, isFailing } from '#src/queries/rule-view.ts';
import type { DeliveryState, RuleView, ShownDelivery } from '#src/queries/records.ts';
import type { StepPosition } from '#src/rules/step-name.ts';
import type { Decision, Outcome } from '#src/rules/decision.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import type { Schedule } from '#src/rules/rule.ts';
import type { Reader } from '../caller.ts';
import { linkTo } from '../cards/card.ts';
import type { Texts } from '../language/texts.ts';
import { dateTime, numeral, timeSpan, instant } from '../text/format.ts';
import { escaped, oneLine } from '../text/untrusted-text.ts';

const OUTCOME_ICONS: Readonly<Record<Outcome, string>> = {
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

/** The state of a rule with an icon. */
export function stateLine(
  { on, enabled, paused, problems, lastFailure }: Pick<RuleView, 'on' | 'enabled' | 'paused' | 'problems' | 'lastFailure'>,
  { texts }: Reader,
): string {
  const { rule } = texts.controls;
  const isBroken = problems.some(({ severity }) => severity === 'error');
  if (on && paused) {
    const when = instant(paused.at);
    return `⏸️ ${paused.by === undefined ? rule.blown(when) : rule.pausedBy(escaped(paused.by, 80), when)}`;
  }
  if (on && isBroken) return `🟠 ${rule.asBefore}`;
  if (on) return isFailing({ on, problems, lastFailure }) ? `🟠 ${rule.failing}` : `🟢 ${rule.on}`;
  if (isBroken) return `🔴 ${rule.broken}`;
  return `⚪ ${enabled === 'sandbox' ? rule.offInSandbox : rule.off}`;
}

/** Why a running rule cannot send everything: the channels and roles that it cannot use, or its last failed delivery. */
export function causeLines(
  { on, problems, lastFailure }: Pick<RuleView, 'on' | 'problems' | 'lastFailure'>,
  reader: Reader,
): readonly string[] {
  if (!on) return [];
  const { controls, reasons } = reader.texts;
  const channels = problems.filter(isChannelProblem).map(({ message }) => `🟡 ${controls.targetProblem(escaped(message, LONGEST_REASON))}`);
  if (channels.length > 0 || !lastFailure) return channels;
  const why = escaped(reasons.delivered(lastFailure) ?? '', LONGEST_REASON);
  return [`❌ ${instant(lastFailure.createdAt)} ${stepName(lastFailure.position, reader.texts)}${subjectOf(lastFailure)}: ${why}`];
}

/** A decision: its time, its outcome and its reason. */
export function decisionLine(
  { atMs, outcome, message, reason }: Pick<Decision, 'atMs' | 'outcome' | 'message' | 'reason'>,
  { texts: { controls, reasons } }: Reader,
): string {
  return `${instant(new Date(atMs))} ${OUTCOME_ICONS[outcome]} **${controls.outcomes[outcome]}**: ${escaped(reasons.decided({ message, reason }), LONGEST_REASON)}`;
}

/** A diagnostic of a rule file with its location. */
export function diagnosticLine({ severity, file, line, column, message, hint }: Diagnostic): string {
  const location = oneLine(`${file}:${line}:${column}`, 120).replaceAll('`', "'");
  return `${severity === 'error' ? '🔴' : '🟡'} \`${location}\` ${escaped(message, 300)}${hint === undefined ? '' : ` (${escaped(hint, 200)})`}`;
}

/** The schedule of a rule. */
export function scheduleLine(schedule: Schedule, reader: Reader): string {
  const { rule } = reader.texts.controls;
  if ('everyMs' in schedule) return rule.every(timeSpan(schedule.everyMs, reader));
  return 'atMs' in schedule ? rule.once(dateTime(new Date(schedule.atMs))) : rule.cron(schedule.cron, schedule.timezone);
}

const DELIVERY_ICONS: Readonly<Record<DeliveryState, string>> = {
  pending: '⏳',
  sending: '📤',
  asked: '💬',
  sent: '✅',
  failed: '❌',
  unknown: '❓',
  skipped: '➖',
};

/** The step of a delivery, for example `live-card · card · Ada → #live: discord.send through discord`. */
export function deliveryName(delivery: ShownDelivery, { texts }: Reader): string {
  const { rule, position, do: verb, account, postedBy } = delivery;
  const { controls } = texts;
  const about = subjectOf(delivery);
  const action = controls.card.step(`\`${verb}\``, escaped(account, 60));
  if (postedBy !== undefined) return `${controls.delivering.post(escaped(postedBy, 60))}${about}: ${action}`;
  return `**${escaped(rule, 80)}** · ${stepName(position, texts)}${about}: ${action}`;
}

/** The item and the channel of a delivery, for example ` · Ada → #live`; empty if both are unknown. */
function subjectOf({ item, channel }: Pick<ShownDelivery, 'item' | 'channel'>): string {
  const about = item === undefined ? '' : ` · ${escaped(item, 60)}`;
  if (channel === undefined) return about;
  return `${about} → ${/^\d+$/u.test(channel) ? `<#${channel}>` : `#${escaped(channel, 60)}`}`;
}

/** A delivery: its state, its step, its time, its link and its reason. */
export function deliveryLine(delivery: ShownDelivery, reader: Reader): string {
  const { state, attempts, createdAt, sentAt, times = 1, resends = [] } = delivery;
  const { controls, reasons } = reader.texts;
  const why = reasons.delivered(delivery);
  const when = instant(sentAt ?? createdAt);
  const facts = [
    `${DELIVERY_ICONS[state]} **${controls.states[state]}**`,
    deliveryName(delivery, reader),
    times > 1 ? controls.delivering[state === 'failed' ? 'failedEdits' : 'edited'](numeral(times, reader), when) : when,
    ...(attempts > 1 ? [controls.delivering.attempts(numeral(attempts, reader))] : []),
    ...resends.map(({ by, atMs }) => controls.delivering.resent(escaped(by, 60), instant(new Date(atMs)))),
    ...linkOf(delivery, reader),
  ];
  return `${facts.join(' · ')}${why === undefined ? '' : `\n-# ${escaped(why, 200)}`}`;
}

function linkOf({ result }: ShownDelivery, { texts: { controls } }: Reader): readonly string[] {
  const url = typeof result === 'object' && result !== null && 'url' in result ? result['url'] : undefined;
  return typeof url === 'string' ? [linkTo(url, controls.delivering.open)] : [];
}

/** The id of a step; without an id, its position. */
export function stepName({ id, section, number }: StepPosition, { controls }: Texts): string {
  return id === undefined ? controls.stepPosition(section, number) : escaped(id, 60);
}

/** The lines that fit into `most` characters, and the number of the lines that do not. */
export function fitted(lines: readonly string[], most: number, { texts, locale }: Reader): string {
  const whole = lines.join('\n');
  if (whole.length <= most) return whole;
  const moreLine = (left: number): string => texts.controls.more(numeral(left, { locale }));
  const room = most - moreLine(lines.length).length - 1;
  let length = 0;
  const shown = lines.findIndex((line) => (length += line.length + 1) > room);
  return [...lines.slice(0, shown), moreLine(lines.length - shown)].join('\n');
}
