import { parseDuration } from '#src/clients/operation/duration.ts';
import type { RuleDraft } from '#src/rules/grammar/rule-file.ts';
import { cronSlots } from '#src/rules/clocks/cron-slots.ts';
import { quietUntil } from '#src/rules/evaluate/gates/quiet-hours.ts';
import type { Quiet, Rule, Schedule } from '#src/rules/rule.ts';
import type { Step } from '#src/rules/step.ts';
import { isSet, type CheckContext } from './check-context.ts';
import { checkZone, DEFAULT_NOW_MS, ZONE_HINT } from './check-schedule.ts';
import { isWatching, originOf } from './meant-keys.ts';

export function checkCooldown({ cooldown, when }: RuleDraft, context: CheckContext): Rule['cooldown'] {
  const watches = isWatching(context);
  const hasItems = watches && (when?.per ?? 'item') === 'item';
  const { for: length, per } = typeof cooldown === 'string' ? { for: cooldown, per: undefined } : (cooldown ?? {});
  if (per === 'item' && !hasItems && !context.report.hasUnreadableLines) {
    const { origin } = originOf(context);
    const message = watches
      ? 'a cooldown per item needs per: item in when'
      : origin === undefined
        ? 'a cooldown per item needs watch: a rule without watch has no items'
        : `a rule that ${origin} has no cooldown per item`;
    context.report.error(context.document.locationOf(['cooldown', 'per']), 'cooldown-without-item', message, 'write per: rule');
  }
  return length === undefined ? undefined : { forMs: parseDuration(length) ?? 0, per: per ?? (hasItems ? 'item' : 'rule') };
}

/** Checks the quiet hours. `steps` run once at their end, with the deferred firings. */
export function checkQuiet({ quiet, when }: RuleDraft, steps: readonly Step[], context: CheckContext): Quiet | undefined {
  if (!quiet) return undefined;
  const { from, to, timezone: name, then } = quiet;
  const timezone = name === undefined ? (when?.timezone ?? 'UTC') : checkZone(name, ['quiet', 'timezone'], context);
  if (from === undefined || to === undefined) return undefined;
  const [fromMinute, toMinute] = [minuteOf(from), minuteOf(to)];
  if (fromMinute === toMinute) {
    const message = 'quiet hours cannot begin and end at the same time';
    context.report.error(
      context.document.locationOf(['quiet', 'to']),
      'empty-quiet',
      message,
      'change one of the times; to turn the rule off, write enabled: false',
    );
  }
  if (then !== undefined && fromMinute !== toMinute && name === undefined && when?.timezone === undefined) {
    context.report.warning(context.document.keyLocation([], 'quiet'), 'quiet-in-utc', 'these hours are in UTC', ZONE_HINT);
  }
  return then === undefined ? undefined : { fromMinute, toMinute, timezone, then: typeof then === 'string' ? then : steps };
}

/** The quiet hours of about a year. */
const NIGHTS = 400;

/** Warns of a rule whose runs are all in quiet hours that drop what it announces. */
export function checkQuietRuns(quiet: Quiet, schedule: Schedule, context: CheckContext): void {
  const { document, report, nowMs = DEFAULT_NOW_MS } = context;
  // The end of `settle` is a separate run, and notifications start polls of a rule with `every`.
  if (quiet.then !== 'drop' || report.hasErrors || isSet(context, ['when', 'settle'])) return;
  const key = 'cron' in schedule ? 'cron' : 'at';
  const runs = 'cron' in schedule ? cronSlots(schedule) : 'atMs' in schedule ? { next: onceAt(schedule.atMs) } : undefined;
  let atMs = runs?.next(nowMs);
  if (atMs === undefined) return;
  for (let nights = 0; nights < NIGHTS && atMs !== undefined; nights++) {
    const endMs = quietUntil(quiet, atMs);
    if (endMs === undefined) return;
    atMs = runs?.next(endMs - 1);
  }
  const message = 'the rule announces nothing: all its runs are in the quiet hours, which drop everything';
  report.warning(document.locationOf(['when', key]), 'never-outside-quiet', message, `change ${key} or quiet, or write then: hold`);
}

function onceAt(atMs: number): (afterMs: number) => number | undefined {
  return (afterMs) => (atMs > afterMs ? atMs : undefined);
}

function minuteOf(wallTime: string): number {
  const [hours, minutes] = wallTime.split(':');
  return Number(hours) * 60 + Number(minutes);
}
