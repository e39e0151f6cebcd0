import { fc } from '../../support/property.ts';
import { describe, expect, test } from 'vitest';
import { readTime } from '#src/engine/posting/read-time.ts';

/** Friday, 20 November 2026, 18:00 in Berlin. */
const NOW = '2026-11-20T17:00:00Z';

function berlin(typed: string, now = NOW) {
  return readTime(typed, { zone: 'Europe/Berlin', nowMs: Date.parse(now) });
}

function at(instant: string) {
  return { kind: 'at', at: new Date(instant) };
}

test.each(['UTC', 'Asia/Tokyo', 'Asia/Kathmandu'])('in %s, which has no clock changes, no time is ambiguous', (zone) => {
  const now = Date.parse(NOW);
  for (let days = 0; days <= 3 * 366; days += 61) {
    const nowMs = now + days * 86_400_000;
    for (const ahead of ['in 2 h', 'in 90 days', 'in 300 days']) expect(readTime(ahead, { zone, nowMs })).toMatchObject({ kind: 'at' });
    const day = new Date(nowMs + 300 * 86_400_000).toISOString().slice(0, 10);
    expect(readTime(`${day} 09:00`, { zone, nowMs })).toMatchObject({ kind: 'at' });
  }
});

describe('a typed time is parsed', () => {
  test.each([
    ['18:30', '2026-11-20T17:30:00Z'],
    ['um 18:30 Uhr', '2026-11-20T17:30:00Z'],
    ['at 6:30 pm', '2026-11-20T17:30:00Z'],
    ['~18:30', '2026-11-20T17:30:00Z'],
    ['18.30Uhr', '2026-11-20T17:30:00Z'],
    ['19 Uhr', '2026-11-20T18:00:00Z'],
    ['19 Uhr 15', '2026-11-20T18:15:00Z'],
    ['7pm', '2026-11-20T18:00:00Z'],
    ['today 19:00', '2026-11-20T18:00:00Z'],
    ['heute um 19:00', '2026-11-20T18:00:00Z'],
    ['heute Abend um 8 Uhr', '2026-11-20T19:00:00Z'],
    ['tonight at 8:30', '2026-11-20T19:30:00Z'],
    ['tomorrow 9:00', '2026-11-21T08:00:00Z'],
    ['morgen um 9', '2026-11-21T08:00:00Z'],
    ['heute Abend um 8', '2026-11-20T19:00:00Z'],
    ['um 20 am Montag', '2026-11-23T19:00:00Z'],
    ['tonight at 8', '2026-11-20T19:00:00Z'],
    ['tomorrow at 20', '2026-11-21T19:00:00Z'],
    ['“18:30”', '2026-11-20T17:30:00Z'],
    ["'18:30'", '2026-11-20T17:30:00Z'],
    ['tomorrow evening at 4', '2026-11-21T15:00:00Z'],
    ['morgen Nachmittag um 12', '2026-11-21T11:00:00Z'],
    ['`18：30`', '2026-11-20T17:30:00Z'],
    ['9:00 tomorrow', '2026-11-21T08:00:00Z'],
    ['tomorrow noon', '2026-11-21T11:00:00Z'],
    ['morgen 9:00', '2026-11-21T08:00:00Z'],
    ['morgen früh um 9 Uhr', '2026-11-21T08:00:00Z'],
    ['Morgen, 9:00', '2026-11-21T08:00:00Z'],
    ['übermorgen 12:00', '2026-11-22T11:00:00Z'],
    ['the day after tomorrow at 12 pm', '2026-11-22T11:00:00Z'],
    ['monday 12 am', '2026-11-22T23:00:00Z'],
    ['Montag 18:00', '2026-11-23T17:00:00Z'],
    ['am Montag um 18 Uhr', '2026-11-23T17:00:00Z'],
    ['9:00 am Montag', '2026-11-23T08:00:00Z'],
    ['12:00 am Montag', '2026-11-23T11:00:00Z'],
    ['um 12:30 am Montag', '2026-11-23T11:30:00Z'],
    ['um 12 am Mo.', '2026-11-23T11:00:00Z'],
    ['12:30 am monday', '2026-11-22T23:30:00Z'],
    ['12:30 am sat', '2026-11-20T23:30:00Z'],
    ['9:00 am on monday', '2026-11-23T08:00:00Z'],
    ['this sunday 10:00', '2026-11-22T09:00:00Z'],
    ['friday 17:00', '2026-11-27T16:00:00Z'],
    ['24.12.26 18:00', '2026-12-24T17:00:00Z'],
    ['2026-12-24 18:00', '2026-12-24T17:00:00Z'],
    ['2026-12-24T18:00', '2026-12-24T17:00:00Z'],
    ['2026-12-24T18:00:00Z', '2026-12-24T18:00:00Z'],
    ['2026-12-24 18:00 -05:00', '2026-12-24T23:00:00Z'],
    ['24.12. 18:00', '2026-12-24T17:00:00Z'],
    ['24.12.2026 um 18 Uhr', '2026-12-24T17:00:00Z'],
    ['24. Dezember 18:00', '2026-12-24T17:00:00Z'],
    ['24th of December 6 pm', '2026-12-24T17:00:00Z'],
    ['December 24 18:00', '2026-12-24T17:00:00Z'],
    ['12/24 18:00', '2026-12-24T17:00:00Z'],
    ['24/12/2026 18:00', '2026-12-24T17:00:00Z'],
    ['5.1. 18:00', '2027-01-05T17:00:00Z'],
    ['in 2h', '2026-11-20T19:00:00Z'],
    ['in 1h30m', '2026-11-20T18:30:00Z'],
    ['in 90 Minuten', '2026-11-20T18:30:00Z'],
    ['in 1 hour and 30 minutes', '2026-11-20T18:30:00Z'],
    ['in einer halben Stunde', '2026-11-20T17:30:00Z'],
    ['in half an hour', '2026-11-20T17:30:00Z'],
    ['in einer Woche', '2026-11-27T17:00:00Z'],
    ['in 3 Tagen', '2026-11-23T17:00:00Z'],
    ['+45m', '2026-11-20T17:45:00Z'],
    ['in einer Viertelstunde', '2026-11-20T17:15:00Z'],
    ['in einer Dreiviertelstunde', '2026-11-20T17:45:00Z'],
    ['in anderthalb Stunden', '2026-11-20T18:30:00Z'],
    ['in 1,5 Stunden', '2026-11-20T18:30:00Z'],
    ['in 1.25 hours', '2026-11-20T18:15:00Z'],
    ['in 1h, 30m', '2026-11-20T18:30:00Z'],
    ['in zwei Stunden', '2026-11-20T19:00:00Z'],
    ['in ten minutes', '2026-11-20T17:10:00Z'],
    ['9:30pm', '2026-11-20T20:30:00Z'],
    ['9.30 pm', '2026-11-20T20:30:00Z'],
    ['um 21.05', '2026-11-20T20:05:00Z'],
    ['18.30', '2026-11-20T17:30:00Z'],
    ['morgen 9.30', '2026-11-21T08:30:00Z'],
    ['24.12. 18.30', '2026-12-24T17:30:00Z'],
    ['18:00 24.12.', '2026-12-24T17:00:00Z'],
    ['18:00 5.12', '2026-12-05T17:00:00Z'],
    ['morgen um zehn Uhr', '2026-11-21T09:00:00Z'],
    ['ten pm', '2026-11-20T21:00:00Z'],
    ['Midnight', '2026-11-20T23:00:00Z'],
    ['um Mitternacht', '2026-11-20T23:00:00Z'],
    ['tonight at midnight', '2026-11-20T23:00:00Z'],
    ['heute Nacht um Mitternacht', '2026-11-20T23:00:00Z'],
    ['um 24 Uhr', '2026-11-20T23:00:00Z'],
    ['um 24', '2026-11-20T23:00:00Z'],
    ['24:00', '2026-11-20T23:00:00Z'],
    ['Montag 24 Uhr', '2026-11-23T23:00:00Z'],
    ['morgen Mittag', '2026-11-21T11:00:00Z'],
    ['tomorrow at 12 noon', '2026-11-21T11:00:00Z'],
    ['halb zehn', '2026-11-20T20:30:00Z'],
    ['morgen früh um halb 10', '2026-11-21T08:30:00Z'],
    ['morgen Nachmittag halb eins', '2026-11-21T11:30:00Z'],
    ['half past nine pm', '2026-11-20T20:30:00Z'],
    ['viertel nach 9', '2026-11-20T20:15:00Z'],
    ['viertel nach 21', '2026-11-20T20:15:00Z'],
    ['morgen viertel nach 0', '2026-11-20T23:15:00Z'],
    ['morgen um halb 13', '2026-11-21T11:30:00Z'],
    ['heute Nacht 1 am', '2026-11-21T00:00:00Z'],
    ['morgen 12 Uhr mittags', '2026-11-21T11:00:00Z'],
    ['viertel vor 10 abends', '2026-11-20T20:45:00Z'],
    ['dreiviertel zehn', '2026-11-20T20:45:00Z'],
    ['quarter to ten tonight', '2026-11-20T20:45:00Z'],
    ['morgen 8 Uhr abends', '2026-11-21T19:00:00Z'],
    ['tomorrow at 8 in the morning', '2026-11-21T07:00:00Z'],
    ['heute Nacht um 2', '2026-11-21T01:00:00Z'],
    ['heute Nacht 23:30', '2026-11-20T22:30:00Z'],
    ['heute Nacht um 12', '2026-11-20T23:00:00Z'],
    ['tomorrow night at 11', '2026-11-21T22:00:00Z'],
  ])('%s', (typed, instant) => {
    expect(berlin(typed)).toEqual(at(instant));
  });
});

describe('an uncertain time is reported', () => {
  test('a time in the past', () => {
    expect(berlin('17:59')).toEqual({ kind: 'past', at: new Date('2026-11-20T16:59:00Z') });
    expect(berlin('heute 9:00')).toEqual({ kind: 'past', at: new Date('2026-11-20T08:00:00Z') });
    expect(berlin('19.11. 18:00')).toEqual({ kind: 'past', at: new Date('2026-11-19T17:00:00Z') });
    expect(berlin('2025-12-24 18:00')).toEqual({ kind: 'past', at: new Date('2025-12-24T17:00:00Z') });
    expect(berlin('31.12. 23:45', '2026-12-31T23:05:00Z')).toEqual({ kind: 'past', at: new Date('2026-12-31T22:45:00Z') });
    expect(berlin('December 24 18:00', '2027-01-10T12:00:00Z')).toEqual({ kind: 'past', at: new Date('2026-12-24T17:00:00Z') });
    expect(berlin('12/24 18:00', '2027-01-30T12:00:00Z')).toEqual(at('2027-12-24T17:00:00Z'));
  });

  test('a time that is too far away', () => {
    expect(berlin('2036-12-24 18:00')).toMatchObject({ kind: 'far' });
    expect(berlin('in 5000 weeks')).toMatchObject({ kind: 'far' });
  });

  test('a day of the week that may be today or in a week, or this one or the next', () => {
    expect(berlin('friday 18:30')).toEqual({
      kind: 'ambiguous',
      either: new Date('2026-11-20T17:30:00Z'),
      or: new Date('2026-11-27T17:30:00Z'),
    });
    expect(berlin('nächsten Montag um 18:00')).toEqual({
      kind: 'ambiguous',
      either: new Date('2026-11-23T17:00:00Z'),
      or: new Date('2026-11-30T17:00:00Z'),
    });
  });

  test.each([
    ['tomorrow at midnight', '2026-11-20T23:00:00Z', '2026-11-21T23:00:00Z'],
    ['Montag um Mitternacht', '2026-11-22T23:00:00Z', '2026-11-23T23:00:00Z'],
    ['morgen um halb zehn', '2026-11-21T08:30:00Z', '2026-11-21T20:30:00Z'],
    ['tomorrow at quarter past 9', '2026-11-21T08:15:00Z', '2026-11-21T20:15:00Z'],
    ['next monday 18:00', '2026-11-23T17:00:00Z', '2026-11-30T17:00:00Z'],
    ['halb zehn am Montag', '2026-11-23T08:30:00Z', '2026-11-23T20:30:00Z'],
    ['tomorrow night 12:30 am', '2026-11-20T23:30:00Z', '2026-11-21T23:30:00Z'],
    ['Montag Nacht um 2', '2026-11-23T01:00:00Z', '2026-11-24T01:00:00Z'],
  ])('a time of day that can be twice, or on two days: %s', (typed, either, or) => {
    expect(berlin(typed)).toEqual({ kind: 'ambiguous', either: new Date(either), or: new Date(or) });
  });

  test('a night that began before midnight, and the next one', () => {
    expect(berlin('heute Nacht um 3', '2026-11-21T00:00:00Z')).toEqual({
      kind: 'ambiguous',
      either: new Date('2026-11-21T02:00:00Z'),
      or: new Date('2026-11-22T02:00:00Z'),
    });
  });

  test('a date with another meaning in American English', () => {
    expect(berlin('3/4 18:00')).toEqual({
      kind: 'ambiguous',
      either: new Date('2027-03-04T17:00:00Z'),
      or: new Date('2027-04-03T16:00:00Z'),
    });
    expect(berlin('4/4 18:00')).toEqual(at('2027-04-04T16:00:00Z'));
  });

  test.each(['tomorrow', 'morgen', 'montag', '2026-12-24', '24.12.', '9.10', 'December 24', 'heute Nacht', 'tonight', 'morgen früh'])(
    'a day without a time: %s',
    (typed) => {
      expect(berlin(typed)).toEqual({ kind: 'dayOnly' });
    },
  );

  test.each([
    '',
    '9',
    'soon',
    '25:00',
    '18:75',
    '13 pm',
    '30.2. 18:00',
    '2026-02-30 18:00',
    'in a while',
    'in 2',
    'blursday 18:00',
    'tomorrow at 8',
    '24:30',
    'half nine',
    'viertel zehn',
    'nächsten Montag um halb zehn',
    'heute Nacht um 7',
    'morgen 9.10',
    'in 1,5 Tagen',
    // A part of the day without this hour.
    'tomorrow evening 12:30 pm',
    'tomorrow night at 12 pm',
    'tomorrow morning 9 pm',
    'tomorrow afternoon at half past 9 am',
    // Midnight, or an hour after it.
    'tonight at 12',
    'tonight 12:30',
    'tonight at 1',
    'heute Abend um 12',
    'morgen Abend 1 Uhr',
    'x'.repeat(5000),
  ])('a text without a time: %s', (typed) => {
    expect(berlin(typed)).toEqual({ kind: 'unclear' });
  });

  test('a time that a clock change skips, with the next instant', () => {
    expect(berlin('2027-03-28 02:30')).toEqual({ kind: 'skipped', at: new Date('2027-03-28T01:00:00Z') });
  });

  test('a time that exists twice; with an offset it is one', () => {
    expect(berlin('2027-10-31 02:30')).toEqual({
      kind: 'twice',
      either: new Date('2027-10-31T00:30:00Z'),
      or: new Date('2027-10-31T01:30:00Z'),
    });
    expect(berlin('2027-10-31 02:30+01:00')).toEqual(at('2027-10-31T01:30:00Z'));
    expect(berlin('02:30', '2027-10-31T00:40:00Z')).toEqual(at('2027-10-31T01:30:00Z'));
  });

  test('days count by the calendar and hours by the clock at a clock change', () => {
    expect(berlin('in 1 day', '2027-03-27T11:00:00Z')).toEqual(at('2027-03-28T10:00:00Z'));
    expect(berlin('in 24h', '2027-03-27T11:00:00Z')).toEqual(at('2027-03-28T11:00:00Z'));
  });
});

describe('for all times', () => {
  const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC', 'Pacific/Apia');
  const nows = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2028-01-01') });

  test('a parsed time is in the future, and the wall time of the zone equals the text', () => {
    fc.assert(
      fc.property(zones, nows, fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), (zone, nowMs, hour, minute) => {
        const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
        const read = readTime(`tomorrow ${time}`, { zone, nowMs });
        const shown = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short', hourCycle: 'h23' });
        // The tests above cover clock changes.
        const isRight =
          read.kind === 'at' ? read.at.getTime() > nowMs && shown.format(read.at) === time : ['skipped', 'twice'].includes(read.kind);
        expect(isRight).toBe(true);
      }),
    );
  });

  test('no text causes an error', () => {
    const words = fc.constantFrom(
      'in',
      'morgen',
      '18:30',
      'um',
      'am',
      'monday',
      '/',
      '.',
      '24',
      'h',
      'next',
      '+',
      '99999',
      'Dezember',
      'halb',
      'Mitternacht',
      'nachts',
      ' ',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words, { maxLength: 6 }).map((all) => all.join(' ')),
        ),
        (typed) => {
          expect(() => berlin(typed)).not.toThrow();
        },
      ),
    );
  });
});
