import { describe, expect, test } from 'vitest';
import type { CheckReason } from '#src/admin/doctor/check-reason.ts';
import { checked } from '#src/admin/language/de/checks.ts';
import { englishIn } from '../../support/reasons.ts';

const path = '/var/lib/fanfare';
const account = 'x';
const budget = { kind: 'budget', account: 'x', spent: '8.00 USD', most: '10.00 USD', left: '2.00 USD', month: '2026-11' } as const;

/** Examples of every kind, with a part of the German text and of its remedy. The compiler reports missing kinds. */
const CHECKS: {
  readonly [K in CheckReason['kind']]: readonly (readonly [reason: CheckReason & { readonly kind: K }, message: string, remedy?: string])[];
} = {
  folderWritable: [[{ kind: 'folderWritable', path, freeBytes: 5 * 1024 ** 3 }, `${path} ist beschreibbar; 5.120 MiB frei`]],
  folderFull: [[{ kind: 'folderFull', path, freeBytes: 10 * 1024 ** 2 }, `nur noch 10 MiB frei in ${path}`, 'Platz schaffen']],
  folderMissing: [[{ kind: 'folderMissing', path }, `${path} gibt es noch nicht`, 'der erste Start']],
  folderNotWritable: [
    [{ kind: 'folderNotWritable', path, code: 'EACCES' }, 'nicht beschreibbar: EACCES', 'in den Ordner zu schreiben'],
    [{ kind: 'folderNotWritable', path, code: 'ENOSPC' }, 'nicht beschreibbar: ENOSPC', 'Platz schaffen'],
    [{ kind: 'folderNotWritable', path, code: 'EROFS' }, 'nicht beschreibbar: EROFS', 'das Laufwerk beschreibbar machen'],
  ],
  keyInEnvironment: [[{ kind: 'keyInEnvironment' }, 'FANFARE_KEY ist gesetzt']],
  keyPrivate: [[{ kind: 'keyPrivate', path }, `nur der Eigentümer kann ${path} lesen`]],
  keyReadable: [[{ kind: 'keyReadable', path }, `andere Benutzer können ${path} lesen`, `chmod 600 ${path}`]],
  environmentReadable: [[{ kind: 'environmentReadable', path }, `andere Benutzer können ${path} lesen`, `chmod 600 ${path}`]],
  databaseAnswers: [[{ kind: 'databaseAnswers', server: '17.2', version: 7 }, 'PostgreSQL 17.2 antwortet; Version 7']],
  clockBehindSlot: [
    [{ kind: 'clockBehindSlot', byMs: 7_200_000 }, 'sie geht 2 Std. gegen den letzten Lauf einer Regel nach', 'timedatectl'],
  ],
  clockSetBack: [[{ kind: 'clockSetBack', byMs: 60_000, atMs: 0 }, 'um 1 Min. zurückgestellt, am 1970-01-01', 'timedatectl']],
  clockAgrees: [[{ kind: 'clockAgrees', host: 'x.test' }, 'sie stimmt mit der Uhr von x.test überein']],
  clockOff: [
    [{ kind: 'clockOff', host: 'x.test', seconds: 90, isAhead: true }, 'sie geht 90 Sek. vor', 'timedatectl'],
    [{ kind: 'clockOff', host: 'x.test', seconds: 90, isAhead: false }, 'sie geht 90 Sek. nach', 'timedatectl'],
  ],
  noAccounts: [[{ kind: 'noAccounts' }, 'keine; Fanfare läuft in der Sandbox', 'npx fanfare auth twitch']],
  readRefused: [[{ kind: 'readRefused', problem: 'HTTP 403' }, 'weil eine Abfrage abgelehnt wird („HTTP 403“)', 'den Tarif']],
  scopeMissing: [
    [
      { kind: 'scopeMissing', scope: 'tweet.write', why: 'to post', command: 'npx fanfare auth x' },
      'tweet.write wurde nicht erlaubt („to post“)',
      'npx fanfare auth x',
    ],
  ],
  noBudget: [
    [{ kind: 'noBudget', account: 'x', spent: '1.00 USD', month: '2026-11' }, 'hat kein Budget', 'budgets: { x: { month: 20 USD } }'],
  ],
  budget: [
    [budget, 'es hat 8.00 USD von 10.00 USD im Monat 2026-11 gekostet: 2.00 USD sind übrig'],
    [{ ...budget, resetsOn: '2026-12-01' }, '2.00 USD sind übrig', 'es beginnt am 2026-12-01 neu'],
  ],
  webhookLate: [
    [{ kind: 'webhookLate', webhook: 'pager', ageMs: 7_200_000, isGone: false }, 'pager hat seit 2 Std.', 'den Empfänger prüfen'],
    [{ kind: 'webhookLate', webhook: 'pager', ageMs: 7_200_000, isGone: true }, 'pager hat seit 2 Std.', 'hat ihn gelöscht'],
  ],
  notifies: [
    [
      { kind: 'notifies', subscriptions: 6, cost: 6, maxCost: 10_000 },
      'es meldet Änderungen: 6 Abonnements, die 6 von 10.000 kosten; noch keine Benachrichtigung',
    ],
    [{ kind: 'notifies', subscriptions: 6, webhookUrl: 'https://a.example/b' }, 'der Webhook der Anwendung muss https://a.example/b sein'],
    [{ kind: 'notifies', subscriptions: 6, cost: 6, maxCost: 10_000, lastAtMs: 0 }, 'letzte Benachrichtigung am 1970-01-01T00:00:00.000Z'],
  ],
  notifiesPublicly: [[{ kind: 'notifiesPublicly' }, 'nur an eine öffentliche Adresse', 'FANFARE_PUBLIC_URL']],
  notifiesNot: [
    [{ kind: 'notifiesNot', account, problem: 'silent' }, 'es meldet keine Änderungen', 'Firewall'],
    [{ kind: 'notifiesNot', account, problem: 'ECONNREFUSED', fault: 'unreachable' }, '(„ECONNREFUSED“)', 'Firewall'],
    [{ kind: 'notifiesNot', account, problem: 'no conduit', fault: 'quotaExhausted' }, '(„no conduit“)', 'eine andere Anwendung'],
    [{ kind: 'notifiesNot', account, problem: 'HTTP 401', fault: 'unauthorized' }, '(„HTTP 401“)', 'npx fanfare auth x'],
    [{ kind: 'notifiesNot', account, problem: 'HTTP 429', fault: 'rateLimited' }, '(„HTTP 429“)', 'warten'],
    [{ kind: 'notifiesNot', account, problem: 'HTTP 500', fault: 'unavailable' }, '(„HTTP 500“)', 'Statusseite'],
    [{ kind: 'notifiesNot', account, problem: 'HTTP 400', fault: 'rejected' }, '(„HTTP 400“)', 'ein Proxy'],
    [{ kind: 'notifiesNot', account, problem: 'HTTP 404', fault: 'missing' }, '(„HTTP 404“)'],
  ],
  onlyPolled: [
    [
      { kind: 'onlyPolled', account, count: 1, problem: 'HTTP 403', isLimited: false },
      '1 Name wird nur abgefragt („HTTP 403“)',
      'noch gibt',
    ],
    [{ kind: 'onlyPolled', account, count: 2, problem: 'full', isLimited: true }, '2 Namen werden', 'eine andere Anwendung'],
    [
      { kind: 'onlyPolled', account, count: 2, problem: 'HTTP 500', isLimited: false, fault: 'unavailable' },
      '2 Namen werden',
      'Statusseite',
    ],
  ],
  ruleErrors: [
    [{ kind: 'ruleErrors', count: 1 }, 'haben 1 Fehler', 'npx fanfare check'],
    [{ kind: 'ruleErrors', count: 2 }, 'haben 2 Fehler', 'npx fanfare check'],
  ],
  listErrors: [
    [{ kind: 'listErrors', count: 1 }, 'Listendateien haben 1 Fehler', 'npx fanfare check'],
    [{ kind: 'listErrors', count: 2 }, 'Listendateien haben 2 Fehler', 'npx fanfare check'],
  ],
  rulesReady: [
    [{ kind: 'rulesReady', on: 0, off: 0, named: [] }, 'keine', 'npx fanfare new'],
    [{ kind: 'rulesReady', on: 1, off: 0, named: [] }, '1 ist bereit'],
    [
      { kind: 'rulesReady', on: 3, off: 1, named: ['raid, rules/raid.yaml:2'] },
      '3 sind bereit, aus: raid, rules/raid.yaml:2',
      'enabled: true',
    ],
    [{ kind: 'rulesReady', on: 3, off: 12, named: [] }, '3 sind bereit, 12 sind aus', 'npx fanfare check'],
  ],
  nonePublished: [[{ kind: 'nonePublished' }, 'keine', 'npx fanfare rules push']],
  published: [
    [{ kind: 'published', number: 7, publishedAtMs: 0, by: 'ci' }, 'Version 7, veröffentlicht am 1970-01-01T00:00:00.000Z von ci'],
  ],
  failed: [[{ kind: 'failed', fault: 'unreachable', message: 'no route' }, 'nicht erreichbar („no route“)']],
};

describe('in German', () => {
  test.for(Object.values(CHECKS).flat())('the check %j', ([reason, message, remedy]) => {
    const german = checked(reason);

    expect(german.message).toContain(message);
    expect(german.remedy ?? '').toContain(remedy ?? '');
    expect(german.remedy === undefined).toBe(remedy === undefined);
    expect(englishIn(`${german.message} ${(german.remedy ?? '').replace(/(?:npx|chmod) .*$/u, '')}`)).toBeUndefined();
  });
});
