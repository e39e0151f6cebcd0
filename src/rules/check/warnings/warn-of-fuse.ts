import { Cron } from 'croner';
import type { Rule, Schedule } from '../../rule.ts';
import { durationText } from '../../wording/duration-text.ts';
import { isWritten, type Desk } from '../desk.ts';

/** The runs of one day show how often a cron expression runs: its hours are the same on all of them. */
const DAY_MS = 86_400_000;
/** Any instant does. */
const FROM_MS = Date.UTC(2026, 0, 1);
/** More runs than this are not counted. */
const MOST_RUNS = 5_000;

export interface FuseOptions {
  readonly schedule: Schedule;
  readonly fuse: Rule['fuse'];
  readonly cooldown: Rule['cooldown'];
  /** Whether `if` may keep it from firing. */
  readonly isAsked: boolean;
}

/** Warns where a rule that fires at every slot does so more often than its fuse allows. */
export function warnOfFuse({ schedule, fuse, cooldown, isAsked }: FuseOptions, desk: Desk): void {
  const { document, report } = desk;
  const firings = Math.min(slotsIn(schedule, fuse), Math.ceil(fuse.perMs / (cooldown?.forMs || 1)));
  if (firings <= fuse.firings) return;
  const per = durationText(fuse.perMs);
  const often = `${isAsked ? 'up to ' : ''}${firings} times in ${per}`;
  report.warning(
    isWritten(desk, ['fuse']) ? document.keySpot([], 'fuse') : document.spot(['when', 'everyMs' in schedule ? 'every' : 'cron']),
    `this fires ${often}, and the fuse allows ${fuse.firings}: the next one would pause the rule`,
    `add fuse: { firings: ${withRoom(firings)}, per: ${per.replaceAll(/[ ,]/gu, '')} }`,
  );
}

/** A third more, in round numbers. */
function withRoom(firings: number): number {
  return Math.ceil((firings * 1.25) / 10) * 10;
}

/** The most slots in the time of a fuse; of those that it allows in any case an upper bound will do. */
function slotsIn(schedule: Schedule, { firings, perMs }: Rule['fuse']): number {
  if ('everyMs' in schedule) return Math.ceil(perMs / schedule.everyMs);
  if ('atMs' in schedule) return 1;
  const isBySeconds = schedule.cron.split(' ').length === 6;
  const most = Math.ceil(perMs / (isBySeconds ? 5_000 : 60_000));
  return most <= firings ? most : runsIn(schedule.cron, perMs);
}

/** The most runs in so long. */
function runsIn(cron: string, perMs: number): number {
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
