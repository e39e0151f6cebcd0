import { DAYS, MONTHS, WEEKDAYS } from './vocabulary.ts';

const DAY_MS = 86_400_000;
/** A date without a year that is over since no longer than this is over, and not next year's. */
const JUST_OVER_MS = 31 * DAY_MS;

const ISO = /^(?<year>\d{4})-(?<month>\d{1,2})-(?<date>\d{1,2})$/u;
const DOTTED = /^(?<date>\d{1,2})\. ?(?<month>\d{1,2})\.? ?(?<year>\d{4}|\d{2})?$/u;
const SLASHED = /^(?<one>\d{1,2})\/(?<other>\d{1,2})(?:\/(?<year>\d{4}|\d{2}))?$/u;
const DATE_FIRST = /^(?<date>\d{1,2})(?:\.|st|nd|rd|th)?(?: of)? (?<name>\p{L}+)\.?,?(?: (?<year>\d{4}))?$/u;
const MONTH_FIRST = /^(?<name>\p{L}+)\.? (?<date>\d{1,2})(?:st|nd|rd|th)?,?(?: (?<year>\d{4}))?$/u;
const WEEKDAY = /^(?:(?<next>next|nächsten?|nächster) |(?:this|coming|diesen?|kommenden?) )?(?<name>\p{L}+)\.?$/u;

/** Days as midnight by the clocks, in wall time: one, or the two that may be meant. */
export type Days = readonly [wallMs: number] | readonly [either: number, or: number];

/** Where the clocks are, and at what time of the day it shall be. */
export interface Around {
  readonly nowWallMs: number;
  readonly dayMs: number;
}

/** The day that a text names; undefined: none. */
export function daysIn(text: string | undefined, around: Around): Days | undefined {
  const said = text?.replace(/^(?:on|am|der|den|the) /u, '').replace(/,$/u, '');
  const today = around.nowWallMs - modulo(around.nowWallMs, DAY_MS);
  if (said === undefined) return [today];
  const ahead = DAYS.get(said) ?? DAYS.get(text ?? '');
  if (ahead !== undefined) return [today + ahead * DAY_MS];
  return weekday(said, { ...around, today }) ?? dated(said, around);
}

function weekday(said: string, { today, nowWallMs, dayMs }: Around & { readonly today: number }): Days | undefined {
  const { name = '', next } = WEEKDAY.exec(said)?.groups ?? {};
  const wanted = WEEKDAYS.get(name);
  if (wanted === undefined) return undefined;
  const ahead = modulo(wanted - new Date(today).getUTCDay(), 7);
  const coming = ahead === 0 && today + dayMs <= nowWallMs ? today + 7 * DAY_MS : today + ahead * DAY_MS;
  // Of `next Friday` some mean this week's, some the one after; today's name may be that of today or of a week from now.
  return next !== undefined || coming === today ? [coming, coming + 7 * DAY_MS] : [coming];
}

function dated(said: string, around: Around): Days | undefined {
  const slashed = SLASHED.exec(said)?.groups;
  if (slashed) {
    const [one, other] = [Number(slashed['one']), Number(slashed['other'])];
    const american = dayOf({ month: one, date: other, year: slashed['year'] }, around);
    const european = one === other ? undefined : dayOf({ month: other, date: one, year: slashed['year'] }, around);
    if (american !== undefined && european !== undefined) return american < european ? [american, european] : [european, american];
    return oneDay(american ?? european);
  }
  const numbers = (ISO.exec(said) ?? DOTTED.exec(said))?.groups;
  if (numbers) return oneDay(dayOf({ month: Number(numbers['month']), date: Number(numbers['date']), year: numbers['year'] }, around));
  const named = (DATE_FIRST.exec(said) ?? MONTH_FIRST.exec(said))?.groups;
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

/** The midnight of a date; without a year it is the next such day, if it is not just over. */
function dayOf({ month, date, year }: Written, { nowWallMs, dayMs }: Around): number | undefined {
  if (year !== undefined) return midnight(Number(year.length === 2 ? `20${year}` : year), month, date);
  const thisYear = new Date(nowWallMs).getUTCFullYear();
  const years = [thisYear, thisYear + 1].map((one) => midnight(one, month, date)).filter((day) => day !== undefined);
  return years.find((day) => day + dayMs > nowWallMs - JUST_OVER_MS) ?? years.at(-1);
}

/** Undefined for a day that there is not. */
function midnight(year: number, month: number, date: number): number | undefined {
  const wallMs = Date.UTC(year, month - 1, date);
  const made = new Date(wallMs);
  return made.getUTCMonth() === month - 1 && made.getUTCDate() === date ? wallMs : undefined;
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
