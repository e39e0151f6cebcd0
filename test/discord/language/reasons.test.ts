import { describe, expect, test } from 'vitest';
import { de } from '#src/discord/language/de/index.ts';
import { en } from '#src/discord/language/en/index.ts';
import { deliveryBecause } from '#src/outbox/reason.ts';
import { because } from '#src/rules/reasons/because.ts';
import { DECISION_REASONS, DELIVERY_REASONS, englishIn } from '../../support/reasons.ts';

const UNREADABLE = /undefined|NaN|\[object|\s{2}|\(\)|: ;|, ,/u;

describe('a reason of a decision', () => {
  test.each(DECISION_REASONS.map((why) => [JSON.stringify(why), why] as const))('is a sentence in each language: %s', (_name, why) => {
    const decided = because(why);
    const [english, german] = [en.reasons.decided(decided), de.reasons.decided(decided)];

    expect(english).toBe(decided.reason);
    expect(englishIn(german)).toBeUndefined();
    for (const said of [english, german]) {
      expect(said).not.toMatch(UNREADABLE);
      expect(said.length).toBeGreaterThan(7);
    }
  });

  test('that was written down is said as it was before', () => {
    for (const why of DECISION_REASONS) {
      const kept = JSON.parse(JSON.stringify(because(why))) as ReturnType<typeof because>; // written down as the store does it

      expect(de.reasons.decided(kept)).toBe(de.reasons.decided(because(why)));
    }
  });

  test('of which only the sentence is known is that sentence', () => {
    expect(de.reasons.decided({ reason: 'ada entered at #1' })).toBe('ada entered at #1');
  });

  test('of an item that `where` refuses names the clause in each language', () => {
    const unfit = { kind: 'false', clauses: [{ source: 'item.viewerCount > 5', values: [{ of: 'item.viewerCount', is: '3' }] }] } as const;
    const ada = { name: 'Ada', unfit } as const;
    const reasons = [
      { kind: 'missing', ...ada, missing: { polls: { count: 1, of: 2 } } },
      { kind: 'vanished', ...ada, seenMs: 60_000 },
      { kind: 'closed', ...ada, live: false, seenMs: 60_000, standing: { rank: 1 } },
    ] as const;

    expect(reasons.map((why) => because(why).reason)).toEqual([
      'Ada no longer fits where (item.viewerCount > 5 is false: item.viewerCount is 3): 1 of 2 polls',
      'Ada no longer fits where (item.viewerCount > 5 is false: item.viewerCount is 3), and had not opened; it was seen for 1m',
      'Ada has left: it no longer fits where (item.viewerCount > 5 is false: item.viewerCount is 3); seen for 1m, at last #1',
    ]);
    expect(reasons.map((why) => de.reasons.decided(because(why)))).toEqual([
      'Ada passt nicht mehr zu „where“, denn item.viewerCount > 5 trifft nicht zu (item.viewerCount ist 3): 1 von 2 Malen',
      'Ada zählte noch nicht und passt nicht mehr zu „where“, denn item.viewerCount > 5 trifft nicht zu (item.viewerCount ist 3); gesehen für 1 Min.',
      'Ada ist nicht mehr dabei: passt nicht mehr zu „where“, denn item.viewerCount > 5 trifft nicht zu (item.viewerCount ist 3); gesehen für 1 Min., zuletzt #1',
    ]);
  });

  test('has the silence that an earlier version wrote down as it is', () => {
    const why = {
      kind: 'closed',
      name: 'Ada',
      live: true,
      seenMs: 60_000,
      standing: { rank: 1 },
      silence: 'it was there already',
    } as const;

    expect(because(why).reason).toBe('Ada has ended: seen for 1m, at last #1; it was never announced: it was there already');
    expect(de.reasons.decided(because(why))).toBe(
      'Ada ist nicht mehr live: gesehen für 1 Min., zuletzt #1; nie gemeldet: it was there already',
    );
  });
});

describe('a reason of a delivery', () => {
  test.each(DELIVERY_REASONS.map((why) => [JSON.stringify(why), why] as const))('is a sentence in each language: %s', (_name, why) => {
    const said = deliveryBecause(why);
    const [english, german] = [en.reasons.delivered(said), de.reasons.delivered(said)];

    expect(english).toBe(said.reason);
    expect(englishIn(german ?? '')).toBeUndefined();
    for (const text of [english, german]) {
      expect(text).not.toMatch(UNREADABLE);
      expect(text?.length).toBeGreaterThan(7);
    }
  });

  test('that failed tells in German what went wrong, and what the platform said to it', () => {
    const error = { fault: 'forbidden', message: 'Missing Access' } as const;

    expect(de.reasons.delivered({ error })).toBe('dort nicht erlaubt („Missing Access“)');
    expect(en.reasons.delivered({ error })).toBe('Missing Access');
  });

  test('that was stopped names the step by its place in the file; what an earlier version wrote down is said as it was', () => {
    const [now, before] = [
      { kind: 'stopped', step: '1', number: 4, account: 'x' } as const,
      { kind: 'stopped', step: '1', account: 'x' } as const,
    ];

    expect([now, before].map((why) => deliveryBecause(why).reason)).toEqual([
      'step 4 failed on x, and its onError is stop',
      'step 1 failed on x, and its onError is stop',
    ]);
    expect(de.reasons.delivered(deliveryBecause(now))).toMatch(/^der Schritt 4 ist bei x gescheitert/u);
    expect(de.reasons.delivered(deliveryBecause(before))).toMatch(/^der Schritt 1 ist bei x gescheitert/u);
  });

  test('is nothing where there is none', () => {
    expect([de, en].map(({ reasons }) => reasons.delivered({}))).toEqual([undefined, undefined]);
  });
});
