const DAY_MS = 86_400_000;
/** A date without a year counts as past for this long. After that, it means next year. */
const JUST_OVER_MS = 31 * DAY_MS;

const ISO = /^(?<year>\d{4})-(?<month>\d{1,2})-(?<date>\d{1,2})$/u;
const DOTTED = /^(?<date>\d{1,2})\. ?(?<month>\d{1,2})\.? ?(?<year>\d{4}|\d{2})?$/u;
const SLASHED = /^(?<one>\d{1,2})\/(?<other>\d{1,2})(?:\/(?<year>\d{4}|\d{2}))?$/u;
const DATE_FIRST = /^(?<date>\d{1,2})(?:\.|st|nd|rd|th)?(?: of)? (?<name>\p{L}+)\.?,?(?: (?<year>\d{4}))?$/u;
const MONTH_FIRST = /^(?<name>\p{L}+)\.? (?<date>\d{1,2})(?:st|nd|rd|th)?,?(?: (?<year>\d{4}))?$/u;
const WEEKDAY = /^(?:(?<next>next|nächsten?|nächster) |(?:this|coming|diesen?|kommenden?) )?(?<name>\p{L}+)\.?$/u;

/** The number of days from today. */
const DAYS: ReadonlyMap<string, number> = new Map([
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

/** In order from Sunday, which is 0. */
const WEEKDAY_WORDS = [
  ['sunday', 'sun', 'sonntag', 'so'],
  ['monday', 'mon', 'montag', 'mo'],
  ['tuesday', 'tue', 'tues', 'dienstag', 'di'],
  ['wednesday', 'wed', 'mittwoch', 'mi'],
  ['thursday', 'thu', 'thur', 'thurs', 'donnerstag', 'do'],
  ['friday', 'fri', 'freitag', 'fr'],
  ['saturday', 'sat', 'samstag', 'sonnabend', 'sa'],
];
const WEEKDAYS: ReadonlyMap<string, number> = toNumbers(WEEKDAY_WORDS);

/** In order from January, which is 0. */
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
const MONTHS: ReadonlyMap<string, number> = toNumbers(MONTH_WORDS);

function toNumbers(words: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  return new Map(words.flatMap((same, number) => same.map((word) => [word, number] as const)));
}

/** The midnight of a day in wall time; two if the text is ambiguous. */
export type Days = readonly [wallMs: number] | readonly [either: number, or: number];

/** The present wall time, and the time of day that the text names. */
export interface Around {
  readonly nowWallMs: number;
  readonly dayMs: number;
}

/** The day that a text names; undefined if it names none. */
export function daysIn(text: string | undefined, around: Around): Days | undefined {
  const name = text?.replace(/^(?:on|am|der|den|the) /u, '').replace(/,$/u, '');
  const today = around.nowWallMs - modulo(around.nowWallMs, DAY_MS);
  if (name === undefined) return [today];
  const ahead = DAYS.get(name) ?? DAYS.get(text ?? '');
  if (ahead !== undefined) return [today + ahead * DAY_MS];
  return weekday(name, { ...around, today }) ?? dated(name, around);
}

function weekday(text: string, { today, nowWallMs, dayMs }: Around & { readonly today: number }): Days | undefined {
  const { name = '', next } = WEEKDAY.exec(text)?.groups ?? {};
  const wanted = WEEKDAYS.get(name);
  if (wanted === undefined) return undefined;
  const ahead = modulo(wanted - new Date(today).getUTCDay(), 7);
  const coming = ahead === 0 && today + dayMs <= nowWallMs ? today + 7 * DAY_MS : today + ahead * DAY_MS;
  // `next Friday` can mean this week or the week after; the weekday of today can mean today or in a week.
  return next !== undefined || coming === today ? [coming, coming + 7 * DAY_MS] : [coming];
}

function dated(text: string, around: Around): Days | undefined {
  const slashed = SLASHED.exec(text)?.groups;
  if (slashed) {
    const [one, other] = [Number(slashed['one']), Number(slashed['other'])];
    const american = dayOf({ month: one, date: other, year: slashed['year'] }, around);
    const european = one === other ? undefined : dayOf({ month: other, date: one, year: slashed['year'] }, around);
    if (american !== undefined && european !== undefined) return american < european ? [american, european] : [european, american];
    return oneDay(american ?? european);
  }
  const numbers = (ISO.exec(text) ?? DOTTED.exec(text))?.groups;
  if (numbers) return oneDay(dayOf({ month: Number(numbers['month']), date: Number(numbers['date']), year: numbers['year'] }, around));
  const named = (DATE_FIRST.exec(text) ?? MONTH_FIRST.exec(text))?.groups;
  const month = MONTHS.get(named?.['name'] ?? '');
  return month === undefined
    ? undefined
    : oneDay(dayOf({ month: month + 1, date: Number(named?.['date']), year: named?.['year'] }, around));
}

function oneDay(wallMs: number | undefined): Days | undefined {
  return wallMs === undefined ? undefined : [wallMs];
}

interface Written {
  readonly month: number;
  readonly date: number;
  readonly year: string | undefined;
}

/** The midnight of a date. Without a year, it is the next such day, unless the day has just passed. */
function dayOf({ month, date, year }: Written, { nowWallMs, dayMs }: Around): number | undefined {
  if (year !== undefined) return midnight(Number(year.length === 2 ? `20${year}` : year), month, date);
  const thisYear = new Date(nowWallMs).getUTCFullYear();
  const years = [thisYear - 1, thisYear, thisYear + 1].map((one) => midnight(one, month, date)).filter((day) => day !== undefined);
  return years.find((day) => day + dayMs > nowWallMs - JUST_OVER_MS) ?? years.at(-1);
}

/** The midnight of a date; undefined if the calendar has no such day. */
function midnight(year: number, month: number, date: number): number | undefined {
  const wallMs = Date.UTC(year, month - 1, date);
  const made = new Date(wallMs);
  return made.getUTCMonth() === month - 1 && made.getUTCDate() === date ? wallMs : undefined;
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
