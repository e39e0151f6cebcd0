import { isZone } from '../expression/spoken.ts';
import { cronProblem, hasBothDays } from '../grammar/cron.ts';
import { parseDuration } from '../grammar/duration.ts';
import type { WhenDraft } from '../grammar/rule-file.ts';
import type { Schedule } from '../rule.ts';
import { isWritten, type Desk } from './desk.ts';

const LEAST_MS = 5_000;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** When the rule looks. */
export function checkSchedule({ every, cron, timezone }: WhenDraft, desk: Desk): Schedule | undefined {
  const { document, report } = desk;
  const [hasEvery, hasCron] = [isWritten(desk, ['when', 'every']), isWritten(desk, ['when', 'cron'])];
  if (hasEvery && hasCron) report.error(document.keySpot(['when'], 'cron'), 'every and cron exclude each other', 'leave one of them out');
  if (!hasEvery && !hasCron && !report.hasGaps) report.error(document.spot(['when']), 'when needs every or cron', 'for example every: 5m');
  const zone = checkZone(timezone, hasCron, desk);
  if (cron !== undefined) return checkCron(cron, zone, desk);
  return every === undefined ? undefined : checkEvery(parseDuration(every) ?? 0, desk);
}

/** Nothing older than this is made up for. */
export function maxAgeOf({ maxAge }: WhenDraft, schedule: Schedule): number {
  const given = maxAge === undefined ? undefined : parseDuration(maxAge);
  return given ?? Math.max(HOUR_MS, 'everyMs' in schedule ? 2 * schedule.everyMs : 0);
}

function checkEvery(everyMs: number, { document, report }: Desk): Schedule {
  const spot = document.spot(['when', 'every']);
  if (everyMs < LEAST_MS) report.error(spot, 'this is more often than every five seconds');
  if (everyMs >= DAY_MS) {
    report.warning(
      spot,
      'days and weeks are counted from 1 January 1970 in UTC: every: 7d falls on Thursdays',
      'write cron: "0 18 * * 0" for Sundays at six',
    );
  }
  return { everyMs };
}

function checkCron(cron: string, timezone: string, { document, report }: Desk): Schedule {
  const spot = document.spot(['when', 'cron']);
  const problem = cronProblem(cron);
  if (problem) report.error(spot, problem.message, problem.hint);
  else if (hasBothDays(cron)) {
    report.warning(spot, 'it runs where either the day of the month or the day of the week fits', 'leave one of them * if both must fit');
  }
  return { cron: cron.trim().replace(/\s+/gu, ' '), timezone };
}

function checkZone(timezone: string | undefined, hasCron: boolean, { document, report }: Desk): string {
  if (timezone === undefined) return 'UTC';
  if (!isZone(timezone)) report.error(document.spot(['when', 'timezone']), `there is no time zone ${timezone}`, 'for example Europe/Paris');
  if (!hasCron) report.warning(document.keySpot(['when'], 'timezone'), 'timezone says nothing without cron: every is a grid in UTC');
  return timezone;
}
