import type { StepPlace } from '#src/app/step-name.ts';
import type { Reader } from '../cards/card.ts';
import type { Words } from '../language/words.ts';
import { escaped } from '../text/foreign-text.ts';

const SECOND_MS = 1_000;
const UNITS = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
  ['seconds', SECOND_MS],
] as const;
/** More than two units nobody reads. */
const MOST_UNITS = 2;

/** A number as it is written where somebody lives. */
export function numeral(count: number, { locale }: Pick<Reader, 'locale'>): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(count);
}

/** A length of time in somebody's language, as `3 min, 20 sec`; below ten seconds to the tenth, below one in milliseconds. */
export function timeSpan(ms: number, { locale }: Pick<Reader, 'locale'>): string {
  const wholeMs = Math.max(0, ms);
  if (wholeMs < SECOND_MS) return shortUnit(wholeMs, { unit: 'millisecond', digits: 0, locale });
  if (wholeMs < 10 * SECOND_MS) return shortUnit(wholeMs / SECOND_MS, { unit: 'second', digits: 1, locale });
  let restMs = Math.round(wholeMs / SECOND_MS) * SECOND_MS;
  const parts = UNITS.flatMap(([unit, unitMs]) => {
    const count = Math.floor(restMs / unitMs);
    restMs -= count * unitMs;
    return count > 0 ? [[unit, count] as const] : [];
  });
  return new Intl.DurationFormat(locale, { style: 'short' }).format(Object.fromEntries(parts.slice(0, MOST_UNITS)));
}

function shortUnit(
  count: number,
  { unit, digits, locale }: { readonly unit: 'millisecond' | 'second'; readonly digits: number } & Pick<Reader, 'locale'>,
): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits }).format(count);
}

/** What a step is called: its id, else its place. */
export function stepText({ id, section, number }: StepPlace, { controls }: Pick<Words, 'controls'>): string {
  return id === undefined ? controls.stepPlace(section, number) : escaped(id, 60);
}

/** An instant with its date, which Discord shows in the zone and the language of whoever looks. */
export function moment(date: Date): string {
  return `<t:${Math.floor(date.getTime() / SECOND_MS)}:f>`;
}

/** A minute after midnight, as `07:30`. */
export function clockTime(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

/** As many whole lines as there is room for; where that is not all, how many are left. */
export function fitted(lines: readonly string[], most: number, { words, locale }: Reader): string {
  const whole = lines.join('\n');
  if (whole.length <= most) return whole;
  const moreText = (left: number): string => words.controls.more(numeral(left, { locale }));
  const room = most - moreText(lines.length).length - 1;
  let length = 0;
  const shown = lines.findIndex((line) => (length += line.length + 1) > room);
  return [...lines.slice(0, shown), moreText(lines.length - shown)].join('\n');
}
