import { Cron } from 'croner';

const NAMES: Readonly<Record<string, readonly string[]>> = {
  month: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  weekday: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
};
/** The fields of an expression with seconds, and the least and greatest number of each. */
const FIELDS = [
  ['second', 0, 59],
  ['minute', 0, 59],
  ['hour', 0, 23],
  ['day', 1, 31],
  ['month', 1, 12],
  ['weekday', 0, 7],
] as const;

const LEAST_GAP_MS = 5_000;
/** Any instant does; this one is a leap year's, so that 29 February is not far. */
const FROM = new Date('2024-01-01T00:00:00Z');

export interface CronProblem {
  readonly message: string;
  readonly hint?: string;
}

/** All that is wrong with a cron expression; nothing where it can run. */
export function cronProblems(cron: string): readonly CronProblem[] {
  const written = cron.trim().split(/\s+/u);
  if (cron.trim().startsWith('@')) {
    return [{ message: `${cron} is no cron expression here`, hint: 'write the five fields: 0 0 * * * is every midnight' }];
  }
  if (written.length !== 5 && written.length !== 6) {
    return [{ message: 'a cron expression has five fields, or six with seconds', hint: 'minute hour day month weekday, as 0 18 * * 0' }];
  }
  const problems = FIELDS.slice(-written.length).flatMap((field, index) => fieldProblem(written[index] ?? '', field) ?? []);
  return problems.length > 0 ? problems : (runProblem(written.join(' ')) ?? []);
}

/** Whether both the day of the month and the day of the week are narrowed down. */
export function hasBothDays(cron: string): boolean {
  const fields = cron.trim().split(/\s+/u);
  const [day, , weekday] = fields.slice(-3);
  return day !== '*' && weekday !== '*';
}

function fieldProblem(written: string, [name, least, most]: (typeof FIELDS)[number]): CronProblem | undefined {
  const names = NAMES[name] ?? [];
  for (const part of written.split(',')) {
    const [, range = '', step] = /^([^/]*)(?:\/(.*))?$/u.exec(part) ?? [];
    const ends = range === '*' ? [] : range.split('-');
    const numbers = ends.map((end) => (names.includes(end.toLowerCase()) ? names.indexOf(end.toLowerCase()) + least : numberOf(end)));
    const stepNumber = step === undefined ? 1 : numberOf(step);
    if (ends.length > 2 || stepNumber === undefined || numbers.includes(undefined)) {
      return {
        message: `${written} cannot stand for the ${name} in a cron expression`,
        hint: 'numbers, *, lists, ranges, steps, and the names of months and days',
      };
    }
    const [from = least, to = from] = numbers;
    if (from < least || to > most || stepNumber < 1 || stepNumber > most) {
      return { message: `${written} is no ${name}: it goes from ${least} to ${most}` };
    }
    if (from > to) return { message: `${written} runs backwards`, hint: 'write two ranges between a comma; Sunday may be 7' };
  }
  return undefined;
}

function numberOf(text: string): number | undefined {
  return /^\d{1,4}$/u.test(text) ? Number(text) : undefined;
}

function runProblem(cron: string): readonly CronProblem[] | undefined {
  try {
    // Without seconds it runs once a minute at most.
    const looked = cron.split(' ').length === 6 ? 13 : 1;
    const runs = new Cron(cron, { paused: true, timezone: 'UTC', mode: '5-or-6-parts' }).nextRuns(looked, FROM);
    if (runs.length === 0) return [{ message: 'this never comes', hint: 'is there such a day in that month?' }];
    const isFast = runs.some((run, index) => run.getTime() - (runs[index - 1]?.getTime() ?? 0) < LEAST_GAP_MS);
    return isFast ? [{ message: 'this is more often than every five seconds' }] : undefined;
  } catch (error) {
    const said = error instanceof Error ? error.message.replace(/^CronPattern: /u, '') : 'it cannot be read';
    return [{ message: said.replace(/^./u, (first) => first.toLowerCase()) }];
  }
}
