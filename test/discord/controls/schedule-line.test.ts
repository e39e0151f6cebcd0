import { expect, test } from 'vitest';
import { scheduleLine } from '#src/discord/controls/lines.ts';
import { textsFor } from '#src/discord/language/languages.ts';

test.each([
  ['en-US', 'at `0 9 * * MON` (Europe/Paris), every 2 weeks from 2026-01-05, except 2 dates (then on the next day)'],
  ['de', 'nach `0 9 * * MON` (Europe/Paris), alle 2 Wochen ab 2026-01-05, außer an 2 Daten (dann am nächsten Tag)'],
])('a schedule with a calendar in %s', (locale, expected) => {
  const schedule = {
    cron: '0 9 * * MON',
    timezone: 'Europe/Paris',
    weeks: { every: 2, from: '2026-01-05' },
    except: { dates: ['12-25', '12-26'], then: 'next' as const },
  };

  expect(scheduleLine(schedule, { texts: textsFor(locale), locale })).toBe(expected);
});
