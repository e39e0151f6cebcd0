import { Cron } from 'croner';
import { WEEKDAYS, weekdayOf } from './weekdays.ts';

const NAMES: Readonly<Record<string, readonly string[]>> = {
  month: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  weekday: WEEKDAYS,
};
/** The fields of a cron expression with seconds, and their limits. */
const FIELDS = [
  ['second', 0, 59],
  ['minute', 0, 59],
  ['hour', 0, 23],
  ['day', 1, 31],
  ['month', 1, 12],
  ['weekday', 0, 7],
] as const;

const LEAST_GAP_MS = 5_000;
/** A leap year, so that 29 February is near. */
const FROM = new Date('2024-01-01T00:00:00Z');

export interface CronIssue {
  readonly message: string;
  readonly hint?: string;
}

/** The issues of a cron expression; empty if it can run. */
export function cronIssues(cron: string): readonly CronIssue[] {
  const written = cron.trim().split(/\s+/u);
  if (cron.trim().startsWith('@')) {
    return [{ message: `${cron} is not supported`, hint: 'write the five fields: 0 0 * * * is every midnight' }];
  }
  if (written.length !== 5 && written.length !== 6) {
    return [{ message: 'a cron expression has five fields, or six with seconds', hint: 'minute hour day month weekday, as 0 18 * * 0' }];
  }
  const issues = FIELDS.slice(-written.length).flatMap((field, index) => fieldIssue(written[index] ?? '', field) ?? []);
  return issues.length > 0 ? issues : (runIssue(written.join(' ')) ?? []);
}

/** Whether both day fields are restricted: then either of them is enough. */
export function hasBothDays(cron: string): boolean {
  const fields = cron.trim().split(/\s+/u);
  const [day, , weekday] = fields.slice(-3);
  return day !== '*' && weekday !== '*';
}

function fieldIssue(written: string, [name, least, most]: (typeof FIELDS)[number]): CronIssue | undefined {
  const names = NAMES[name] ?? [];
  for (const part of written.split(',')) {
    const [, range = '', step] = /^([^/]*)(?:\/(.*))?$/u.exec(part) ?? [];
    const ends = range === '*' ? [] : range.split('-');
    const numbers = ends.map((end) => (names.includes(end.toLowerCase()) ? names.indexOf(end.toLowerCase()) + least : numberOf(end)));
    const stepNumber = step === undefined ? 1 : numberOf(step);
    if (ends.length > 2 || stepNumber === undefined || numbers.includes(undefined)) {
      return {
        message: `${written} is not a valid ${name} in a cron expression`,
        hint:
          meantWeekdays(written, name) ??
          (names.length > 0 ? `write numbers, or ${names.join(', ')}` : 'numbers, *, lists, ranges and steps'),
      };
    }
    const [from = least, to = from] = numbers;
    if (from < least || to > most || stepNumber < 1 || stepNumber > most) {
      return { message: `${written} is not a valid ${name}: use ${least} to ${most}` };
    }
    if (from > to)
      return { message: `the range ${written} ends before it starts`, hint: 'write two ranges with a comma between them; Sunday can be 7' };
  }
  return undefined;
}

/** The hint for weekdays that are written in another way, for example `friday` and `FR`. */
function meantWeekdays(written: string, field: string): string | undefined {
  if (field !== 'weekday') return undefined;
  const days = written.split(/(?<=[,-])|(?=[,-])/u).map((part) => (/^[,-]$/u.test(part) ? part : WEEKDAYS[weekdayOf(part) ?? -1]));
  return days.includes(undefined) ? undefined : `write ${days.join('')}`;
}

function numberOf(text: string): number | undefined {
  return /^\d{1,4}$/u.test(text) ? Number(text) : undefined;
}

function runIssue(cron: string): readonly CronIssue[] | undefined {
  try {
    // Without seconds, it runs at most once a minute.
    const runCount = cron.split(' ').length === 6 ? 13 : 1;
    const runs = new Cron(cron, { paused: true, timezone: 'UTC', mode: '5-or-6-parts' }).nextRuns(runCount, FROM);
    if (runs.length === 0) return [{ message: 'this date does not exist', hint: 'change the day or the month' }];
    const isFast = runs.some((run, index) => run.getTime() - (runs[index - 1]?.getTime() ?? 0) < LEAST_GAP_MS);
    return isFast ? [{ message: 'the shortest interval is 5 seconds' }] : undefined;
  } catch (error) {
    const summary = error instanceof Error ? error.message.replace(/^CronPattern: /u, '') : 'not a valid cron expression';
    const ofWeeks = /(?:^|\s)[a-z\d,-]+\/\d+$/iu.test(cron)
      ? { hint: 'for each second week, write weeks: { every: 2, from: 2026-01-02 } beside cron' }
      : {};
    return [{ ...ofWeeks, message: summary.replace(/^./u, (first) => first.toLowerCase()) }];
  }
}
