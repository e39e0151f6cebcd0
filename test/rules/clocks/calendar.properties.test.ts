import { describe, expect, test } from 'vitest';
import { cronSlots, leftOutSlot, type CronSchedule } from '#src/rules/clocks/cron-slots.ts';
import { zone } from '#src/rules/clocks/zone.ts';
import { fitter } from '../../engine/scheduler/cron-reference.ts';
import { fc, runs } from '../../support/property.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
// Zones with changes at midnight, by half an hour, and in both halves of the year.
const ZONES = ['UTC', 'Europe/Paris', 'America/New_York', 'America/Santiago', 'Australia/Lord_Howe', 'Africa/Cairo', 'Asia/Beirut'];
const NAMED = ['30 2 * * *', '0 0 * * *', '30 23 * * SUN', '0 9 * * MON,WED', '0 1 29 2 *', '15 0,3 28-31 * *', '0 12 1 1 *'];
const EVERY_HOUR = ['0 * * * *', '30 * * * SAT,SUN', '45 * 28-31 * *'];

const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
const day = fc.integer({ min: Date.UTC(2026, 11, 1) / DAY_MS, max: Date.UTC(2028, 2, 10) / DAY_MS });
const date = fc.oneof(
  day.map(dayText),
  day.map((one) => dayText(one).slice(5)),
  fc.tuple(day, fc.nat(9)).map(([from, days]) => `${dayText(from)}/${dayText(from + days)}`),
  fc.constantFrom('02-29', '12-31', '01-01', '2027-03-28', '2027-10-31', '2028-02-29'),
);
const calendar = fc.record(
  {
    weeks: fc.record({ every: fc.integer({ min: 2, max: 4 }), from: day.map(dayText) }),
    except: fc.record({ dates: fc.array(date, { minLength: 1, maxLength: 8 }), then: fc.constantFrom('skip' as const, 'next' as const) }),
  },
  { requiredKeys: [] },
);

/** Whether a day is excepted, by comparing texts. */
function isExcepted(text: string, dates: readonly string[]): boolean {
  return dates.some((one) => {
    const [from = '', to] = one.split('/');
    return to === undefined ? text === from || text.endsWith(`-${from}`) : from <= text && text <= to;
  });
}

function counts(text: string, weeks: CronSchedule['weeks']): boolean {
  if (!weeks) return true;
  let at = Date.parse(weeks.from);
  // Walks week by week from the first day.
  for (; at <= Date.parse(text); at += weeks.every * 7 * DAY_MS) if (Date.parse(text) - at < 7 * DAY_MS) return true;
  return false;
}

/** The minutes that fit a cron expression, by day. */
const minutesByCron = new Map<string, Map<number, readonly number[]>>();

/** The minutes of a day that fit, by reading each of them. Most runs ask for the same days. */
function fittingMinutes(cron: string, dayMs: number): readonly number[] {
  const byDay = minutesByCron.get(cron) ?? new Map<number, readonly number[]>();
  minutesByCron.set(cron, byDay);
  const known = byDay.get(dayMs);
  if (known) return known;
  const fits = fitter(cron);
  const minutes = Array.from({ length: 1440 }, (_, minute) => minute).filter((minute) => fits(dayMs + minute * MINUTE_MS));
  byDay.set(dayMs, minutes);
  return minutes;
}

/** The slots, by reading each minute of each day. */
function walked({ cron, timezone, weeks, except }: CronSchedule, fromMs: number, toMs: number): readonly number[] {
  const found = new Set<number>();
  for (let dayMs = Math.floor(fromMs / DAY_MS) * DAY_MS - 60 * DAY_MS; dayMs <= toMs + DAY_MS; dayMs += DAY_MS) {
    const text = dayText(dayMs / DAY_MS);
    let targetMs = dayMs;
    while (except?.then === 'next' && isExcepted(dayText(targetMs / DAY_MS), except.dates)) targetMs += DAY_MS;
    if (!counts(text, weeks) || isExcepted(dayText(targetMs / DAY_MS), except?.dates ?? [])) continue;
    for (const minute of fittingMinutes(cron, dayMs)) found.add(zone(timezone).firstInstantOf(targetMs + minute * MINUTE_MS));
  }
  return [...found].filter((atMs) => atMs > fromMs && atMs <= toMs).toSorted((a, b) => a - b);
}

function slotsIn(schedule: CronSchedule, fromMs: number, toMs: number): readonly number[] {
  const slots = cronSlots(schedule);
  const found: number[] = [];
  for (let atMs = slots.next(fromMs); atMs !== undefined && atMs <= toMs; atMs = slots.next(atMs)) found.push(atMs);
  return found;
}

const start = fc.integer({ min: Date.UTC(2026, 11, 20) / MINUTE_MS, max: Date.UTC(2028, 2, 1) / MINUTE_MS });

describe('a calendar, through clock changes, leap days and ends of years', () => {
  test('leaves out and moves the slots of named hours', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.constantFrom(...NAMED), calendar, start, (timezone, cron, days, minute) => {
        const schedule = { cron, timezone, ...days };
        const [fromMs, toMs] = [minute * MINUTE_MS, minute * MINUTE_MS + 40 * DAY_MS];
        expect(slotsIn(schedule, fromMs, toMs)).toEqual(walked(schedule, fromMs, toMs));
      }),
      { numRuns: runs(40, 2_000) },
    );
  });

  test('leaves out whole days of a schedule for each hour', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.constantFrom(...EVERY_HOUR), calendar, start, (timezone, cron, days, minute) => {
        const [fromMs, toMs] = [minute * MINUTE_MS, minute * MINUTE_MS + 20 * DAY_MS];
        const kept = slotsIn({ cron, timezone }, fromMs, toMs).filter((atMs) => {
          const text = dayText(Math.floor(zone(timezone).wallAt(atMs) / DAY_MS));
          return counts(text, days.weeks) && !isExcepted(text, days.except?.dates ?? []);
        });
        expect(slotsIn({ cron, timezone, ...days }, fromMs, toMs)).toEqual(kept);
      }),
      { numRuns: runs(40, 500) },
    );
  });
});

test('a left out slot has its reason, and the time to which it moves', () => {
  const schedule = { cron: '0 9 * * MON', timezone: 'Europe/Paris', except: { dates: ['2027-03-29'], then: 'next' as const } };
  const [fromMs, toMs] = [Date.parse('2027-03-20'), Date.parse('2027-04-20')];

  expect(leftOutSlot(schedule, fromMs, toMs)).toEqual({
    atMs: Date.parse('2027-03-29T07:00Z'),
    by: 'except',
    movedToMs: Date.parse('2027-03-30T07:00Z'),
  });
  expect(leftOutSlot({ ...schedule, except: undefined, weeks: { every: 2, from: '2027-03-22' } }, fromMs, toMs)).toEqual({
    atMs: Date.parse('2027-03-29T07:00Z'),
    by: 'weeks',
    movedToMs: undefined,
  });
});
