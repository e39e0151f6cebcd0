import { describe, expect, test } from 'vitest';
import { quietUntil } from '#src/rules/evaluate/gates/quiet-hours.ts';
import type { Quiet } from '#src/rules/rule.ts';

const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

function hours(from: string, to: string, timezone: string): Quiet {
  return { fromMinute: minutes(from), toMinute: minutes(to), timezone, then: 'hold' };
}

/** When it gets loud, or `loud`. */
function until(quiet: Quiet, at: string): string {
  const untilMs = quietUntil(quiet, Date.parse(at));
  return untilMs === undefined ? 'loud' : new Date(untilMs).toISOString().replace(':00.000Z', 'Z');
}

describe('quiet hours', () => {
  test.for([
    { promise: 'begin at `from`', of: ['23:00', '08:00', 'UTC'], at: '2026-11-20T22:59:59Z', is: 'loud' },
    { promise: 'run over midnight', of: ['23:00', '08:00', 'UTC'], at: '2026-11-20T23:00Z', is: '2026-11-21T08:00Z' },
    { promise: 'end at `to`', of: ['23:00', '08:00', 'UTC'], at: '2026-11-21T08:00Z', is: 'loud' },
    { promise: 'can be within a day', of: ['12:00', '14:00', 'Asia/Tokyo'], at: '2026-11-20T04:30Z', is: '2026-11-20T05:00Z' },
    { promise: 'may end at midnight', of: ['20:00', '00:00', 'UTC'], at: '2026-11-20T23:59Z', is: '2026-11-21T00:00Z' },
    { promise: 'are in their time zone', of: ['23:00', '08:00', 'America/New_York'], at: '2026-11-21T03:59Z', is: 'loud' },

    // Clocks set back: 03:00 is 02:00 again, at 01:00Z. As plain wall time it would be loud from 02:30 to 03:00 and quiet again.
    { promise: 'last until the second 02:30', of: ['23:00', '02:30', 'Europe/Paris'], at: '2026-10-25T00:45Z', is: '2026-10-25T01:30Z' },
    { promise: 'are over after it', of: ['23:00', '02:30', 'Europe/Paris'], at: '2026-10-25T01:30Z', is: 'loud' },
    { promise: 'begin with the first 02:30', of: ['02:30', '08:00', 'Europe/Paris'], at: '2026-10-25T00:30Z', is: '2026-10-25T07:00Z' },
    { promise: 'continue between both 02:30', of: ['02:30', '08:00', 'Europe/Paris'], at: '2026-10-25T01:10Z', is: '2026-10-25T07:00Z' },
    {
      promise: 'are one period if they begin and end within a repeated hour',
      of: ['02:15', '02:45', 'Europe/Paris'],
      at: '2026-10-25T01:00Z',
      is: '2026-10-25T01:45Z',
    },
    {
      promise: 'continue if the next quiet hours begin before these end',
      of: ['02:45', '02:15', 'Europe/Paris'],
      at: '2026-10-25T00:50Z',
      is: '2026-10-26T01:15Z',
    },
    {
      promise: 'may be set back by half an hour',
      of: ['23:00', '01:45', 'Australia/Lord_Howe'],
      at: '2026-04-04T15:00Z',
      is: '2026-04-04T15:15Z',
    },

    // Clocks set forward: 02:00 is 03:00, at 01:00Z.
    {
      promise: 'end at the clock change if it skips `to`',
      of: ['23:00', '02:30', 'Europe/Paris'],
      at: '2026-03-29T00:59Z',
      is: '2026-03-29T01:00Z',
    },
    {
      promise: 'begin at the clock change if it skips `from`',
      of: ['02:30', '08:00', 'Europe/Paris'],
      at: '2026-03-29T01:00Z',
      is: '2026-03-29T06:00Z',
    },
    { promise: 'do not exist if the clock change skips them', of: ['02:15', '02:45', 'Europe/Paris'], at: '2026-03-29T01:00Z', is: 'loud' },
  ] as const)('$promise: $of at $at', ({ of: [from, to, zone], at, is }) => {
    expect(until(hours(from, to, zone), at)).toBe(is);
  });

  test('do not depend on the order of calls', () => {
    const quiet = hours('23:00', '02:30', 'Europe/Paris');
    const start = Date.parse('2026-10-24T12:00Z');
    const asked = Array.from({ length: 300 }, (_, i) => start + ((i * 7_919) % 2_880) * 60_000);

    const [one, each] = [asked.map((at) => quietUntil(quiet, at)), asked.map((at) => quietUntil({ ...quiet }, at))];

    expect(one).toEqual(each);
  });
});
