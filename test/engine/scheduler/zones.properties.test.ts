import { fc, runs, selected } from '../../support/property.ts';
import { describe, expect, test } from 'vitest';
import { zone } from '#src/rules/clocks/zone.ts';
import { cronSlots } from '#src/rules/clocks/cron-slots.ts';
import { changesOf, fitter, offsetReader, walkSlots, type Change } from './cron-reference.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const FROM_MS = Date.UTC(2026, 0, 1);
const TO_MS = Date.UTC(2029, 0, 1);

const ZONES = Intl.supportedValuesOf('timeZone');
const CHANGING = ZONES.map((name) => ({
  zone: name,
  changes: changesOf(name, { fromMs: FROM_MS, toMs: TO_MS, stepDays: runs(7, 1) }),
})).filter(({ changes }) => changes.length > 0);

function slotsIn({ cron, timezone }: { cron: string; timezone: string }, fromMs: number, toMs: number): number[] {
  const slots = cronSlots({ cron, timezone });
  const found: number[] = [];
  for (let atMs = slots.next(fromMs); atMs !== undefined && atMs <= toMs; atMs = slots.next(atMs)) {
    if (atMs <= (found.at(-1) ?? fromMs)) throw new Error(`${times([atMs]).join()} is in the past.`);
    found.push(atMs);
  }
  return found;
}

const times = (slots: readonly number[]): string[] => slots.map((atMs) => new Date(atMs).toISOString().slice(0, 19));

const CHANGES = CHANGING.flatMap(({ zone: name, changes }) => changes.map((change) => ({ zone: name, change })));
const DIFFERENT_CHANGES = Map.groupBy(CHANGES, ({ change }) => Object.values(change).join())
  .values()
  .flatMap((same) => same.slice(0, 1))
  .toArray();

/** The compared time before and after a clock change: enough for a few dozen slots. */
const NAMED: readonly (readonly [cron: string, reachMs: number])[] = [
  ['30 2 * * *', 50 * HOUR_MS],
  ['0 0 * * *', 50 * HOUR_MS],
  ['0 3 * * *', 50 * HOUR_MS],
  ['30 1 * * *', 50 * HOUR_MS],
  ['*/20 0-3 * * *', 26 * HOUR_MS],
  ['15,45 0,23 * * *', 26 * HOUR_MS],
  ['30 */2 * * *', 26 * HOUR_MS],
  ['59 23 * * 6', 50 * HOUR_MS],
  ['0 2 * * 0', 50 * HOUR_MS],
  ['0 2 * * 7', 50 * HOUR_MS],
  ['30 1,2 1-7 * SUN', 50 * HOUR_MS],
  ['0 9 * * mon-fri', 50 * HOUR_MS],
  ['30 2 25-31 mar,oct *', 50 * HOUR_MS],
  ['0 0 1 * *', 50 * HOUR_MS],
];
const EVERY_HOUR: readonly (readonly [cron: string, reachMs: number])[] = [
  ['0 * * * *', 6 * HOUR_MS],
  ['15 * * * *', 6 * HOUR_MS],
  ['30 * * * *', 6 * HOUR_MS],
  ['45 */1 * * *', 6 * HOUR_MS],
  ['5 0-23 * * *', 6 * HOUR_MS],
  ['*/10 * * * *', 2 * HOUR_MS],
  ['*/7 * * * *', 2 * HOUR_MS],
  ['*/40 * * * *', 4 * HOUR_MS],
  ['* * * * *', 25 * MINUTE_MS],
  ['0,30 * 25-31 3,10 *', 20 * HOUR_MS],
  ['20 * * * sun', 30 * HOUR_MS],
];
const IN_EACH_ZONE = [...NAMED.slice(0, 5), ...EVERY_HOUR.slice(0, 2)];
const SECONDS: readonly (readonly [cron: string, reachMs: number])[] = [
  ['*/15 * * * * *', 4 * MINUTE_MS],
  ['30 30 1,2 * * *', 3 * HOUR_MS],
  ['*/20 0,59 0-3 * * *', 3 * HOUR_MS],
];

describe('the slots around every clock change in 2026, 2027 and 2028', () => {
  test('there are enough zones with clock changes', () => {
    expect(CHANGING.length).toBeGreaterThan(100);
    expect(CHANGING.map(({ zone: name }) => name)).toEqual(
      expect.arrayContaining(['Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Antarctica/Troll', 'Africa/Casablanca']),
    );
  });

  // In the short run, a schedule meets each sixteenth change, the next one each change after it.
  const step = runs(16, 1);
  test.for(selected(IN_EACH_ZONE, 1))('%s in each zone', ([cron, reachMs]) => {
    const changes = CHANGES.filter((_, place) => place % step === 0);
    expect(changes.flatMap((one) => differences({ ...one, cron, reachMs }))).toEqual([]);
  });

  const schedules = [...NAMED, ...EVERY_HOUR, ...SECONDS].map(([cron, reachMs], index) => [cron, reachMs, index] as const);
  test.for(schedules)('%s at each change, in one zone with this change', ([cron, reachMs, index]) => {
    const changes = DIFFERENT_CHANGES.filter((_, place) => (place + index) % step === 0);
    expect(changes.flatMap((one) => differences({ ...one, cron, reachMs }))).toEqual([]);
  });

  test('the offsets of all zones with a change agree', () => {
    for (const { zone: name, change } of CHANGES) {
      const { atMs, beforeMs, afterMs } = change;
      const clocks = zone(name);
      expect([clocks.spanAt(atMs - 1).untilMs, clocks.spanAt(atMs).fromMs], name).toEqual([atMs, atMs]);
      expect([clocks.wallAt(atMs - 1), clocks.wallAt(atMs)], name).toEqual([atMs - 1 + beforeMs, atMs + afterMs]);
    }
  });

  /** The slots that only one of both has. */
  function differences({
    zone: timezone,
    cron,
    change,
    reachMs,
  }: {
    zone: string;
    cron: string;
    change: Change;
    reachMs: number;
  }): string[] {
    const [fromMs, toMs] = [change.atMs - reachMs, change.atMs + reachMs];
    const found = slotsIn({ cron, timezone }, fromMs, toMs);
    const walked = walkSlots({ cron, change, fromMs, toMs });
    if (found.join() === walked.join()) return [];
    const [extra, lost] = [found.filter((slot) => !walked.includes(slot)), walked.filter((slot) => !found.includes(slot))];
    return [`${cron} in ${timezone}: ${times(extra).join()} too many, ${times(lost).join()} lost`];
  }
});

test('the next slot from any instant in any zone is right', () => {
  const crons = [...NAMED, ...EVERY_HOUR].map(([cron]) => cron).filter((cron) => !/ (1|25-31) /.test(cron));
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), fc.constantFrom(...crons), fc.integer({ min: FROM_MS, max: TO_MS }), (timezone, cron, atMs) => {
      const nextMs = cronSlots({ cron, timezone }).next(atMs) ?? NaN;
      const offset = offsetReader(timezone);
      // Around changes the other test looks.
      fc.pre(offset(atMs - 2 * HOUR_MS) === offset(nextMs + 2 * HOUR_MS));
      const fits = fitter(cron);
      const wallMs = (ms: number): number => ms + offset(atMs);
      const minutes = Array.from(
        { length: (nextMs - atMs) / MINUTE_MS + 1 },
        (_, minute) => (Math.floor(atMs / MINUTE_MS) + minute + 1) * MINUTE_MS,
      );
      expect(minutes.find((ms) => fits(wallMs(ms)))).toBe(nextMs);
    }),
    { numRuns: runs(100, 1_000) },
  );
});

test.for(['Etc/UTC', 'Africa/Freetown'])('an hourly schedule continues for years without a clock change in %s', (timezone) => {
  const [fromMs, toMs] = [Date.UTC(2035, 0, 1), Date.UTC(2039, 0, 1)];
  const slots = slotsIn({ cron: '20 * * * sun', timezone }, fromMs, toMs);
  expect(slots).toHaveLength(208 * 24);
});

describe('every hour, with clock changes by half an hour', () => {
  const timezone = 'Australia/Lord_Howe';
  const utc = (slots: readonly number[]): string[] => slots.map((atMs) => new Date(atMs).toISOString().slice(11, 16));

  test('an hour whose minute is skipped runs right after the change', () => {
    // 02:00 becomes 02:30 at 15:30 UTC.
    const span = [Date.parse('2026-10-03T14:00Z'), Date.parse('2026-10-03T17:00Z')] as const;

    expect(utc(slotsIn({ cron: '15 * * * *', timezone }, ...span))).toEqual(['14:45', '15:30', '16:15']);
    expect(utc(slotsIn({ cron: '45 * * * *', timezone }, ...span))).toEqual(['14:15', '15:15', '15:45', '16:45']);
    expect(utc(slotsIn({ cron: '*/10 * * * *', timezone }, ...span))).toHaveLength(18);
  });

  test('slots follow the clock through a repeated half hour', () => {
    // 02:00 becomes 01:30 at 15:00 UTC.
    const span = [Date.parse('2026-04-04T13:35Z'), Date.parse('2026-04-04T17:00Z')] as const;

    expect(utc(slotsIn({ cron: '0 * * * *', timezone }, ...span))).toEqual(['14:00', '15:30', '16:30']);
    expect(utc(slotsIn({ cron: '45 * * * *', timezone }, ...span))).toEqual(['13:45', '14:45', '15:15', '16:15']);
  });

  test('a slot at a skipped midnight is on its day', () => {
    expect(
      times(slotsIn({ cron: '0 0 * * *', timezone: 'America/Santiago' }, Date.parse('2026-09-05T12:00Z'), Date.parse('2026-09-07T12:00Z'))),
    ).toEqual(['2026-09-06T04:00:00', '2026-09-07T03:00:00']);
  });
});

test('a repeated hour on the last day of the list is not deferred to the next year', () => {
  // Cairo goes from 24:00 back to 23:00: 23:30 comes twice on 29 October.
  const found = slotsIn(
    { cron: '30 * 29 10 *', timezone: 'Africa/Cairo' },
    Date.parse('2026-10-29T19:00Z'),
    Date.parse('2026-10-30T00:00Z'),
  );

  expect(times(found)).toEqual(['2026-10-29T19:30:00', '2026-10-29T20:30:00', '2026-10-29T21:30:00']);
});
