import { cronProblems, hasBothDays } from '../grammar/cron.ts';
import { parseDuration } from '#src/operation/duration.ts';
import type { RuleDraft, WhenDraft } from '../grammar/rule-file.ts';
import type { Schedule } from '../rule.ts';
import { enumerate } from '../wording/enumerate.ts';
import { checkAt } from './check-at.ts';
import { checkZone } from './check-zone.ts';
import { oddTimesOf } from './clock-changes.ts';
import { isWritten, type Desk } from './desk.ts';

const LEAST_MS = 5_000;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const HOUR_MS = 3_600_000;
/** Where nobody says what day it is, any year does. */
const SOME_DAY_MS = Date.UTC(2026, 0, 1);

/** When the rule looks. */
export function checkSchedule({ when = {}, quiet }: RuleDraft, desk: Desk): Schedule | undefined {
  const { document, report } = desk;
  const { every, cron, at, timezone, missed } = when;
  const [first, ...others] = (['every', 'cron', 'at'] as const).filter((key) => isWritten(desk, ['when', key]));
  for (const other of others)
    report.error(document.keySpot(['when'], other), `${first} and ${other} exclude each other`, 'leave one of them out');
  if (first === undefined && !report.hasGaps)
    report.error(document.spot(['when']), 'when needs every, cron or at', 'for example every: 5m');
  if (missed === 'all' && isWritten(desk, ['when', 'watch'])) {
    report.error(
      document.spot(['when', 'missed']),
      'missed: all goes without watch: what was to be seen then nobody knows now',
      'write missed: once',
    );
  }
  const zone = timezone === undefined ? undefined : checkZone(timezone, ['when', 'timezone'], desk);
  if (timezone !== undefined && first === 'every' && (!quiet || quiet.timezone !== undefined)) {
    report.warning(document.keySpot(['when'], 'timezone'), 'timezone says nothing here: every is a grid in UTC', 'leave it out');
  }
  if (cron !== undefined) return checkCron(cron, zone ?? 'UTC', desk);
  if (at !== undefined) return checkAt(at, zone, desk);
  return every === undefined ? undefined : checkEvery(every, desk);
}

/** Nothing older than this is made up for. */
export function maxAgeOf({ maxAge }: WhenDraft, schedule: Schedule | undefined): number {
  const given = maxAge === undefined ? undefined : parseDuration(maxAge);
  return given ?? Math.max(HOUR_MS, schedule && 'everyMs' in schedule ? 2 * schedule.everyMs : 0);
}

function checkEvery(every: string, { document, report }: Desk): Schedule {
  const everyMs = parseDuration(every) ?? 0;
  const spot = document.spot(['when', 'every']);
  if (everyMs < LEAST_MS) report.error(spot, 'this is more often than every five seconds', 'write 5s or more');
  if (everyMs >= DAY_MS) {
    const { falls, hint } = onClocks(everyMs);
    report.warning(spot, `days and weeks are counted from 1 January 1970 in UTC: every: ${every} ${falls}`, hint);
  }
  return { everyMs };
}

/** Where a grid of days falls, and how what was probably meant is said on a clock. */
function onClocks(everyMs: number): { readonly falls: string; readonly hint: string } {
  const falls = everyMs % WEEK_MS === 0 ? 'falls on Thursdays' : everyMs % DAY_MS === 0 ? 'falls at midnight there' : 'begins there';
  if (everyMs === DAY_MS) return { falls, hint: 'write cron: "0 18 * * *" for every day at six' };
  if (everyMs === WEEK_MS) return { falls, hint: 'write cron: "0 18 * * 0" for Sundays at six' };
  return { falls, hint: 'a time of the day is written as cron: "0 18 * * *", which is every day at six' };
}

function checkCron(cron: string, timezone: string, desk: Desk): Schedule {
  const { document, report, nowMs } = desk;
  const spot = document.spot(['when', 'cron']);
  const problems = cronProblems(cron);
  for (const { message, hint } of problems) report.error(spot, message, hint);
  if (problems.length > 0) return { cron, timezone };
  if (hasBothDays(cron)) {
    report.warning(
      spot,
      'it runs where either the day of the month or the day of the week fits',
      'leave one of them * if only one is meant',
    );
  }
  const odd = oddTimesOf(cron, { timezone, fromMs: nowMs ?? SOME_DAY_MS });
  const what = odd.map(({ kind, wall }) =>
    kind === 'skipped' ? `skip ${wall} (it runs right after)` : `show ${wall} twice (it runs the first time)`,
  );
  if (what.length > 0)
    report.warning(spot, `the clocks of ${timezone} ${enumerate(what, 'and')}`, 'choose an hour at which no clocks change');
  return { cron: cron.trim().replace(/\s+/gu, ' '), timezone };
}
