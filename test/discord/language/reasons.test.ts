import { describe, expect, test } from 'vitest';
import { de } from '#src/discord/language/de/index.ts';
import { en } from '#src/discord/language/en/index.ts';
import { withDeliveryMessage } from '#src/engine/delivery/reason.ts';
import { withMessage } from '#src/rules/messages/format-reason.ts';
import type { Suppression } from '#src/rules/reasons/reason.ts';
import { DECISION_REASONS, DELIVERY_REASONS, englishIn } from '../../support/reasons.ts';

const UNREADABLE = /undefined|NaN|\[object|\s{2}|\(\)|: ;|, ,/u;

describe('a reason of a decision', () => {
  test.each(DECISION_REASONS.map((why) => [JSON.stringify(why), why] as const))('is a sentence in each language: %s', (_name, why) => {
    const decided = withMessage(why);
    const [english, german] = [en.reasons.decided(decided), de.reasons.decided(decided)];

    expect(english).toBe(decided.message);
    expect(englishIn(german)).toBeUndefined();
    for (const answered of [english, german]) {
      expect(answered).not.toMatch(UNREADABLE);
      expect(answered.length).toBeGreaterThan(7);
    }
  });

  test('that was stored is formatted in the same way', () => {
    for (const why of DECISION_REASONS) {
      const kept = JSON.parse(JSON.stringify(withMessage(why))) as ReturnType<typeof withMessage>; // written down as the store does it

      expect(de.reasons.decided(kept)).toBe(de.reasons.decided(withMessage(why)));
    }
  });

  test('of an earlier version is its stored message', () => {
    expect(de.reasons.decided({ message: 'ada entered at #1' })).toBe('ada entered at #1');
  });

  test('of an item that a rule finds says where it is, and that it is new only if it is', () => {
    const suppressedBy = { kind: 'alreadyInList' } as const;
    const found = { kind: 'opened', name: 'Ada', standing: {}, suppressedBy } as const;
    const reasons = [found, { kind: 'itemChanged', name: 'Ada', change: { kind: 'entered', standing: {} } }] as const;

    expect(reasons.map((why) => withMessage(why).message)).toEqual([
      'Ada is in the list, not announced: it was already in the list',
      'Ada is new in the list',
    ]);
    expect(reasons.map((why) => de.reasons.decided(withMessage(why)))).toEqual([
      'Ada steht in der Liste, nicht gemeldet: war schon vorher da',
      'Ada ist neu in der Liste',
    ]);
  });

  test('of an item that `where` excludes names the clause in each language', () => {
    const filteredOut = {
      kind: 'false',
      clauses: [{ source: 'item.viewerCount > 5', values: [{ expression: 'item.viewerCount', value: '3' }] }],
    } as const;
    const ada = { name: 'Ada', filteredOut } as const;
    const reasons = [
      { kind: 'missing', ...ada, missing: { polls: { count: 1, of: 2 } } },
      { kind: 'leftBeforeOpening', ...ada, seenMs: 60_000 },
      { kind: 'closed', ...ada, live: false, seenMs: 60_000, standing: { rank: 1 } },
    ] as const;

    expect(reasons.map((why) => withMessage(why).message)).toEqual([
      'Ada no longer fits where (item.viewerCount > 5 is false: item.viewerCount is 3): 1 of 2 polls',
      'Ada no longer fits where (item.viewerCount > 5 is false: item.viewerCount is 3), before its episode opened; it was seen for 1m',
      'Ada has left: it no longer fits where (item.viewerCount > 5 is false: item.viewerCount is 3); seen for 1m, last at #1',
    ]);
    expect(reasons.map((why) => de.reasons.decided(withMessage(why)))).toEqual([
      'Ada passt nicht mehr zu „where“, denn item.viewerCount > 5 trifft nicht zu (item.viewerCount ist 3): in 1 von 2 Abfragen',
      'Ada zählte noch nicht und passt nicht mehr zu „where“, denn item.viewerCount > 5 trifft nicht zu (item.viewerCount ist 3); gesehen für 1 Min.',
      'Ada ist nicht mehr dabei: passt nicht mehr zu „where“, denn item.viewerCount > 5 trifft nicht zu (item.viewerCount ist 3); gesehen für 1 Min., zuletzt auf #1',
    ]);
  });

  test('shows the text of a suppression that an earlier version stored', () => {
    const why = {
      kind: 'closed',
      name: 'Ada',
      live: true,
      seenMs: 60_000,
      standing: { rank: 1 },
      suppressedBy: 'it was already in the list',
    } as const;

    expect(withMessage(why).message).toBe('Ada has ended: seen for 1m, last at #1; it was never announced: it was already in the list');
    expect(de.reasons.decided(withMessage(why))).toBe(
      'Ada ist nicht mehr live: gesehen für 1 Min., zuletzt auf #1; nie gemeldet: it was already in the list',
    );
  });

  test.for<[Suppression, string, string]>([
    [{ kind: 'paused', by: 'Grace', agoMs: 60_000 }, 'Grace had paused the rule', 'Grace hatte die Regel angehalten'],
    [{ kind: 'muted', by: 'Grace', agoMs: 60_000 }, 'Grace had muted it', 'Grace hatte den Eintrag stummgeschaltet'],
    [
      { kind: 'fuseBlown', agoMs: 60_000, limit: 30, perMs: 3_600_000 },
      'the rule was paused automatically: more than 30 announcements in an hour',
      'die Regel war automatisch angehalten: mehr als 30 Meldungen in einer Stunde',
    ],
    [
      { kind: 'cooldown', per: 'rule', agoMs: 60_000, leftMs: 1_000 },
      'cooldown: the rule had fired 1m before',
      'Wartezeit: die Regel hatte 1 Min. vorher gemeldet',
    ],
    [
      { kind: 'cooldown', per: 'item', agoMs: 0, leftMs: 1_000 },
      'cooldown: it had been announced in the same poll',
      'Wartezeit: der Eintrag wurde in derselben Abfrage gemeldet',
    ],
    [
      { kind: 'quietHours', fromMinute: 1_380, toMinute: 480, timezone: 'Europe/Berlin', leftMs: 1_000 },
      'quiet: from 23:00 to 08:00 in Europe/Berlin',
      'Ruhezeit von 23:00 bis 08:00 (Europe/Berlin)',
    ],
    [
      { kind: 'limitReached', limit: 2, perMs: 60_000, leftMs: 1_000 },
      'limit: at most 2 announcements in 1m',
      'Limit: höchstens 2 Meldungen in 1 Min.',
    ],
  ])('the end of an episode names no time left and no action: %o', ([suppressedBy, english, german]) => {
    const why = { kind: 'closed', name: 'Ada', live: true, seenMs: 60_000, standing: { rank: 1 }, suppressedBy } as const;

    expect(withMessage(why).message.split('never announced: ')[1]).toBe(english);
    expect(de.reasons.decided(withMessage(why)).split('nie gemeldet: ')[1]).toBe(german);
  });
});

describe('a reason of a delivery', () => {
  test.each(DELIVERY_REASONS.map((why) => [JSON.stringify(why), why] as const))('is a sentence in each language: %s', (_name, why) => {
    const answered = withDeliveryMessage(why);
    const [english, german] = [en.reasons.delivered(answered), de.reasons.delivered(answered)];

    expect(english).toBe(answered.message);
    expect(englishIn(german ?? '')).toBeUndefined();
    for (const text of [english, german]) {
      expect(text).not.toMatch(UNREADABLE);
      expect(text?.length).toBeGreaterThan(7);
    }
  });

  test('that failed has the reason in German and the message of the platform', () => {
    const error = { fault: 'forbidden', message: 'Missing Access' } as const;

    expect(de.reasons.delivered({ error })).toBe('dort nicht erlaubt („Missing Access“)');
    expect(en.reasons.delivered({ error })).toBe('Missing Access');
  });

  test('that was stopped names the step by its position, even from earlier versions', () => {
    const [now, before] = [
      { kind: 'earlierStepFailed', step: '1', number: 4, account: 'x' } as const,
      { kind: 'earlierStepFailed', step: '1', account: 'x' } as const,
    ];

    expect([now, before].map((why) => withDeliveryMessage(why).message)).toEqual([
      'step 4 failed on x, and it has onError: stop',
      'step 1 failed on x, and it has onError: stop',
    ]);
    expect(de.reasons.delivered(withDeliveryMessage(now))).toMatch(/^der Schritt 4 ist bei x fehlgeschlagen/u);
    expect(de.reasons.delivered(withDeliveryMessage(before))).toMatch(/^der Schritt 1 ist bei x fehlgeschlagen/u);
  });

  test('is undefined without a reason', () => {
    expect([de, en].map(({ reasons }) => reasons.delivered({}))).toEqual([undefined, undefined]);
  });
});
