import { formatDuration } from './format.ts';
import type { Calendar } from '#src/rules/clocks/calendar.ts';
import type { Rule, Schedule } from '#src/rules/rule.ts';

/** A schedule as text: `every 10s`, or `at 0 9 * * 1 (Europe/Paris)`. */
export function scheduleText(schedule: Schedule): string {
  if ('atMs' in schedule) return `once, at ${onceText(schedule.atMs, schedule.timezone)}`;
  if ('command' in schedule) return `when a member uses /${schedule.command}`;
  if ('webhook' in schedule) return `when the webhook ${schedule.webhook} is received`;
  return 'everyMs' in schedule
    ? `every ${formatDuration(schedule.everyMs)}`
    : `at ${schedule.cron} (${schedule.timezone})${calendarText(schedule)}`;
}

const MOST_DATES = 3;

function calendarText({ weeks, except }: Calendar): string {
  const more = (except?.dates.length ?? 0) - MOST_DATES;
  return [
    weeks && `, every ${weeks.every} weeks from ${weeks.from}`,
    except && `, except ${except.dates.slice(0, MOST_DATES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
    except?.then === 'next' && ' (then on the next day)',
  ]
    .filter((part) => part !== undefined && part !== false)
    .join('');
}

/** The time zone of a rule: of its schedule, else of its quiet hours, else UTC. */
export function timezoneOf({ schedule, quiet }: Rule): string {
  const scheduled = 'timezone' in schedule ? schedule.timezone : undefined;
  return scheduled ?? quiet?.timezone ?? 'UTC';
}

function onceText(atMs: number, timezone: string | undefined): string {
  if (timezone === undefined) return new Date(atMs).toISOString();
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: timezone });
  return `${format.format(atMs)} (${timezone})`;
}
