import type { Remark } from './explanation.ts';
import type { PausedBy, RuleMemory } from '#src/rules/episode.ts';
import { quietUntil } from '#src/rules/evaluate/gates/quiet-hours.ts';
import type { Quiet, Rule } from '#src/rules/rule.ts';
import { formatDuration } from '#src/rules/messages/format.ts';

const NAMED = 3;
/** The time for which a clock change is shown. */
const SHOWN_MS = 7 * 86_400_000;
/** A slot can be a few milliseconds in the future, because two slots never share one. */
const AHEAD_MS = 1_000;

interface RuleSituation {
  readonly memory: RuleMemory;
  readonly paused: PausedBy | undefined;
  /** The display names of items, by key. */
  readonly names: ReadonlyMap<string, string>;
  /** Absent if the rule never ran. */
  readonly lastSlotMs?: number | undefined;
  readonly nowMs: number;
}

/** The states that suppress announcements of a rule, or could: clock, pause, fuse, quiet hours and cooldown. */
export function remarksOn(rule: Rule, situation: RuleSituation): readonly Remark[] {
  return [
    ...clockRemark(situation),
    ...pauseRemark(rule, situation),
    fuseRemark(rule, situation),
    ...quietRemark(rule, situation),
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

function pauseRemark({ id }: Rule, { paused, nowMs }: RuleSituation): readonly Remark[] {
  if (!paused) return [];
  const since = formatDuration(Math.max(0, nowMs - paused.atMs));
  const text = `Paused by ${paused.by} ${since} ago. The rule makes no new announcements; open cards are still updated. To resume: fanfare resume ${id}`;
  return [{ holds: true, text }];
}

function fuseRemark({ id, fuse }: Rule, { memory: { blownMs, fusedMs = [] }, nowMs }: RuleSituation): Remark {
  const most = `${fuse.firings} firings in ${formatDuration(fuse.perMs)}`;
  if (blownMs !== undefined) {
    const text = `Paused: its fuse blew ${formatDuration(nowMs - blownMs)} ago, after ${most}. Open cards are still updated and closed. To resume: fanfare resume ${id}`;
    return { holds: true, text };
  }
  const used = fusedMs.filter((ms) => nowMs - ms < fuse.perMs).length;
  return { holds: false, text: `Fuse: ${used} of at most ${most}.` };
}

function quietRemark({ quiet }: Rule, { nowMs }: RuleSituation): readonly Remark[] {
  if (!quiet) return [];
  const untilMs = quietUntil(quiet, nowMs);
  const hours = `from ${clockText(quiet.fromMinute)} to ${clockText(quiet.toMinute)} (${quiet.timezone})`;
  const now = untilMs === undefined ? 'not now' : `now, for another ${formatDuration(untilMs - nowMs)}`;
  return [{ holds: untilMs !== undefined, text: `Quiet hours ${hours}, ${now}: ${fateText(quiet)}.` }];
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

function clockText(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}
