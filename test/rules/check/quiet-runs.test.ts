import { expect, test } from 'vitest';
import { messagesOf, slot } from './fixture.ts';

const NIGHT = 'quiet: { from: "23:00", to: "08:00", timezone: Europe/Berlin, then: drop }';

test.for([
  ['a run outside', 'cron: "0 3,12 * * *"', NIGHT],
  ['a run at the end of the quiet hours', 'cron: "0 8 * * *", timezone: Europe/Berlin', NIGHT],
  ['runs each minute', 'cron: "* * * * *"', NIGHT],
  ['a run that is outside in summer', 'cron: "30 6 * * *", timezone: UTC', NIGHT],
  ['a run in a later time zone', 'cron: "0 3 * * *", timezone: Asia/Tokyo', NIGHT],
  ['announcements that are held', 'cron: "0 3 * * *"', NIGHT.replace('drop', 'hold')],
] as const)('no warning of quiet hours: %s', ([, when, top]) => {
  expect(messagesOf(slot({ top, when })).filter((one) => one.includes('quiet'))).toEqual([]);
});
