import { describe, expect, test } from 'vitest';
import { cronIssues, hasBothDays } from '#src/rules/grammar/cron.ts';

describe('a cron expression', () => {
  test.each([
    '* * * * *',
    '*/10 * * * *',
    '0 18 * * 0',
    '0 18 * * 7',
    '0 18 * * SUN',
    '0 9-17/2 1,15 jan-mar mon-fri',
    '*/5 * * * * *',
    '0 0 29 2 *',
  ])('%s is valid', (cron) => {
    expect(cronIssues(cron)).toEqual([]);
  });

  test.each([
    ['@daily', '@daily is no cron expression here'],
    ['* * *', 'a cron expression has five fields, or six with seconds'],
    ['0 0 L * *', 'L cannot stand for the day in a cron expression'],
    ['0 0 * * 5#2', '5#2 cannot stand for the weekday in a cron expression'],
    ['0 0 15W * *', '15W cannot stand for the day in a cron expression'],
    ['? * * * *', '? cannot stand for the minute in a cron expression'],
    ['0 0 30 2 *', 'this never comes'],
    ['0 0 31 4,6,9,11 *', 'this never comes'],
    ['60 * * * *', '60 is no minute: it goes from 0 to 59'],
    ['* * * * * *', 'this is more often than every five seconds'],
    ['0,3 * * * * *', 'this is more often than every five seconds'],
  ])('%s is invalid: %s', (cron, message) => {
    expect(cronIssues(cron).map((diagnostic) => diagnostic.message)).toEqual([message]);
  });

  test('reports every invalid field', () => {
    expect(cronIssues('61 25 */0 foo 5-2').map(({ message }) => message)).toEqual([
      '61 is no minute: it goes from 0 to 59',
      '25 is no hour: it goes from 0 to 23',
      '*/0 is no day: it goes from 1 to 31',
      'foo cannot stand for the month in a cron expression',
      '5-2 runs backwards',
    ]);
  });

  test.each([
    ['0 0 13 * 5', true],
    ['0 0 0 13 * 5', true],
    ['0 0 13 * *', false],
    ['0 0 * * 5', false],
  ])('%s has both day fields: %s', (cron, both) => {
    expect(hasBothDays(cron)).toBe(both);
  });
});
