import type { z } from 'zod';
import { DURATION, exactDuration, parseDuration } from '#src/clients/operation/duration.ts';
import { cronIssues } from '#src/rules/grammar/cron.ts';
import { quoted } from '#src/rules/document/misread-value.ts';
import { parseInstant } from '#src/rules/grammar/instant.ts';
import { pluralOf, weekdayOf } from '#src/rules/grammar/weekdays.ts';

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
    stündlich: 'every: 1h',
    täglich: DAILY,
    wöchentlich: WEEKLY,
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
  return meantRun(trimmed) ?? WORDS.get(trimmed.toLowerCase()) ?? (cronIssues(trimmed).length === 0 ? `cron: "${trimmed}"` : undefined);
}

/** The words around a weekday and a time. */
const FILLERS: ReadonlySet<string> = new Set(['am', 'at', 'each', 'every', 'jede', 'jeden', 'on', 'uhr', 'um']);

/** The schedule for a weekday, a time of day or a German date, for example for `Friday 8pm`, `19 Uhr` and `24.12.2026 18:00`. */
function meantRun(text: string): string | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const [, day, month, year, time = ''] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})\b[,\s]*(.*)$/u.exec(text) ?? [];
  const isClock = /\d\s*(?::|[ap]\.?m\b|uhr\b)/iu.test(text);
  const words = (year === undefined ? text : time).split(/[,\s]+/u).filter((word) => word !== '' && !FILLERS.has(word.toLowerCase()));
  const weekday = year === undefined ? weekdayOf(words[0] ?? '') : undefined;
  if (year === undefined && weekday === undefined && !isClock) return undefined;
  const clock = (weekday === undefined ? words : words.slice(1)).join(' ');
  const wall = clock === '' ? '18:00' : timeOfDay(clock);
  if (wall === undefined || clock.startsWith('24')) return undefined;
  if (day !== undefined && month !== undefined) {
    const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')} ${wall}`;
    return parseInstant(written) ? `at: ${written}` : undefined;
  }
  const [hour, minute] = wall.split(':').map(Number);
  const days = weekday === undefined ? 'every day' : pluralOf(weekday);
  return `cron: "${minute} ${hour} * * ${weekday ?? '*'}" for ${days} at ${wall}`;
}

const MOST_CHARACTERS = 100;

/** A text near the value that has the expected form, for example `moved-rule` for `Moved Rule`, and `"#9146ff"` for `0x9146ff` and `9146ff`. */
export function suggestForm(issue: z.core.$ZodIssue, value: string): string | undefined {
  if (issue.code !== 'invalid_format' || issue.pattern === undefined || value.length > MOST_CHARACTERS) return undefined;
  const [, source = '', flags] = /^\/(.*)\/([a-z]*)$/su.exec(issue.pattern) ?? [];
  if (source === DURATION.source && /^\d{1,6}$/u.test(value)) return `${value}s, ${value}m or ${value}h`;
  const form = new RegExp(source, flags);
  const time = timeOfDay(value.trim());
  if (time !== undefined && form.test(time)) return `"${time}"`;
  const color = meantColor(value.trim().toLowerCase());
  if (color !== undefined && form.test(color)) return quoted(color);
  return candidates(value.trim()).find((one) => form.test(one));
}

/** The color with its six digits, for example `#9146ff` for `9146ff` and `0x9146ff`, and `#ff00ff` for `#f0f`; undefined: the text is no color. */
function meantColor(text: string): string | undefined {
  const [, digits] = /^(?:#|0x)?([\da-f]{3}|[\da-f]{6})$/u.exec(text) ?? [];
  return digits && `#${digits.length === 3 ? digits.replaceAll(/./gu, '$&$&') : digits}`;
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
  const dashed = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-|-$/gu, '');
  return [shortDuration(text.toLowerCase()), dashed, text.replace(/\W+/gu, '_')].filter((one) => one !== '');
}

/** The units of durations by the words that people write. Other words, for example months, have no unit. */
const UNITS: readonly (readonly [unit: string, word: RegExp])[] = [
  ['s', /^(?:s|secs?|seconds?|sek|sekunden?)$/u],
  ['m', /^(?:m|mins?|minutes?|minuten)$/u],
  ['h', /^(?:h|hrs?|hours?|std|stunden?)$/u],
  ['d', /^(?:d|days?|tage?)$/u],
  ['w', /^(?:w|weeks?|wochen?)$/u],
];

/** `1h30m` for `1.5 hours`, `1,5h` and `1h 30min`; empty: the text is no duration. */
function shortDuration(text: string): string {
  const [, word = ''] = /^(?:(?:an?|eine?) )?([a-z]+)$/u.exec(text) ?? [];
  const written = word === '' ? text.replace(/(?<=\dh\s?)[0-5]\d$/u, '$&m') : `1 ${word}`;
  if (!/^-?(?:\d+(?:[.,]\d{1,3})?\s*[a-z]+\.?\s*)+$/u.test(written)) return '';
  const parts = Array.from(written.matchAll(/(\d+)(?:[.,](\d+))?\s*([a-z]+)/gu), ([, whole = '', fraction, name = '']) => {
    const unit = UNITS.find(([, words]) => words.test(name))?.[0];
    if (unit === undefined || fraction === undefined) return unit && `${whole}${unit}`;
    const ms = (parseDuration(`1${unit}`) ?? 0) * Number(`${whole}.${fraction}`);
    return ms > 0 && ms % 1_000 === 0 ? exactDuration(ms) : undefined;
  });
  return parts.includes(undefined) ? '' : parts.join('');
}
