import { describe, expect, test } from 'vitest';
import { slotsOf } from '#src/engine/scheduler/slots.ts';

/** The slots of a schedule in a span of time, as UTC without seconds. */
function slotsIn({ cron, timezone }: { cron: string; timezone: string }, from: string, to: string): string[] {
  const slots = slotsOf({ cron, timezone });
  const found: string[] = [];
  for (let at = slots.next(Date.parse(from)); at !== undefined && at <= Date.parse(to); at = slots.next(at))
    found.push(new Date(at).toISOString().slice(5, 16));
  return found;
}

describe('a grid', () => {
  test('falls on multiples of its step in UTC', () => {
    const slots = slotsOf({ everyMs: 300_000 });
    const at = Date.parse('2026-11-20T18:07:12Z');

    expect(new Date(slots.next(at) ?? 0).toISOString()).toBe('2026-11-20T18:10:00.000Z');
    expect(new Date(slots.latest(at - 3_600_000, at) ?? 0).toISOString()).toBe('2026-11-20T18:05:00.000Z');
    expect(slots.latest(Date.parse('2026-11-20T18:05:00Z'), at)).toBeUndefined();
  });

  test.for([
    ['a grid', { everyMs: 300_000 }, ['18:15', '18:20', '18:25']],
    ['a cron expression', { cron: '1-59/10 * * * *', timezone: 'UTC' }, ['18:01', '18:11', '18:21']],
    ['an instant', { atMs: Date.parse('2026-11-20T18:13:00Z') }, ['18:13']],
  ] as const)('the last slots of %s are in order', ([, schedule, expected]) => {
    const found = slotsOf(schedule).lastOf(Date.parse('2026-11-20T15:00:00Z'), Date.parse('2026-11-20T18:25:00Z'), 3);

    expect(found.map((at) => new Date(at).toISOString().slice(11, 16))).toEqual(expected);
  });
});

describe('cron with hours named', () => {
  test.for([
    [
      'a skipped time runs once, right after the change',
      '30 2 * * *',
      'America/New_York',
      '2026-03-08T05:00Z',
      '2026-03-09T05:00Z',
      ['03-08T07:00'],
    ],
    ['two skipped times are one slot', '0,30 2 * * *', 'America/New_York', '2026-03-08T05:00Z', '2026-03-09T05:00Z', ['03-08T07:00']],
    ['a repeated time runs in the first pass', '30 1 * * *', 'America/New_York', '2026-11-01T04:00Z', '2026-11-02T04:00Z', ['11-01T05:30']],
    [
      'a repeated time in a zone that moves by half an hour runs in the first pass',
      '45 1 * * *',
      'Australia/Lord_Howe',
      '2026-04-04T12:00Z',
      '2026-04-05T12:00Z',
      ['04-04T14:45'],
    ],
    [
      'a skipped midnight becomes the first instant of the day',
      '0 0 * * *',
      'America/Santiago',
      '2026-09-05T12:00Z',
      '2026-09-06T12:00Z',
      ['09-06T04:00'],
    ],
  ] as const)('%s', ([, cron, timezone, from, to, expected]) => {
    expect(slotsIn({ cron, timezone }, from, to)).toEqual(expected);
  });
});

describe('cron with every hour', () => {
  test.for([
    ['Europe/London', '2026-10-24T22:00Z', '2026-10-25T04:00Z'],
    ['America/New_York', '2026-11-01T03:00Z', '2026-11-01T09:00Z'],
    ['America/New_York', '2026-03-08T04:00Z', '2026-03-08T10:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T12:00Z', '2026-04-04T18:00Z'],
    ['Australia/Lord_Howe', '2026-10-03T12:00Z', '2026-10-03T18:00Z'],
  ] as const)('ignores the clock change of %s between %s and %s', ([timezone, from, to]) => {
    const slots = slotsIn({ cron: '*/10 * * * *', timezone }, from, to);

    expect(slots).toEqual(Array.from({ length: 36 }, (_, n) => new Date(Date.parse(from) + (n + 1) * 600_000).toISOString().slice(5, 16)));
  });
});

test('with both day fields one match is enough', () => {
  expect(slotsIn({ cron: '0 9 13 * 5', timezone: 'UTC' }, '2026-11-10T00:00Z', '2026-11-21T00:00Z')).toEqual([
    '11-13T09:00',
    '11-20T09:00',
  ]);
});
