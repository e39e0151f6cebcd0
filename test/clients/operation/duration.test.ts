import { expect, test } from 'vitest';
import { parseDuration } from '#src/clients/operation/duration.ts';

test.each([
  ['500ms', 500],
  ['90s', 90_000],
  ['5m', 300_000],
  ['1h30m', 5_400_000],
  ['7d', 604_800_000],
  ['2w', 1_209_600_000],
  ['1w2d3h4m5s6ms', 788_645_006],
  ['0s', 0],
])('%s is %i milliseconds', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(['', '5', '5 m', '-5m', '1.5h', '5M', 'm', '5mm', '5m ', '99999999999w', '1y'])('%j is not a duration', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});
