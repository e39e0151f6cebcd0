import { parseDuration } from '#src/clients/operation/duration.ts';
import type { CronSchedule } from '#src/rules/clocks/cron-slots.ts';
import { clockAnomaliesOf, clockAnomalyAt } from '#src/rules/clocks/clock-anomalies.ts';
import { zone } from '#src/rules/clocks/zone.ts';
import type { Path } from '#src/rules/document/report.ts';
import { hasZone, zoneOfPlace } from '#src/rules/expression/formats.ts';
import { cronIssues, hasBothDays } from '#src/rules/grammar/cron.ts';
import { parseInstant } from '#src/rules/grammar/instant.ts';
import type { RuleDraft, WhenDraft } from '#src/rules/grammar/rule-file.ts';
import { formatList } from '#src/rules/messages/format.ts';
import type { Schedule } from '#src/rules/rule.ts';
import { checkUnusedWithin, checkWithin, LEAST_MS } from './check-within.ts';
import { checkCalendar, checkMovedRuns } from './check-calendar.ts';
import { isSet, type CheckContext } from './check-context.ts';
import { isMeant, isWatching } from './meant-keys.ts';
import { DAILY, meantSchedule, WEEKLY } from './meant-text.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** Used if the current time is unknown. */
export const DEFAULT_NOW_MS = Date.UTC(2026, 0, 1);

/** Checks `every`, `cron` and `at`; undefined if the rule has no usable schedule. */
export function checkSchedule({ when = {}, quiet, gather }: RuleDraft, context: CheckContext): Schedule | undefined {
  const { document, report } = context;
  const { every, cron, at, timezone, missed } = when;
  const [first, ...others] = (['every', 'cron', 'at'] as const).filter((key) => isSet(context, ['when', key]));
  for (const other of others) {
    report.error(
      document.keyLocation(['when'], other),
      'two-schedules',
      `a rule cannot have both ${first} and ${other}`,
      'remove one of them',
    );
  }
  const isNamed = (['every', 'cron', 'at'] as const).some((key) => isMeant(context, ['when', key]));
  if (!isNamed && !report.hasUnreadableLines) {
    report.error(
      document.locationOf(['when']),
      'no-schedule',
      'when needs every, cron, at, command or webhook',
      'add a schedule, for example every: 5m',
    );
  }
  if (missed === 'all' && isWatching(context)) {
    const message = 'missed: all cannot be combined with watch, because Fanfare cannot read past lists';
    report.error(document.locationOf(['when', 'missed']), 'missed-with-watch', message, 'write missed: once');
  }
  const name = timezone === undefined ? undefined : checkZone(timezone, ['when', 'timezone'], context);
  const readsZone = [quiet, gather].some((one) => one && one.timezone === undefined);
  if (timezone !== undefined && first === 'every' && !readsZone) {
    reportIdleZone('timezone has no effect on every, which uses UTC', context);
  }
  const calendar = checkCalendar(when, context);
  if (first !== undefined && first !== 'every') checkUnusedWithin(first, context);
  if (cron !== undefined) {
    const location = document.keyLocation(['when'], 'cron');
    if (timezone === undefined && namesHour(cron)) report.warning(location, 'cron-in-utc', 'this time is in UTC', ZONE_HINT);
    return checkCron({ cron, timezone: name ?? 'UTC', ...calendar }, context);
  }
  if (at !== undefined) return checkAt(at, name, context);
  return every === undefined ? undefined : checkEvery(every, when, context);
}

/** The greatest age of a missed slot that still runs. */
export function maxAgeOf({ maxAge }: WhenDraft, schedule: Schedule | undefined): number {
  const maxAgeMs = maxAge === undefined ? undefined : parseDuration(maxAge);
  return maxAgeMs ?? Math.max(HOUR_MS, schedule && 'everyMs' in schedule ? 2 * schedule.everyMs : 0);
}

/** The remedy for times that are in UTC, although people mean the clock on the wall. */
export const ZONE_HINT = 'add timezone: Europe/Paris, with your time zone, or timezone: UTC';

/** Whether `cron` runs at named hours, so that it depends on the time zone. */
export function namesHour(cron: string): boolean {
  const hour = cron.trim().split(/\s+/u).at(-4);
  return cronIssues(cron).length === 0 && hour !== undefined && !hour.startsWith('*');
}

/** Checks the name of a time zone. UTC replaces an unknown one. */
export function checkZone(timezone: string, path: Path, { document, report }: CheckContext): string {
  if (hasZone(timezone)) {
    const misread = misreadZone(timezone);
    if (misread) report.warning(document.locationOf(path), 'misread-zone', misread.message, misread.hint);
    return timezone;
  }
  const meant = zoneOfPlace(timezone);
  const hint = meant === undefined ? 'for example Europe/Paris' : `did you mean ${meant}?`;
  report.error(document.locationOf(path), 'unknown-time-zone', `unknown time zone ${timezone}`, hint);
  return 'UTC';
}

/** Cities with the clocks that people mean by abbreviations without summer time. */
const WITHOUT_SUMMER: ReadonlyMap<string, string> = new Map([
  ['EST', 'America/New_York'],
  ['MST', 'America/Denver'],
]);

/** A time zone whose name means another time to most people; undefined: it is another zone. */
function misreadZone(timezone: string): { readonly message: string; readonly hint: string } | undefined {
  const name = timezone.trim().toUpperCase();
  const city = WITHOUT_SUMMER.get(name);
  if (city !== undefined) return { message: `the clocks of ${name} do not change in summer`, hint: `write ${city} for clocks that change` };
  const [, sign, hours = ''] = /^ETC\/GMT([+-])0?([1-9]\d?)$/u.exec(name) ?? [];
  if (sign === undefined) return undefined;
  const time = `${hours.padStart(2, '0')}:00`;
  const [behind, hint] = sign === '+' ? ['behind', `write "+${time}"`] : ['ahead of', `write "-${time}"`];
  const side = sign === '+' ? `ahead of UTC, or "-${time}"` : `behind UTC, or "+${time}"`;
  return { message: `${timezone} is ${time} ${behind} UTC: the sign is reversed`, hint: `${hint} for a clock ${side} for this zone` };
}

function checkEvery(every: string, when: WhenDraft, context: CheckContext): Schedule {
  const { document, report } = context;
  const everyMs = parseDuration(every) ?? 0;
  const location = document.locationOf(['when', 'every']);
  if (everyMs < LEAST_MS) report.error(location, 'too-often', 'the shortest interval is 5 seconds', 'write 5s or more');
  if (everyMs >= DAY_MS) {
    const { falls, hint } = describeGrid(everyMs);
    report.warning(location, 'daily-grid', `every: ${every} counts from 1 January 1970, 00:00 UTC${falls}`, hint);
  }
  // A shorter `within` is the interval, because notifications can stop at any time.
  return { everyMs: Math.min(everyMs, checkWithin(when, everyMs, context) ?? Infinity) };
}

/** Describes a grid of days, and the cron expression that its author probably wants. */
function describeGrid(everyMs: number): { readonly falls: string; readonly hint: string } {
  const falls = everyMs % WEEK_MS === 0 ? ', so it runs on Thursdays' : everyMs % DAY_MS === 0 ? ', so it runs at midnight UTC' : '';
  if (everyMs === DAY_MS) return { falls, hint: `write ${DAILY}` };
  if (everyMs === WEEK_MS) return { falls, hint: `write ${WEEKLY}` };
  if (everyMs % WEEK_MS === 0) {
    const hint = `write ${WEEKLY}, and weeks: { every: ${everyMs / WEEK_MS}, from: 2026-01-04 }`;
    return { falls, hint };
  }
  return { falls, hint: 'for a time of day, write cron: "0 18 * * *" (every day at 18:00)' };
}

function checkCron({ cron, timezone, ...calendar }: CronSchedule, context: CheckContext): Schedule {
  const { document, report, nowMs } = context;
  const location = document.locationOf(['when', 'cron']);
  const issues = cronIssues(cron);
  if (issues.length > 0) {
    const meant = meantSchedule(cron);
    for (const { message, hint } of issues) report.error(location, 'cron', message, meant === undefined ? hint : `write ${meant}`);
    return { cron, timezone };
  }
  if (hasBothDays(cron)) {
    const message = 'the rule runs if the day of the month or the day of the week matches';
    report.warning(location, 'cron-both-days', message, 'write * for one of them');
  }
  const daily = meantDaily(cron);
  if (daily !== undefined) {
    const [, minute] = cron.trim().split(/\s+/u);
    const message = `the first of six fields is the second, so the rule runs each hour, at minute ${minute}`;
    report.warning(location, 'cron-with-seconds', message, `write cron: "${daily}" for a time of day`);
  }
  const anomalies = clockAnomaliesOf(cron, { timezone, fromMs: nowMs ?? DEFAULT_NOW_MS }).map(({ kind, wall }) =>
    kind === 'skipped' ? `skip ${wall} (the rule runs right after)` : `show ${wall} twice (the rule runs the first time)`,
  );
  if (anomalies.length > 0) {
    const message = `the clocks of ${timezone} ${formatList(anomalies, 'and')}`;
    report.warning(location, 'clock-change', message, 'choose an hour at which no clocks change');
  }
  const schedule = { cron: cron.trim().replace(/\s+/gu, ' '), timezone, ...calendar };
  checkMovedRuns(schedule, context);
  return schedule;
}

/** The five fields that the author of `0 18 * * * *` probably means; undefined: the six fields are meant. */
function meantDaily(cron: string): string | undefined {
  const fields = cron.trim().split(/\s+/u);
  const [second = '', hour = '', ...rest] = fields;
  if (fields.length !== 6 || !/^\d+$/u.test(second) || !/^(?:[01]?\d|2[0-3])$/u.test(hour)) return undefined;
  return rest.slice(0, 3).every((field) => field === '*') ? fields.toSpliced(2, 1).join(' ') : undefined;
}

function checkAt(at: string, timezone: string | undefined, context: CheckContext): Schedule | undefined {
  const { document, report, nowMs } = context;
  const location = document.locationOf(['when', 'at']);
  const instant = parseInstant(at);
  if (!instant) {
    const meant = meantSchedule(at) ?? '2030-12-24T18:00:00+01:00, or 2030-12-24 18:00 with timezone';
    report.error(location, 'no-instant', 'not a valid date and time', `write ${meant}`);
    return undefined;
  }
  if ('wallMs' in instant && timezone === undefined) {
    const hint = 'add timezone: Europe/Paris, or write the offset: +01:00';
    report.error(location, 'no-time-zone', 'a local time needs timezone', hint);
    return undefined;
  }
  const atMs = 'atMs' in instant ? instant.atMs : toInstant(instant.wallMs, timezone ?? 'UTC', context);
  if ('atMs' in instant && timezone !== undefined && !isSet(context, ['quiet'])) {
    reportIdleZone('timezone has no effect, because at has an offset', context);
  }
  if (nowMs !== undefined && atMs <= nowMs)
    report.warning(location, 'past-instant', 'this time is in the past: the rule never runs', 'write a time in the future');
  return 'atMs' in instant ? { atMs } : { atMs, timezone };
}

function reportIdleZone(message: string, { document, report }: CheckContext): void {
  report.warning(document.keyLocation(['when'], 'timezone'), 'unused-time-zone', message, 'remove timezone');
}

function toInstant(wallMs: number, timezone: string, { document, report }: CheckContext): number {
  const anomaly = clockAnomalyAt(wallMs, timezone);
  if (anomaly) {
    const { kind, wall } = anomaly;
    const effect = kind === 'skipped' ? `skip ${wall}: the rule runs right after` : `show ${wall} twice: the rule runs the first time`;
    const message = `the clocks of ${timezone} ${effect}`;
    report.warning(document.locationOf(['when', 'at']), 'clock-change', message, 'write the offset, as 2030-12-24T18:00+01:00');
  }
  return zone(timezone).firstInstantOf(wallMs);
}
