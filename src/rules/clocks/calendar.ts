/** The days on which a cron schedule runs. The store keeps it as JSON. */
export type Calendar = {
  /** Only the weeks that begin on the weekday of the day `from`, counted from that day. */
  readonly weeks?: { readonly every: number; readonly from: string } | undefined;
  /** Not on these days. `next`: on the next other day instead, at the same wall time. */
  readonly except?: { readonly dates: readonly string[]; readonly then: 'skip' | 'next' } | undefined;
};

/** Why a schedule does not run on a day: the week does not count, or `except` has the day. */
export type DayExclusion = keyof Calendar;

/** The days of a calendar, as numbers of days since 1970. */
export interface CalendarDays {
  exclusion(day: number): DayExclusion | undefined;
  isExcepted(day: number): boolean;
  /** The first day after an excepted day that is not excepted. Undefined: no such day in the next years. */
  nextDay(day: number): number | undefined;
}

export const DAY_MS = 86_400_000;
/** Longer spans of excepted days have no end. */
const MOST_DAYS = 4_000;
const LEAP_YEAR = '2028';

/** The number of a day of the form 2030-12-25; undefined for another text, and for a day that does not exist. */
export function parseDay(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(text)) return undefined;
  const atMs = Date.parse(`${text}T00:00:00Z`);
  // Date.parse turns 30 February into a day of March.
  return Number.isNaN(atMs) || dayText(atMs / DAY_MS) !== text ? undefined : atMs / DAY_MS;
}

type DayTest = (day: number) => boolean;

/** Parses a day, a day of each year (12-25) or a span of days (2030-12-24/2031-01-06); undefined for another text. */
export function parseDates(text: string): DayTest | undefined {
  const [first = '', last, ...more] = text.trim().split('/');
  if (last !== undefined) {
    const [from, to] = [parseDay(first), parseDay(last)];
    return from === undefined || to === undefined || to < from || more.length > 0 ? undefined : (day) => day >= from && day <= to;
  }
  if (parseDay(`${LEAP_YEAR}-${first}`) !== undefined) return (day) => dayText(day).slice(5) === first;
  const only = parseDay(first);
  return only === undefined ? undefined : (day) => day === only;
}

/** The days of a checked calendar. */
export function daysOf({ weeks, except }: Calendar): CalendarDays {
  const dates = (except?.dates ?? []).map((text) => parseDates(text) ?? (() => false));
  const fromDay = weeks && parseDay(weeks.from);
  const isExcepted: DayTest = (day) => dates.some((test) => test(day));
  const isLeftOut: DayTest = (day) => {
    if (!weeks || fromDay === undefined) return false;
    return day < fromDay || Math.floor((day - fromDay) / 7) % weeks.every !== 0;
  };
  return {
    isExcepted,
    exclusion: (day) => (isLeftOut(day) ? 'weeks' : isExcepted(day) ? 'except' : undefined),
    nextDay(day) {
      for (let next = day + 1; next < day + MOST_DAYS; next++) if (!isExcepted(next)) return next;
      return undefined;
    },
  };
}

/** A day as 2030-12-25. */
function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
