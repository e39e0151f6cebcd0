import { describe, expect, test } from 'vitest';
import { check, diagnosticsOf } from '../../support/rule-language.ts';

const nowMs = Date.UTC(2026, 10, 20);

function rule(when: string): string {
  return `id: r\nwhen: { ${when} }\nthen:\n  - { do: discord.send, with: { channel: live, content: hi } }`;
}

describe('a time zone whose name is misread', () => {
  test.each([
    ['EST', 'the clocks of EST do not change in summer', 'write America/New_York for clocks that change'],
    [
      'Etc/GMT+1',
      'Etc/GMT+1 is 01:00 behind UTC: the sign is reversed',
      'write "+01:00" for a clock ahead of UTC, or "-01:00" for this zone',
    ],
    [
      'Etc/GMT-10',
      'Etc/GMT-10 is 10:00 ahead of UTC: the sign is reversed',
      'write "-10:00" for a clock behind UTC, or "+10:00" for this zone',
    ],
  ])('%s', (timezone, message, hint) => {
    const warning = { severity: 'warning', path: 'when.timezone', message, hint };

    expect(check(rule(`cron: "0 18 * * *", timezone: ${timezone}`), { nowMs }).diagnostics).toMatchObject([warning]);
  });

  test.each(['America/New_York', '"+01:00"', '"-10:00"', 'UTC', 'Etc/UTC', 'Etc/GMT'])('%s has no warning', (timezone) => {
    expect(diagnosticsOf(rule(`cron: "0 18 * * *", timezone: ${timezone}`), { nowMs })).toEqual([]);
  });
});

describe('a cron expression with six fields', () => {
  test.each([
    ['0 18 * * * *', 'at minute 18', '0 18 * * *'],
    ['30 9 * * * FRI', 'at minute 9', '30 9 * * FRI'],
  ])('%s that means a time of day runs each hour', (cron, at, meant) => {
    const message = `the first of six fields is the second, so the rule runs each hour, ${at}`;
    const hint = `write cron: "${meant}" for a time of day`;

    expect(check(rule(`timezone: UTC, cron: "${cron}"`)).diagnostics).toMatchObject([
      { severity: 'warning', path: 'when.cron', message, hint },
    ]);
    expect(diagnosticsOf(rule(`timezone: UTC, cron: "${meant}"`))).toEqual([]);
  });

  test.each(['0 0 18 * * *', '0 30 * * * *', '0 */5 * * * *', '0 18 9 * * *'])('%s has no warning', (cron) => {
    expect(diagnosticsOf(rule(`timezone: UTC, cron: "${cron}"`))).toEqual([]);
  });
});
