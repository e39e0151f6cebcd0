import { eachLocale } from '../language/each-locale.ts';
import type { Reader } from './card.ts';

const short = eachLocale((locale) => new Intl.NumberFormat(locale, { notation: 'compact' }));
const percent = eachLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent' }));

/** A number as it is written where somebody lives, short where it is large. */
export function figure(count: number, { locale }: Pick<Reader, 'locale'>): string {
  return short(locale).format(count);
}

/** A part of a whole, in percent. */
export function share(part: number, whole: number, { locale }: Pick<Reader, 'locale'>): string {
  return percent(locale).format(whole === 0 ? 0 : Math.min(1, part / whole));
}

/** An instant, which Discord shows in the zone and the language of whoever looks: how long ago, or the day. */
export function instant(date: Date, style: 'ago' | 'day' = 'ago'): string {
  return `<t:${Math.floor(date.getTime() / 1000)}:${style === 'ago' ? 'R' : 'D'}>`;
}

/** A length as players show it: `0:30` or `3:12:05`. */
export function playingTime(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
