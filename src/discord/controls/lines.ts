import { formatOutcome } from '#src/admin/language/reasons.ts';
import { isChannelProblem, isFailing } from '#src/admin/queries/rule-view.ts';
import type { DecidedItem, DeliveryState, PauseView, RuleView, ShownDelivery } from '#src/admin/queries/records.ts';
import { isRead } from '#src/engine/delivery/is-read.ts';
import type { SettledDecision } from '#src/admin/queries/settled-decisions.ts';
import { isOfPost } from '#src/engine/posting/post-firing.ts';
import type { StepPosition } from '#src/rules/step-name.ts';
import type { Outcome } from '#src/rules/decision.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import type { Schedule } from '#src/rules/rule.ts';
import type { Reader } from '#src/discord/caller.ts';
import { linkTo } from '#src/discord/cards/card.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import { dateTime, dateTimeWithDistance, numeral, timeSpan, instant } from '#src/discord/text/format.ts';
import { cutLines } from '#src/discord/text/fit-texts.ts';
import { escaped, oneLine } from '#src/discord/text/untrusted-text.ts';

const OUTCOME_ICONS: Readonly<Record<Outcome, string>> = {
  fired: '📣',
  suppressed: '✋',
  deferred: '🌙',
  waiting: '⏳',
  closed: '🏁',
  unchanged: '·',
  failed: '⚠️',
};

const LONGEST_REASON = 300;
const LONGEST_LAST_REASON = 150;
const MAX_CAUSE_NAMES = 5;
/** The others often have the same remedy. */
const MAX_CAUSES = 3;
const HOUR_MS = 3_600_000;

/** The state of a rule with an icon. */
export function stateLine(
  { on, enabled, paused, diagnostics, lastFailure }: Pick<RuleView, 'on' | 'enabled' | 'paused' | 'diagnostics' | 'lastFailure'>,
  reader: Reader,
): string {
  const { texts } = reader;
  const { rule } = texts.controls;
  const isBroken = diagnostics.some(({ severity }) => severity === 'error');
  if (on && paused) {
    const when = instant(paused.at);
    const end = paused.until ? `. ${texts.controls.resumesBy(dateTimeWithDistance(paused.until))}` : '';
    const { by = '', fuse } = paused;
    return `⏸️ ${fuse ? rule.pausedAutomatically(when, limitOf(fuse, reader)) : rule.pausedBy(escaped(by, 80), when)}${end}`;
  }
  if (on && isBroken) return `🟠 ${rule.asBefore}`;
  if (on) return isFailing({ on, diagnostics, lastFailure }) ? `🟠 ${rule.failing}` : `🟢 ${rule.on}`;
  if (isBroken) return `🔴 ${rule.broken}`;
  return `⚪ ${enabled === 'sandbox' ? rule.offInSandbox : rule.off}`;
}

/** The next planned pause of a running rule. */
export function plannedLines(
  { on, plannedPauses: [next] = [] }: Pick<RuleView, 'on' | 'plannedPauses'>,
  reader: Reader,
): readonly string[] {
  if (!on || !next) return [];
  const { rule, resumesBy } = reader.texts.controls;
  const end = next.until ? `. ${resumesBy(dateTimeWithDistance(next.until))}` : '';
  return [`⏸️ ${rule.plannedBy(escaped(next.by, 80), dateTimeWithDistance(next.from))}${end}`];
}

/** A limit of announcements, for example `more than 30 announcements in an hour`. */
function limitOf({ firings, perMs }: NonNullable<PauseView['fuse']>, reader: Reader): string {
  const { limit, hour } = reader.texts.controls.rule;
  return limit(firings, perMs === HOUR_MS ? hour : timeSpan(perMs, reader));
}

/** Why a running rule cannot send everything: the channels and roles that it cannot use, or its last failed delivery. */
export function causeLines(
  { on, diagnostics, lastFailure }: Pick<RuleView, 'on' | 'diagnostics' | 'lastFailure'>,
  reader: Reader,
): readonly string[] {
  if (!on) return [];
  const { controls, reasons } = reader.texts;
  const channels = diagnostics
    .filter(isChannelProblem)
    .map(({ message }) => `🟡 ${controls.targetProblem(escaped(message, LONGEST_REASON))}`);
  const more = channels.length - MAX_CAUSES;
  if (more > 0) return [...channels.slice(0, MAX_CAUSES), controls.more(numeral(more, reader))];
  if (channels.length > 0 || !lastFailure) return channels;
  const why = escaped(reasons.delivered(lastFailure) ?? '', LONGEST_REASON);
  return [`❌ ${instant(lastFailure.createdAt)} ${stepName(lastFailure.position, reader.texts)}${subjectOf(lastFailure)}: ${why}`];
}

/** The last decision about an item of a list: its outcome as an icon, its time and its reason. */
export function lastLine({ atMs, outcome, ...decided }: DecidedItem, { texts: { reasons } }: Reader): string {
  return `-# ${OUTCOME_ICONS[outcome]} ${instant(new Date(atMs))} ${escaped(reasons.decided(decided), LONGEST_LAST_REASON)}`;
}

/** A decision: its time, its outcome and its reason. */
export function decisionLine(
  decision: Pick<SettledDecision, 'atMs' | 'outcome' | 'message' | 'reason' | 'details' | 'stop' | 'unsent'>,
  { texts: { controls, reasons } }: Reader,
): string {
  const { atMs, outcome } = decision;
  const stopped = formatOutcome(decision, reasons, (why) => escaped(why, LONGEST_REASON));
  const reason = `${escaped(reasons.decided(decision), LONGEST_REASON)}${reasons.noticed(decision)}${stopped}`;
  return `${instant(new Date(atMs))} ${OUTCOME_ICONS[outcome]} **${controls.outcomes[outcome]}**: ${reason}`;
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
  if ('command' in schedule) return rule.command(schedule.command);
  if ('webhook' in schedule) return rule.webhook(schedule.webhook);
  if ('atMs' in schedule) return rule.once(dateTime(new Date(schedule.atMs)));
  const { cron, timezone, weeks, except } = schedule;
  const calendar = [weeks && rule.weeks(weeks.every, weeks.from), except && rule.except(except.dates.length, except.then)];
  return [rule.cron(cron, timezone), ...calendar.filter((text) => text !== undefined)].join(', ');
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
  if (postedBy !== undefined) {
    const name = controls.delivering[isOfPost(delivery) ? 'post' : 'failureNotice'](escaped(postedBy, 60));
    return `${name}${about}: ${action}`;
  }
  return `**${escaped(rule, 80)}** · ${stepName(position, texts)}${about}: ${action}`;
}

/** The item and the channel of a delivery, for example ` · Ada → #live`; empty if both are unknown. */
function subjectOf({ item, channel }: Pick<ShownDelivery, 'item' | 'channel'>): string {
  const about = item === undefined ? '' : ` · ${escaped(item.name, 60)}`;
  if (channel === undefined) return about;
  return `${about} → ${channelText(channel)}`;
}

function channelText(channel: string): string {
  return /^\d+$/u.test(channel) ? `<#${channel}>` : `#${escaped(channel, 60)}`;
}

/** Deliveries with the same state and the same reason, in the order of their first one. */
export function byCause(deliveries: readonly ShownDelivery[], { texts: { reasons } }: Reader): readonly (readonly ShownDelivery[])[] {
  return [...Map.groupBy(deliveries, (delivery) => `${delivery.state} ${reasons.delivered(delivery) ?? delivery.id}`).values()];
}

/** A cause with its streamers and channels, for example `❌ 2 × Ada, Grace → #live: the bot may not post there`. */
export function causeLine(group: readonly ShownDelivery[], reader: Reader): string {
  const [first] = group;
  if (!first) return '';
  const names = (all: readonly (string | undefined)[]): string => {
    const some = [...new Set(all.flatMap((one) => one ?? []))];
    return some.slice(0, MAX_CAUSE_NAMES).join(', ') + (some.length > MAX_CAUSE_NAMES ? ', …' : '');
  };
  const channels = names(group.map(({ channel }) => channel && channelText(channel)));
  const items = names(group.map(({ item, rule }) => escaped(item?.name ?? rule, 60)));
  const count = group.length > 1 ? `${numeral(group.length, reader)} × ` : '';
  const why = escaped(reader.texts.reasons.delivered(first) ?? reader.texts.controls.states[first.state], LONGEST_REASON);
  return `${DELIVERY_ICONS[first.state]} ${count}${items}${channels === '' ? '' : ` → ${channels}`}: ${why}`;
}

/** The state of a delivery, with other words for steps that only read. */
function stateWord({ do: verb, state }: ShownDelivery, { states, readStates }: Texts['controls']): string {
  const hasOtherWord = isRead(verb) && (state === 'sending' || state === 'sent' || state === 'skipped');
  return hasOtherWord ? readStates[state] : states[state];
}

/** A delivery: its state, its step, its time, its link and its reason. */
export function deliveryLine(delivery: ShownDelivery, reader: Reader, { withReason = true } = {}): string {
  const { state, isOver = false, attempts, createdAt, sentAt, since, dueAt, times = 1, resends = [] } = delivery;
  const { controls, reasons } = reader.texts;
  const why = reasons.delivered(delivery);
  const isPlanned = state === 'pending' && since === undefined && dueAt > createdAt;
  const when = isPlanned ? controls.delivering.due(instant(dueAt)) : instant(sentAt ?? createdAt);
  const facts = [
    `${DELIVERY_ICONS[state]} **${stateWord(delivery, controls)}**`,
    deliveryName(delivery, reader),
    times > 1 ? controls.delivering[state === 'failed' ? 'failedEdits' : 'edited'](numeral(times, reader), when) : when,
    ...(isOver ? [controls.delivering.streamOver] : []),
    ...(attempts > 1 ? [controls.delivering.attempts(numeral(attempts, reader))] : []),
    ...resends.map(({ by, atMs }) => controls.delivering.resent(escaped(by, 60), instant(new Date(atMs)))),
    ...linkOf(delivery, reader),
  ];
  return `${facts.join(' · ')}${why === undefined || !withReason ? '' : `\n-# ${escaped(why, 200)}`}`;
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
  const end = lines.findIndex((line) => (length += line.length + 1) > room);
  // A first line that is too long would leave nothing to read.
  const shown = end === 0 ? [cutLines(lines[0] ?? '', room)] : lines.slice(0, end);
  return [...shown, ...(lines.length > shown.length ? [moreLine(lines.length - shown.length)] : [])].join('\n');
}
