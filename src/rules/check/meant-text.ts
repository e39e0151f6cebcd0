import type { z } from 'zod';
import { DURATION, parseDuration } from '#src/clients/operation/duration.ts';
import { cronIssues } from '#src/rules/grammar/cron.ts';
import { parseInstant } from '#src/rules/grammar/instant.ts';

/** Examples of schedules, as hints name them. */
export const DAILY = 'cron: "0 18 * * *" for every day at 18:00';
export const WEEKLY = 'cron: "0 18 * * 0" for Sundays at 18:00';

/** Schedules that a word or a macro of cron names. */
const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    minutely: 'every: 1m',
    hourly: 'every: 1h',
    daily: DAILY,
    weekly: WEEKLY,
    monthly: 'cron: "0 18 1 * *" for the first of each month at 18:00',
    '@hourly': 'every: 1h',
    '@daily': 'cron: "0 0 * * *"',
    '@midnight': 'cron: "0 0 * * *"',
    '@weekly': 'cron: "0 0 * * 0"',
    '@monthly': 'cron: "0 0 1 * *"',
    '@yearly': 'cron: "0 0 1 1 *"',
    '@annually': 'cron: "0 0 1 1 *"',
  }),
);

/** The key of `when` that a schedule under another key belongs to, with its value; undefined if the text is none. */
export function meantSchedule(text: string): string | undefined {
  const trimmed = text.trim();
  if (parseDuration(trimmed) !== undefined) return `every: ${trimmed}`;
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/u.exec(trimmed) ?? [];
  if (hour !== undefined) return `cron: "${Number(minute)} ${Number(hour)} * * *" for every day at ${trimmed}`;
  if (parseInstant(trimmed)) return `at: ${trimmed}`;
  return WORDS.get(trimmed.toLowerCase()) ?? (cronIssues(trimmed).length === 0 ? `cron: "${trimmed}"` : undefined);
}

const MOST_CHARACTERS = 100;

/** A text near the value that has the expected form, for example `moved-rule` for `Moved Rule`. */
export function suggestForm(issue: z.core.$ZodIssue, value: string): string | undefined {
  if (issue.code !== 'invalid_format' || issue.pattern === undefined || value.length > MOST_CHARACTERS) return undefined;
  const [, source = '', flags] = /^\/(.*)\/([a-z]*)$/su.exec(issue.pattern) ?? [];
  if (source === DURATION.source && /^\d{1,6}$/u.test(value)) return `${value}s, ${value}m or ${value}h`;
  const form = new RegExp(source, flags);
  const time = timeOfDay(value.trim());
  if (time !== undefined && form.test(time)) return `"${time}"`;
  return candidates(value.trim()).find((one) => form.test(one));
}

/** The time of day that a text means, for example `23:00` for `11:00pm` and `23`; undefined: none. */
function timeOfDay(text: string): string | undefined {
  const [, hours, minutes = '00', half] = /^(\d{1,2})(?:[:.]?([0-5]\d))?\s*([ap])?\.?m?\.?$/iu.exec(text) ?? [];
  if (hours === undefined || (half !== undefined && (Number(hours) > 12 || Number(hours) === 0))) return undefined;
  const hour = half === undefined ? Number(hours) % 24 : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return Number(hours) > 24 ? undefined : `${String(hour).padStart(2, '0')}:${minutes}`;
}

/** A duration in its short form, the id of a rule, and the id of a step. */
function candidates(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const duration = lower.replace(/(\d)\s*([smhdw])[a-z]*\s*/gu, '$1$2').replace(/^(?:an? )?([smhdw])(?:econd|inute|our|ay|eek)$/u, '1$1');
  const dashed = lower.replace(/[^a-z0-9]+/gu, '-').replace(/^-|-$/gu, '');
  return [duration, dashed, text.replace(/\W+/gu, '_')].filter((one) => one !== '');
}
