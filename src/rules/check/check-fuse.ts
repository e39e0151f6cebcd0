import { Cron } from 'croner';
import { parseDuration } from '#src/clients/operation/duration.ts';
import type { RuleDraft } from '#src/rules/grammar/rule-file.ts';
import { formatCount, formatDuration } from '#src/rules/messages/format.ts';
import type { Rule, Schedule } from '#src/rules/rule.ts';
import { isSet, type CheckContext } from './check-context.ts';

const FUSE = { firings: 30, perMs: 3_600_000 };
/** A command only answers the member who uses it. */
const USES_OF_COMMAND = 1_000;
/** Many donations can arrive at once, for example during a charity stream. */
const WEBHOOKS = 300;

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
    `the limit has no effect: the fuse pauses the rule after ${formatCount(fuse.firings, 'firing')} in ${per}`,
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
  const once = 'cron' in schedule ? onceAnHour(schedule.cron) : undefined;
  const instead = once === undefined ? '' : `write cron: "${once}" for one run in the hour, or `;
  report.warning(
    isSet(context, ['fuse']) ? document.keyLocation([], 'fuse') : document.locationOf(['when', 'everyMs' in schedule ? 'every' : 'cron']),
    'small-fuse',
    `the rule fires ${often}, but its fuse allows ${fuse.firings} and then pauses the rule`,
    `${instead}add fuse: { firings: ${withRoom}, per: ${per.replaceAll(/[ ,]/gu, '')} }`,
  );
}

/** The expression that the author of `* 20 * * 5` probably means, which runs at each minute of an hour. */
function onceAnHour(cron: string): string | undefined {
  return /^\*(?= \d{1,2}(?: \S+){3}$)/u.test(cron) ? cron.replace('*', '0') : undefined;
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
