import { durationText } from '#src/rules/wording/duration-text.ts';
import type { Schedule } from '#src/rules/rule.ts';

/** A schedule as its author would say it: `every 10s`, or `at 0 9 * * 1 (Europe/Paris)`. */
export function scheduleText(schedule: Schedule): string {
  if ('atMs' in schedule) return `once, at ${new Date(schedule.atMs).toISOString()}`;
  return 'everyMs' in schedule ? `every ${durationText(schedule.everyMs)}` : `at ${schedule.cron} (${schedule.timezone})`;
}
