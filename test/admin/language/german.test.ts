import { describe, expect, test } from 'vitest';
import { readiness } from '#src/admin/language/de/readiness.ts';
import { reasons } from '#src/admin/language/de/reasons.ts';
import { schedule } from '#src/admin/language/de/schedule.ts';
import type { ReadinessReason } from '#src/admin/queries/readiness-reason.ts';
import { scheduleText } from '#src/rules/messages/schedule-text.ts';
import type { Schedule } from '#src/rules/rule.ts';
import { englishIn } from '../../support/reasons.ts';

/** Examples of every kind. The compiler reports missing kinds. */
const OBSTACLES: {
  readonly [K in ReadinessReason['kind']]: readonly (readonly [ReadinessReason & { readonly kind: K }, german: string])[];
} = {
  databaseLost: [
    [
      { kind: 'databaseLost', lostAtMs: 0, code: 'ECONNREFUSED' },
      'die Datenbank antwortet seit 1970-01-01T00:00:00Z nicht (ECONNREFUSED). Fanfare wartet darauf, und nichts geht verloren',
    ],
    [
      { kind: 'databaseLost', lostAtMs: 0 },
      'die Datenbank antwortet seit 1970-01-01T00:00:00Z nicht. Fanfare wartet darauf, und nichts geht verloren',
    ],
  ],
  databaseBlocked: [
    [
      { kind: 'databaseBlocked', blockedAtMs: 0, code: '53100' },
      'die Datenbank nimmt seit 1970-01-01T00:00:00Z nichts an: ihr Speicherplatz ist voll. Wer PostgreSQL verwaltet, muss Platz schaffen. Fanfare wartet darauf, und nichts geht verloren',
    ],
    [
      { kind: 'databaseBlocked', blockedAtMs: 0, code: 'SQLITE_FULL' },
      'die Datenbank nimmt seit 1970-01-01T00:00:00Z nichts an: das Laufwerk des Datenordners ist voll. Wer den Rechner verwaltet, muss Platz schaffen. Fanfare wartet darauf, und nichts geht verloren',
    ],
    [
      { kind: 'databaseBlocked', blockedAtMs: 0 },
      'die Datenbank nimmt seit 1970-01-01T00:00:00Z nichts an: sie wartet (der Grund ist unbekannt). Fanfare wartet darauf, und nichts geht verloren',
    ],
  ],
  discordConnecting: [[{ kind: 'discordConnecting' }, 'Discord ist noch nicht verbunden']],
  discordProblem: [[{ kind: 'discordProblem', problem: 'no route' }, 'ein Problem mit Discord („no route“)']],
  discordLost: [
    [{ kind: 'discordLost' }, 'die Verbindung zu Discord ist seit mehr als zwei Minuten unterbrochen: Der Grund steht im Protokoll'],
  ],
  discordRestoring: [[{ kind: 'discordRestoring' }, 'die Verbindung zu Discord wird wiederhergestellt']],
  accountRefused: [
    [
      { kind: 'accountRefused', fault: 'unauthorized', problem: 'the token is not valid' },
      'die Anmeldung des Kontos gilt nicht mehr („the token is not valid“)',
    ],
  ],
  noRuleLoaded: [
    [
      { kind: 'noRuleLoaded', files: 1 },
      'keine Regel konnte geladen werden, weil die Regeldatei Fehler hat: „npx fanfare check“ zeigt sie',
    ],
    [
      { kind: 'noRuleLoaded', files: 3 },
      'keine Regel konnte geladen werden, weil alle 3 Regeldateien Fehler haben: „npx fanfare check“ zeigt sie',
    ],
  ],
  rulesNotRun: [
    [{ kind: 'rulesNotRun', rules: ['a'], count: 1 }, 'a konnte nicht ausgeführt werden: Der Grund steht im Protokoll'],
    [{ kind: 'rulesNotRun', rules: [], count: 4 }, '4 Regeln konnten nicht ausgeführt werden: Der Grund steht im Protokoll'],
  ],
};

describe('in German', () => {
  test.for(Object.values(OBSTACLES).flat())('the obstacle %j', ([reason, german]) => {
    expect(readiness(reason)).toBe(german);
    expect(englishIn(german)).toBeUndefined();
  });

  test.for<[Schedule, english: string, german: string]>([
    [{ everyMs: 10_000 }, 'every 10s', 'alle 10 Sek.'],
    [{ everyMs: 5_400_000 }, 'every 1h 30m', 'alle 1 Std. 30 Min.'],
    [{ everyMs: 172_800_000 }, 'every 2d', 'alle 2 Tage'],
    [{ cron: '0 9 * * 1', timezone: 'Europe/Berlin' }, 'at 0 9 * * 1 (Europe/Berlin)', 'nach 0 9 * * 1 (Europe/Berlin)'],
    [
      {
        cron: '0 9 * * 1',
        timezone: 'UTC',
        weeks: { every: 2, from: '2026-11-16' },
        except: { dates: ['2026-12-21', '2026-12-28', '2027-01-04', '2027-01-11'], then: 'next' },
      },
      'at 0 9 * * 1 (UTC), every 2 weeks from 2026-11-16, except 2026-12-21, 2026-12-28, 2027-01-04 and 1 more (then on the next day)',
      'nach 0 9 * * 1 (UTC), alle 2 Wochen ab 2026-11-16, außer 2026-12-21, 2026-12-28, 2027-01-04 und 1 weiteren (dann am nächsten Tag)',
    ],
    [{ atMs: 0 }, 'once, at 1970-01-01T00:00:00.000Z', 'einmal, am 1970-01-01T00:00:00.000Z'],
    [
      { atMs: 0, timezone: 'Europe/Berlin' },
      'once, at Thursday, 1 January 1970 at 01:00 (Europe/Berlin)',
      'einmal, am Donnerstag, 1. Januar 1970 um 01:00 (Europe/Berlin)',
    ],
    [{ command: 'drops' }, 'when a member uses /drops', 'wenn ein Mitglied /drops benutzt'],
    [{ webhook: 'kofi' }, 'when the webhook kofi is received', 'wenn der Webhook kofi empfangen wird'],
  ])('the schedule %j', ([timing, english, german]) => {
    expect(scheduleText(timing).replace(/^(once, at \w+),? (\d)/u, '$1, $2')).toBe(english);
    expect(schedule(timing)).toBe(german);
  });
});

test('a reason of a newer version keeps its English message', () => {
  const later = { message: 'grace asked for it', reason: { kind: 'askedFor', by: 'grace' } as never }; // a kind that this version does not know

  expect([reasons.decided(later), reasons.delivered(later)]).toEqual(['grace asked for it', 'grace asked for it']);
});
