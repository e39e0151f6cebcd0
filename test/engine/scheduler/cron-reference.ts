/** An independent implementation of cron expressions, which shares no code with the scheduler. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** A change of the clocks of a zone: the first instant that shows the new time. */
export interface Change {
  readonly atMs: number;
  readonly beforeMs: number;
  readonly afterMs: number;
}

/** The offset of a zone from UTC in milliseconds, computed from its wall time. */
export function offsetReader(timeZone: string): (atMs: number) => number {
  const face = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (atMs) => {
    const [, month, day, year, hour, minute, second] = /(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)/.exec(face.format(atMs)) ?? [];
    return (
      Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)) - Math.floor(atMs / 1000) * 1000
    );
  };
}

/** All changes of a zone's clocks in a span of time, except a change and its reversal within `stepDays`. */
export function changesOf(timeZone: string, { fromMs, toMs, stepDays }: Record<'fromMs' | 'toMs' | 'stepDays', number>): readonly Change[] {
  const offset = offsetReader(timeZone);
  const changes: Change[] = [];
  const stepMs = stepDays * DAY_MS;
  let afterMs = offset(fromMs);
  for (let atMs = fromMs; atMs < toMs; atMs += stepMs) {
    const beforeMs = afterMs;
    afterMs = offset(atMs + stepMs);
    if (beforeMs === afterMs) continue;
    let [low, high] = [atMs, atMs + stepMs];
    while (high - low > 1000) {
      const middle = Math.floor((low + high) / 2000) * 1000;
      if (offset(middle) === afterMs) high = middle;
      else low = middle;
    }
    changes.push({ atMs: high, beforeMs, afterMs });
  }
  return changes;
}

/** Whether a wall time fits a cron expression of five or six fields. */
export function fitter(cron: string): (wallMs: number) => boolean {
  const fields = cron.split(' ');
  const [second = '', minute = '', hour = '', day = '', month = '', weekday = ''] = fields.length === 6 ? fields : ['0', ...fields];
  const seconds = valuesOf(second, 0, 59);
  const minutes = valuesOf(minute, 0, 59);
  const hours = valuesOf(hour, 0, 23);
  const days = valuesOf(day, 1, 31);
  const months = valuesOf(month, 1, 12, MONTHS, 1);
  const weekdays = new Set([...valuesOf(weekday, 0, 7, DAYS, 0)].map((value) => value % 7));
  return (wallMs) => {
    const wall = new Date(wallMs);
    if (!minutes.has(wall.getUTCMinutes()) || !hours.has(wall.getUTCHours()) || !seconds.has(wall.getUTCSeconds())) return false;
    if (!months.has(wall.getUTCMonth() + 1)) return false;
    const [isDay, isWeekday] = [days.has(wall.getUTCDate()), weekdays.has(wall.getUTCDay())];
    return day !== '*' && weekday !== '*' ? isDay || isWeekday : isDay && isWeekday;
  };
}

function valuesOf(field: string, low: number, high: number, names: readonly string[] = [], first = 0): Set<number> {
  const toNumber = (text: string): number => {
    const named = names.indexOf(text.toLowerCase());
    return named === -1 ? Number(text) : named + first;
  };
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const [range = '', step = '1'] = part.split('/');
    const [from = '', to] = range === '*' ? [String(low), String(high)] : range.split('-');
    const end = to === undefined ? toNumber(from) : toNumber(to);
    for (let value = toNumber(from); value <= end; value += Number(step)) values.add(value);
  }
  return values;
}

export interface Walk {
  readonly cron: string;
  readonly change: Change;
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The slots in `(fromMs, toMs]` around one change of clocks, found by reading the clock at each minute, or second.
 *
 * Hours named: each wall time counts once; a skipped time counts at the instant of the change.
 * Every hour: each wall time counts; a skipped time counts only if the change is not by whole hours.
 */
export function walkSlots({ cron, change, fromMs, toMs }: Walk): number[] {
  const fits = fitter(cron);
  const fields = cron.split(' ');
  const stepMs = fields.length === 6 ? 1000 : MINUTE_MS;
  const isEveryHour = valuesOf(fields.at(-4) ?? '', 0, 23).size === 24;
  const isWhole = (change.afterMs - change.beforeMs) % HOUR_MS === 0;
  const read = (atMs: number): number => atMs + (atMs < change.atMs ? change.beforeMs : change.afterMs);
  const isAnyOf = (afterMs: number, untilMs: number): boolean => {
    for (let wallMs = afterMs + stepMs; wallMs <= untilMs; wallMs += stepMs) if (fits(wallMs)) return true;
    return false;
  };
  const found: number[] = [];
  let passedMs = read(fromMs);
  for (let atMs = fromMs + stepMs; atMs <= toMs; atMs += stepMs) {
    const wallMs = read(atMs);
    const jumped = isAnyOf(Math.max(passedMs, read(atMs - stepMs)), wallMs);
    const isDue = isEveryHour ? fits(wallMs) || (!isWhole && jumped) : jumped;
    if (isDue) found.push(atMs);
    passedMs = Math.max(passedMs, wallMs);
  }
  return found;
}
