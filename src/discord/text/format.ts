import type { Reader } from '#src/discord/caller.ts';
import { localeOfTexts } from '#src/discord/language/languages.ts';

type Locale = Pick<Reader, 'locale'>;

/** Caches a formatter per locale: making a formatter takes longer than using it a hundred times. */
export function cachedByLocale<T>(make: (locale: string) => T): (locale: string) => T {
  const made = new Map<string, T>();
  return (locale) => {
    const known = made.get(locale) ?? make(locale);
    made.set(locale, known);
    return known;
  };
}

const decimal = cachedByLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }));
const compact = cachedByLocale((locale) => new Intl.NumberFormat(locale, { notation: 'compact', useGrouping: 'always' }));
const percent = cachedByLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent' }));

/** A number in the format of the reader. */
export function numeral(count: number, { locale }: Locale): string {
  return decimal(locale).format(count);
}

/** A number in the format of the reader, rounded if it is large: `12K`. */
export function figure(count: number, { locale }: Locale): string {
  return compact(localeOfTexts(locale)).format(count);
}

/** A part of a whole in percent. */
export function share(part: number, whole: number, { locale }: Locale): string {
  return percent(locale).format(whole === 0 ? 0 : Math.min(1, part / whole));
}

/** A relative time or a date. Discord shows it in the zone and the language of the reader. */
export function instant(date: Date, style: 'ago' | 'day' = 'ago'): string {
  return timestamp(date, style === 'ago' ? 'R' : 'D');
}

/** A date with the time, which Discord shows in the zone and the language of the reader. */
export function dateTime(date: Date): string {
  return timestamp(date, 'f');
}

/** A date with the time, and how far away it is. */
export function dateTimeWithDistance(date: Date, style: 'long' | 'short' = 'long'): string {
  return `${timestamp(date, style === 'long' ? 'F' : 'f')} (${timestamp(date, 'R')})`;
}

/** A time of day to the second. */
export function timeToSecond(date: Date): string {
  return timestamp(date, 'T');
}

function timestamp(date: Date, style: 'R' | 'D' | 'F' | 'f' | 'T'): string {
  return `<t:${Math.floor(date.getTime() / 1000)}:${style}>`;
}

/** A duration as video players show it: `0:30` or `3:12:05`. */
export function playingTime(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

const SECOND_MS = 1_000;
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', SECOND_MS],
] as const;
const MAX_UNITS = 2;

/** A duration in its two largest units, for example `3 min, 20 sec`; below ten seconds with tenths, below one second in milliseconds. */
export function timeSpan(ms: number, reader: Locale): string {
  const locale = localeOfTexts(reader.locale);
  const wholeMs = Math.max(0, ms);
  const short = (count: number, unit: string, maximumFractionDigits = 0): string =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits }).format(count);
  if (wholeMs < SECOND_MS) return short(wholeMs, 'millisecond');
  if (wholeMs < 10 * SECOND_MS) return short(wholeMs / SECOND_MS, 'second', 1);
  let restMs = Math.round(wholeMs / SECOND_MS) * SECOND_MS;
  const parts = UNITS.flatMap(([unit, unitMs]) => {
    const count = Math.floor(restMs / unitMs);
    restMs -= count * unitMs;
    return count > 0 ? [short(count, unit)] : [];
  });
  // Node 22 has no Intl.DurationFormat.
  return new Intl.ListFormat(locale, { type: 'unit', style: 'short' }).format(parts.slice(0, MAX_UNITS));
}

/** The relative time at which a wait ends, in milliseconds since 1970. It is rounded up, so that nobody tries too early. */
export function waitEnd(atMs: number): string {
  return `<t:${Math.ceil(atMs / 1000)}:R>`;
}
