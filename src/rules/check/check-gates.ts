import { Cron } from 'croner';
import { parseDuration } from '#src/clients/operation/duration.ts';
import type { RuleDraft } from '#src/rules/grammar/rule-file.ts';
import { cronSlots } from '#src/rules/clocks/cron-slots.ts';
import { quietUntil } from '#src/rules/evaluate/gates/quiet-hours.ts';
import { formatDuration } from '#src/rules/messages/format.ts';
import type { Quiet, Rule, Schedule } from '#src/rules/rule.ts';
import type { Step } from '#src/rules/step.ts';
import { isSet, type CheckContext } from './check-context.ts';
import { checkZone } from './check-schedule.ts';
import { isWatching, originOf } from './meant-keys.ts';

const FUSE = { firings: 30, perMs: 3_600_000 };
/** A command only answers the member who uses it. */
const USES_OF_COMMAND = 1_000;
/** Many donations can arrive at once, for example during a charity stream. */
const WEBHOOKS = 300;

/** Checks that `while` and `finally` belong to an episode that `then` opens. */
export function checkSections({ when }: RuleDraft, context: CheckContext): void {
  const { document, report } = context;
  const changes = when?.changes ?? ['entered'];
  for (const section of ['while', 'finally'] as const) {
    if (!isSet(context, [section]) || report.hasUnreadableLines) continue;
    const location = document.keyLocation([], section);
    if (!isWatching(context)) {
      const { origin } = originOf(context);
      const message =
        origin === undefined ? `${section} needs watch: a rule without watch has no episodes` : `a rule that ${origin} has no ${section}`;
      const hint = origin === undefined ? `add watch to when, or remove ${section}` : `move its steps to then, or remove ${section}`;
      report.error(location, 'section-without-watch', message, hint);
    } else if (when?.per !== undefined && when.per !== 'item') {
      const message = `${section} needs per: item, but the rule has per: ${when.per}`;
      report.error(location, 'section-without-item', message, `remove per, or remove ${section}`);
    } else if (!changes.includes('entered') && !changes.includes(null)) {
      report.error(location, 'section-without-entered', `${section} needs the change entered`, 'add entered to changes');
    }
  }
}

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
  return then === undefined ? undefined : { fromMinute, toMinute, timezone, then: typeof then === 'string' ? then : steps };
}

/** The quiet hours of about a year. */
const NIGHTS = 400;

/** Warns of a rule whose runs are all in quiet hours that drop what it announces. */
export function checkQuietRuns(quiet: Quiet, schedule: Schedule, context: CheckContext): void {
  const { document, report, nowMs = FROM_MS } = context;
  // The end of `settle` is a run of its own, and notifications start polls of a rule with `every`.
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

export function fuseOf({ fuse }: RuleDraft, { command, webhook }: Partial<Pick<Rule, 'command' | 'webhook'>>): Rule['fuse'] {
  return {
    firings: fuse?.firings ?? (command ? USES_OF_COMMAND : webhook ? WEBHOOKS : FUSE.firings),
    perMs: (fuse?.per === undefined ? undefined : parseDuration(fuse.per)) ?? FUSE.perMs,
  };
}

/** Warns of a limit that the fuse reaches first. */
export function checkFuseOfLimit({ limit, fuse }: Pick<Rule, 'limit' | 'fuse'>, { document, report }: CheckContext): void {
  if (!limit || limit.firings <= fuse.firings || limit.perMs > fuse.perMs) return;
  const per = formatDuration(fuse.perMs);
  report.warning(
    document.locationOf(['limit', 'firings']),
    'limit-above-fuse',
    `the limit has no effect: the fuse pauses the rule after ${fuse.firings} firings in ${per}`,
    `write at most ${fuse.firings}, or add fuse: { firings: ${limit.firings * 2}, per: ${per.replaceAll(/[ ,]/gu, '')} }`,
  );
}

interface FuseOptions extends Pick<Rule, 'schedule' | 'fuse' | 'cooldown'> {
  /** Whether `if` may suppress firings. */
  readonly hasCondition: boolean;
}

/** Warns of a rule that fires at every slot and more often than its fuse allows. */
export function checkFuse({ schedule, fuse, cooldown, hasCondition }: FuseOptions, context: CheckContext): void {
  const { document, report } = context;
  const firings = Math.min(mostSlots(schedule, fuse), Math.ceil(fuse.perMs / (cooldown?.forMs || 1)));
  if (firings <= fuse.firings) return;
  const per = formatDuration(fuse.perMs);
  const often = `${hasCondition ? 'up to ' : ''}${firings} times in ${per}`;
  const withRoom = Math.ceil((firings * 1.25) / 10) * 10;
  report.warning(
    isSet(context, ['fuse']) ? document.keyLocation([], 'fuse') : document.locationOf(['when', 'everyMs' in schedule ? 'every' : 'cron']),
    'small-fuse',
    `the rule fires ${often}, but its fuse allows ${fuse.firings} and then pauses the rule`,
    `add fuse: { firings: ${withRoom}, per: ${per.replaceAll(/[ ,]/gu, '')} }`,
  );
}

/** The most slots in the time of a fuse. Below the limit of the fuse, an upper bound is enough. */
function mostSlots(schedule: Schedule, { firings, perMs }: Rule['fuse']): number {
  if ('everyMs' in schedule) return Math.ceil(perMs / schedule.everyMs);
  if ('atMs' in schedule) return 1;
  if ('command' in schedule || 'webhook' in schedule) return 0;
  const hasSeconds = schedule.cron.split(' ').length === 6;
  const most = Math.ceil(perMs / (hasSeconds ? 5_000 : 60_000));
  return most <= firings ? most : mostRuns(schedule.cron, perMs);
}

// One day is enough: the hours of a cron expression are equal on all days.
const DAY_MS = 86_400_000;
const FROM_MS = Date.UTC(2026, 0, 1);
const MOST_RUNS = 5_000;

/** The most runs of a cron expression in `perMs`. */
function mostRuns(cron: string, perMs: number): number {
  const job = new Cron(cron, { paused: true, timezone: 'UTC', mode: '5-or-6-parts' });
  const runs: number[] = [];
  let most = 0;
  let next = job.nextRun(new Date(FROM_MS - 1))?.getTime();
  for (let first = 0; next !== undefined && runs.length < MOST_RUNS; next = job.nextRun(new Date(next))?.getTime()) {
    if (next - (runs[0] ?? next) >= DAY_MS + perMs) break;
    runs.push(next);
    while ((runs[first] ?? next) <= next - perMs) first++;
    most = Math.max(most, runs.length - first);
  }
  return most;
}
