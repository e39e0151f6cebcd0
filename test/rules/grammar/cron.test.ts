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
    ['@daily', '@daily is not supported'],
    ['* * *', 'a cron expression has five fields, or six with seconds'],
    ['0 0 L * *', 'L is not a valid day in a cron expression'],
    ['0 0 * * 5#2', '5#2 is not a valid weekday in a cron expression'],
    ['0 0 15W * *', '15W is not a valid day in a cron expression'],
    ['? * * * *', '? is not a valid minute in a cron expression'],
    ['0 0 30 2 *', 'this date does not exist'],
    ['0 0 31 4,6,9,11 *', 'this date does not exist'],
    ['60 * * * *', '60 is not a valid minute: use 0 to 59'],
    ['* * * * * *', 'the shortest interval is 5 seconds'],
    ['0,3 * * * * *', 'the shortest interval is 5 seconds'],
  ])('%s is invalid: %s', (cron, message) => {
    expect(cronIssues(cron).map((diagnostic) => diagnostic.message)).toEqual([message]);
  });

  test('reports every invalid field', () => {
    expect(cronIssues('61 25 */0 foo 5-2').map(({ message }) => message)).toEqual([
      '61 is not a valid minute: use 0 to 59',
      '25 is not a valid hour: use 0 to 23',
      '*/0 is not a valid day: use 1 to 31',
      'foo is not a valid month in a cron expression',
      'the range 5-2 ends before it starts',
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
