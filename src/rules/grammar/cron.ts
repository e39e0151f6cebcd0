import { Cron } from 'croner';

const NAMES = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)$/iu;
const LEAST_GAP_MS = 5_000;
/** Any instant does; this one is a leap year's, so that 29 February is not far. */
const FROM = new Date('2024-01-01T00:00:00Z');

export interface CronProblem {
  readonly message: string;
  readonly hint?: string;
}

/** What is wrong with a cron expression; undefined where it can run. */
export function cronProblem(cron: string): CronProblem | undefined {
  const fields = cron.trim().split(/\s+/u);
  if (cron.trim().startsWith('@'))
    return { message: `${cron} is no cron expression here`, hint: 'write the five fields: 0 0 * * * is every midnight' };
  if (fields.length !== 5 && fields.length !== 6) {
    return { message: 'a cron expression has five fields, or six with seconds', hint: 'minute hour day month weekday, as 0 18 * * 0' };
  }
  const odd = fields.find((field) => /[^\d*,/\-a-z]/iu.test(field) || (field.match(/[a-z]+/giu) ?? []).some((word) => !NAMES.test(word)));
  if (odd !== undefined)
    return {
      message: `${odd} cannot stand in a cron expression`,
      hint: 'numbers, *, lists, ranges, steps, and the names of months and days',
    };
  return runProblem(cron.trim());
}

/** Whether both the day of the month and the day of the week are narrowed down. */
export function hasBothDays(cron: string): boolean {
  const fields = cron.trim().split(/\s+/u);
  const [day, , weekday] = fields.slice(-3);
  return day !== '*' && weekday !== '*';
}

function runProblem(cron: string): CronProblem | undefined {
  try {
    const runs = new Cron(cron, { paused: true, timezone: 'UTC', mode: '5-or-6-parts' }).nextRuns(13, FROM);
    if (runs.length === 0) return { message: 'this never comes', hint: 'is there such a day in that month?' };
    const isFast = runs.some((run, index) => run.getTime() - (runs[index - 1]?.getTime() ?? 0) < LEAST_GAP_MS);
    return isFast ? { message: 'this is more often than every five seconds' } : undefined;
  } catch (error) {
    const said = error instanceof Error ? error.message.replace(/^CronPattern: /u, '') : 'it cannot be read';
    return { message: said.replace(/^./u, (first) => first.toLowerCase()) };
  }
}
