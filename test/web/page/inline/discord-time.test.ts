import { expect, test } from 'vitest';
import { discordTime } from '#src/web/page/inline/discord-time.ts';

const NOW = Date.UTC(2026, 10, 27, 3);
const HOUR_MS = 3_600_000;

// On Friday night, Saturday evening is tomorrow, 39 hours away.
test.each([
  [39, 'in 2 days', 'in 2 Tagen'],
  [26, 'in 1 day', 'in 1 Tag'],
  [-45, '2 days ago', 'vor 2 Tagen'],
  [0, 'now', 'jetzt'],
])('a distance of %d hours is counted, as in Discord, and does not name a day of the calendar', (hours, english, german) => {
  const relative = (locale: string) => discordTime(NOW + hours * HOUR_MS, 'R', { nowMs: NOW, locale });

  expect([relative('en-GB'), relative('de')]).toEqual([english, german]);
});
