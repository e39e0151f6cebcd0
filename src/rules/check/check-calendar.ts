import { parseDates, parseDay, type Calendar } from '#src/rules/clocks/calendar.ts';
import { cronSlots, isEveryHour, type CronSchedule } from '#src/rules/clocks/cron-slots.ts';
import type { Path } from '#src/rules/document/report.ts';
import type { WhenDraft } from '#src/rules/grammar/rule-file.ts';
import { isSet, type CheckContext } from './check-context.ts';
import { isMeant } from './meant-keys.ts';

/** Used if the current time is unknown. */
const DEFAULT_NOW_MS = Date.UTC(2026, 0, 1);

/** Checks `weeks` and `except`. Days that do not exist are left out. */
export function checkCalendar({ weeks, except }: WhenDraft, context: CheckContext): Calendar {
  const { document, report } = context;
  for (const key of ['weeks', 'except'] as const) {
    if (!isSet(context, ['when', key]) || isMeant(context, ['when', 'cron']) || report.hasUnreadableLines) continue;
    const message = `${key} needs cron`;
    report.error(document.keyLocation(['when'], key), 'calendar-without-cron', message, 'write cron: "0 18 * * *" for every day at 18:00');
  }
  const every = weeks?.every;
  const from = weeks?.from;
  const hasDay = from !== undefined && isDay(from, ['when', 'weeks', 'from'], context);
  const dates = except?.dates;
  return {
    ...(every !== undefined && hasDay && { weeks: { every, from } }),
    ...(dates !== undefined && { except: { dates: checkDates(dates, context), then: except?.then ?? 'skip' } }),
  };
}

function isDay(text: string, path: Path, { document, report }: CheckContext): boolean {
  if (parseDay(text) !== undefined) return true;
  report.error(document.locationOf(path), 'no-day', `${text} is not a day`, 'write it as 2026-01-05');
  return false;
}

function checkDates(dates: string | readonly (string | null)[], { document, report }: CheckContext): readonly string[] {
  const path = ['when', 'except', 'dates'];
  const places = typeof dates === 'string' ? [[dates, path] as const] : dates.map((text, index) => [text, [...path, index]] as const);
  return places.flatMap(([text, at]) => {
    if (text === null) return [];
    if (parseDates(text)) return [text.trim()];
    const hint = `write ${germanDay(text) ?? '2030-12-25, 12-25 for each year, or 2030-12-24/2031-01-06 for a span'}`;
    report.error(document.locationOf(at), 'no-day', `${text} is not a day or a span of days`, hint);
    return [];
  });
}

/** A day as `except` has it, for `24.12.` and `24.12.2030`; undefined: the text is no such day. */
function germanDay(text: string): string | undefined {
  const [, day = '', month = '', year] = /^(\d{1,2})\.\s?(\d{1,2})\.?\s?(\d{4})?$/u.exec(text.trim()) ?? [];
  const written = [year ?? [], month.padStart(2, '0'), day.padStart(2, '0')].flat().join('-');
  return day !== '' && parseDates(written) ? written : undefined;
}

/** Checks that the calendar leaves a run, and that moved runs have a time of day. */
export function checkMovedRuns(schedule: CronSchedule, { document, report, nowMs = DEFAULT_NOW_MS }: CheckContext): void {
  if (schedule.except?.then === 'next' && isEveryHour(schedule.cron)) {
    const message = 'then: next needs a cron expression that names its hours, because a rule that runs each hour also runs on the next day';
    report.error(document.locationOf(['when', 'except', 'then']), 'next-without-hours', message, 'write then: skip');
  }
  if ((schedule.weeks ?? schedule.except) && cronSlots(schedule).next(nowMs) === undefined) {
    const message = 'the rule never runs: weeks and except leave out all its days';
    report.error(document.locationOf(['when', 'cron']), 'never-runs', message, 'change cron, weeks or except');
  }
}
