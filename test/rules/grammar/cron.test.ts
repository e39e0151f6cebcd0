import { describe, expect, test } from 'vitest';
import { cronProblem, hasBothDays } from '#src/rules/grammar/cron.ts';

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
  ])('%s can run', (cron) => {
    expect(cronProblem(cron)).toBeUndefined();
  });

  test.each([
    ['@daily', '@daily is no cron expression here'],
    ['* * *', 'a cron expression has five fields, or six with seconds'],
    ['0 0 L * *', 'L cannot stand in a cron expression'],
    ['0 0 * * 5#2', '5#2 cannot stand in a cron expression'],
    ['0 0 15W * *', '15W cannot stand in a cron expression'],
    ['? * * * *', '? cannot stand in a cron expression'],
    ['0 0 30 2 *', 'this never comes'],
    ['0 0 31 4,6,9,11 *', 'this never comes'],
    ['60 * * * *', 'invalid value for minute: 60'],
    ['* * * * * *', 'this is more often than every five seconds'],
    ['0,3 * * * * *', 'this is more often than every five seconds'],
  ])('%s cannot: %s', (cron, message) => {
    expect(cronProblem(cron)?.message).toBe(message);
  });

  test.each([
    ['0 0 13 * 5', true],
    ['0 0 0 13 * 5', true],
    ['0 0 13 * *', false],
    ['0 0 * * 5', false],
  ])('%s names both days: %s', (cron, both) => {
    expect(hasBothDays(cron)).toBe(both);
  });
});
