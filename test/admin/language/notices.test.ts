import { expect, test } from 'vitest';
import { reasons as german } from '#src/admin/language/de/reasons.ts';
import { reasons as english } from '#src/admin/language/reasons.ts';

const AT_MS = Date.parse('2026-11-20T18:00:12Z');
const occurredAt = '2026-11-20T18:00:00Z';

test.for([
  [{}, '', ''],
  [{ occurredAt }, ' (12s after it happened)', ' (12 Sek. nach dem Ereignis)'],
  [{ noticedBy: 'notification' }, ' (the platform notified Fanfare)', ' (die Plattform hat Fanfare benachrichtigt)'],
  [
    { occurredAt, noticedBy: 'notification' },
    ' (12s after it happened; the platform notified Fanfare)',
    ' (12 Sek. nach dem Ereignis; die Plattform hat Fanfare benachrichtigt)',
  ],
  [{ occurredAt: '2026-11-20T19:00:00Z' }, ' (0s after it happened)', ' (0 Sek. nach dem Ereignis)'],
] as const)('a person reads how the change of a decision was noticed: %j', ([details, inEnglish, inGerman]) => {
  expect(english.noticed({ atMs: AT_MS, details })).toBe(inEnglish);
  expect(german.noticed({ atMs: AT_MS, details })).toBe(inGerman);
});
