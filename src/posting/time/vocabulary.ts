/** What people write for days and lengths of time, in English and German, in small letters. */

/** How many days from today. */
export const DAYS: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['heute', 0],
  ['tomorrow', 1],
  ['tmrw', 1],
  ['morgen', 1],
  ['day after tomorrow', 2],
  ['the day after tomorrow', 2],
  ['übermorgen', 2],
  ['uebermorgen', 2],
]);

/** From Sunday, 0. */
const WEEKDAY_WORDS = [
  ['sunday', 'sun', 'sonntag', 'so'],
  ['monday', 'mon', 'montag', 'mo'],
  ['tuesday', 'tue', 'tues', 'dienstag', 'di'],
  ['wednesday', 'wed', 'mittwoch', 'mi'],
  ['thursday', 'thu', 'thur', 'thurs', 'donnerstag', 'do'],
  ['friday', 'fri', 'freitag', 'fr'],
  ['saturday', 'sat', 'samstag', 'sonnabend', 'sa'],
];
export const WEEKDAYS: ReadonlyMap<string, number> = toNumbers(WEEKDAY_WORDS);

/** From January, 0. */
const MONTH_WORDS = [
  ['january', 'jan', 'januar', 'jänner'],
  ['february', 'feb', 'februar'],
  ['march', 'mar', 'märz', 'mär', 'mrz'],
  ['april', 'apr'],
  ['may', 'mai'],
  ['june', 'jun', 'juni'],
  ['july', 'jul', 'juli'],
  ['august', 'aug'],
  ['september', 'sep', 'sept'],
  ['october', 'oct', 'oktober', 'okt'],
  ['november', 'nov'],
  ['december', 'dec', 'dezember', 'dez'],
];
export const MONTHS: ReadonlyMap<string, number> = toNumbers(MONTH_WORDS);

/** Lengths that the clock measures, in milliseconds. */
export const CLOCK_UNITS: ReadonlyMap<string, number> = new Map([
  ...['m', 'min', 'mins', 'minute', 'minutes', 'minuten'].map((word) => [word, 60_000] as const),
  ...['h', 'hr', 'hrs', 'hour', 'hours', 'std', 'stunde', 'stunden'].map((word) => [word, 3_600_000] as const),
]);

/** Lengths that the calendar measures, in days. */
export const CALENDAR_UNITS: ReadonlyMap<string, number> = new Map([
  ...['d', 'day', 'days', 'tag', 'tage', 'tagen'].map((word) => [word, 1] as const),
  ...['w', 'week', 'weeks', 'woche', 'wochen'].map((word) => [word, 7] as const),
]);

/** What part of the day a time of up to twelve hours is in. */
export const HALVES: ReadonlyMap<string, 'first' | 'second'> = new Map([
  ...['morning', 'früh', 'morgen', 'vormittag'].map((word) => [word, 'first'] as const),
  ...['afternoon', 'evening', 'nachmittag', 'abend'].map((word) => [word, 'second'] as const),
]);

function toNumbers(words: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  return new Map(words.flatMap((same, number) => same.map((word) => [word, number] as const)));
}
