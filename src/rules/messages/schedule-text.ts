import { formatDuration } from './format.ts';
import type { Rule, Schedule } from '../rule.ts';

/** A schedule as text: `every 10s`, or `at 0 9 * * 1 (Europe/Paris)`. */
export function scheduleText(schedule: Schedule): string {
  if ('atMs' in schedule) return `once, at ${onceText(schedule.atMs, schedule.timezone)}`;
  return 'everyMs' in schedule ? `every ${formatDuration(schedule.everyMs)}` : `at ${schedule.cron} (${schedule.timezone})`;
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
