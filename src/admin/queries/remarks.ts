import type { Remark } from './explanation.ts';
import type { PausedBy, RuleMemory } from '#src/rules/episode.ts';
import { cronSlots, leftOutSlot } from '#src/rules/clocks/cron-slots.ts';
import { gatherDueMs } from '#src/rules/evaluate/gates/gather.ts';
import { createLimit } from '#src/rules/evaluate/gates/limit.ts';
import { zone } from '#src/rules/clocks/zone.ts';
import { quietUntil } from '#src/rules/evaluate/gates/quiet-hours.ts';
import type { Quiet, Rule } from '#src/rules/rule.ts';
import { timezoneOf } from '#src/rules/messages/schedule-text.ts';
import type { PlannedPause } from '#src/engine/scheduler/rule-states.ts';
import { fuseText } from '#src/rules/messages/format-suppression.ts';
import { formatCount, formatDuration, formatMinute } from '#src/rules/messages/format.ts';

const NAMED = 3;
/** The time for which a clock change is shown. */
const SHOWN_MS = 7 * 86_400_000;
/** The time for which a run that the calendar leaves out is shown. */
const CALENDAR_MS = 31 * 86_400_000;
/** A slot can be a few milliseconds in the future, because two slots never share one. */
const AHEAD_MS = 1_000;

interface RuleSituation {
  readonly memory: RuleMemory;
  readonly paused: PausedBy | undefined;
  readonly planned?: readonly PlannedPause[] | undefined;
  /** The display names of items, by key. */
  readonly names: ReadonlyMap<string, string>;
  /** Absent if the rule never ran. */
  readonly lastSlotMs?: number | undefined;
  readonly nowMs: number;
}

/** The states that suppress announcements of a rule, or could: clock, calendar, pause, fuse, quiet hours, limit, gathered changes and cooldown. */
export function remarksOn(rule: Rule, situation: RuleSituation): readonly Remark[] {
  return [
    ...clockRemark(situation),
    ...calendarRemark(rule, situation),
    ...pauseRemark(rule, situation),
    ...plannedRemarks(rule, situation),
    fuseRemark(rule, situation),
    ...quietRemark(rule, situation),
    ...limitRemark(rule, situation),
    ...gatherRemark(rule, situation),
    ...cooldownRemark(rule, situation),
  ];
}

function clockRemark({ memory: { clockSetBack }, lastSlotMs, nowMs }: RuleSituation): readonly Remark[] {
  const aheadMs = (lastSlotMs ?? nowMs) - nowMs;
  if (aheadMs >= AHEAD_MS) {
    const text = `The clock was ahead: the last slot lies ${formatDuration(aheadMs)} in the future. When Fanfare starts, the rule continues from then.`;
    return [{ holds: false, text }];
  }
  if (!clockSetBack || nowMs - clockSetBack.atMs > SHOWN_MS || clockSetBack.byMs < AHEAD_MS) return [];
  const since = formatDuration(Math.max(0, nowMs - clockSetBack.atMs));
  const text = `The clock was set back by ${formatDuration(clockSetBack.byMs)}: the rule continued from there ${since} ago and repeats no announcement.`;
  return [{ holds: false, text }];
}

/** The next run that `weeks` or `except` leaves out. */
function calendarRemark({ schedule }: Rule, { nowMs }: RuleSituation): readonly Remark[] {
  if (!('cron' in schedule)) return [];
  const leftOut = leftOutSlot(schedule, nowMs, nowMs + CALENDAR_MS);
  if (!leftOut) return [];
  const { atMs, by, movedToMs } = leftOut;
  const moved = movedToMs === undefined ? '' : ` and runs at ${wallText(movedToMs, schedule.timezone)} instead`;
  const key = by === 'weeks' ? 'weeks does not have this week' : 'except has this day';
  return [{ holds: false, text: `The rule does not run at ${wallText(atMs, schedule.timezone)}${moved}: ${key}.` }];
}

function wallText(atMs: number, timezone: string): string {
  return `${new Date(zone(timezone).wallAt(atMs)).toISOString().slice(0, 16).replace('T', ' ')} (${timezone})`;
}

function pauseRemark({ id }: Rule, { paused, nowMs }: RuleSituation): readonly Remark[] {
  if (!paused) return [];
  const since = formatDuration(Math.max(0, nowMs - paused.atMs));
  const end = paused.untilMs === undefined ? '' : `, for another ${formatDuration(Math.max(0, paused.untilMs - nowMs))}`;
  const plan = paused.plannedMs === undefined ? '' : ' as planned';
  const text = `Paused by ${paused.by} ${since} ago${plan}${end}. The rule makes no new announcements; open cards are still updated. To resume: npx fanfare resume ${id}`;
  return [{ holds: true, text }];
}

/** The pauses that have not begun. */
function plannedRemarks(rule: Rule, { planned = [] }: RuleSituation): readonly Remark[] {
  const timezone = timezoneOf(rule);
  return planned.map(({ by, fromMs, untilMs }) => {
    const end = untilMs === undefined ? 'until a person resumes it' : `to ${wallText(untilMs, timezone)}`;
    const text = `${by} planned a pause from ${wallText(fromMs, timezone)} ${end}. To cancel all planned pauses: npx fanfare resume ${rule.id} --planned`;
    return { holds: false, text };
  });
}

function fuseRemark({ id, fuse }: Rule, { memory: { blownMs, fusedMs = [] }, nowMs }: RuleSituation): Remark {
  const most = `${formatCount(fuse.firings, 'announcement')} in ${formatDuration(fuse.perMs)}`;
  if (blownMs !== undefined) {
    const text = `Paused automatically ${formatDuration(nowMs - blownMs)} ago: ${fuseText({ limit: fuse.firings, perMs: fuse.perMs })}. Open cards are still updated and closed. To resume: npx fanfare resume ${id}`;
    return { holds: true, text };
  }
  const used = fusedMs.filter((ms) => nowMs - ms < fuse.perMs).length;
  return { holds: false, text: `Fuse: ${used} of at most ${most}.` };
}

function quietRemark({ quiet }: Rule, { nowMs }: RuleSituation): readonly Remark[] {
  if (!quiet) return [];
  const untilMs = quietUntil(quiet, nowMs);
  const hours = `from ${formatMinute(quiet.fromMinute)} to ${formatMinute(quiet.toMinute)} (${quiet.timezone})`;
  const now = untilMs === undefined ? 'not now' : `now, for another ${formatDuration(untilMs - nowMs)}`;
  return [{ holds: untilMs !== undefined, text: `Quiet hours ${hours}, ${now}: ${fateText(quiet)}.` }];
}

function limitRemark(rule: Rule, { memory, nowMs }: RuleSituation): readonly Remark[] {
  const { limit } = rule;
  const waiting = memory.limited?.length ?? 0;
  if (typeof limit?.then !== 'object' && waiting > 0) return [{ holds: false, text: lostSteps(waiting, 'limit') }];
  if (!limit) return [];
  const untilMs = createLimit(rule, memory, nowMs).untilMs();
  const used = (memory.limitMs ?? []).filter((ms) => nowMs - ms < limit.perMs).length;
  const most = `${formatCount(limit.firings, 'announcement')} in ${formatDuration(limit.perMs)}`;
  if (untilMs === undefined) return [{ holds: false, text: `Limit: ${used} of at most ${most}.` }];
  const fate = { hold: 'changes wait', drop: 'changes are not announced' };
  const now = typeof limit.then === 'string' ? fate[limit.then] : `${formatCount(waiting, 'change')} collected for the steps of limit`;
  return [{ holds: true, text: `Limit of ${most} reached, for another ${formatDuration(untilMs - nowMs)}: ${now}.` }];
}

function gatherRemark(rule: Rule, { memory: { gathered = [] }, nowMs }: RuleSituation): readonly Remark[] {
  const { gather } = rule;
  if (!gather) return gathered.length > 0 ? [{ holds: false, text: lostSteps(gathered.length, 'gather') }] : [];
  const dueMs = gatherDueMs(rule, gathered) ?? (gather.schedule && cronSlots(gather.schedule).next(nowMs));
  const time = dueMs === undefined || !gather.schedule ? '' : `, or at ${wallText(dueMs, gather.schedule.timezone)}`;
  return [
    { holds: false, text: `Gathered: ${gathered.length} of ${formatCount(gather.count, 'change')}. The steps of gather run then${time}.` },
  ];
}

function lostSteps(changes: number, key: 'limit' | 'gather'): string {
  return `${formatCount(changes, 'change')} collected for steps of ${key} that the rule no longer has. They wait until it has them again.`;
}

function fateText({ then }: Quiet): string {
  if (then === 'hold') return 'changes are decided when they end';
  return then === 'drop' ? 'changes are not announced' : 'changes are announced together when they end';
}

function cooldownRemark({ cooldown }: Rule, { memory: { firedMs, ruleFiredMs }, names, nowMs }: RuleSituation): readonly Remark[] {
  if (!cooldown) return [];
  const leftMs = (sinceMs: number | undefined): number => (sinceMs ?? -Infinity) + cooldown.forMs - nowMs;
  if (cooldown.per === 'rule') {
    const left = leftMs(ruleFiredMs);
    const now = left > 0 ? `${formatDuration(left)} left` : 'over';
    return [{ holds: left > 0, text: `Cooldown of ${formatDuration(cooldown.forMs)}: ${now}.` }];
  }
  const cooling = Object.entries(firedMs)
    .map(([who, sinceMs]) => ({ who, left: leftMs(sinceMs) }))
    .filter(({ left }) => left > 0)
    .toSorted((a, b) => b.left - a.left);
  const named = cooling.slice(0, NAMED).map(({ who, left }) => `${names.get(who) ?? who} for ${formatDuration(left)}`);
  const more = cooling.length > NAMED ? ` and ${cooling.length - NAMED} more` : '';
  const now = cooling.length > 0 ? `${named.join(', ')}${more} cannot be announced again yet` : 'all items can be announced now';
  return [{ holds: false, text: `Cooldown of ${formatDuration(cooldown.forMs)} per item: ${now}.` }];
}
