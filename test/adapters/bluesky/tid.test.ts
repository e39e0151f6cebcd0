import { fc } from '../../support/property.ts';
import { expect, test } from 'vitest';
import { tidOf } from '#adapters/bluesky/repo.ts';

const instant = fc.date({ min: new Date('2005-01-01T00:00:00Z'), max: new Date('2200-01-01T00:00:00Z'), noInvalidDate: true });

test('the same key and instant result in the same record key', () => {
  expect(tidOf('delivery-1', new Date('2026-11-20T18:00:00Z'))).toBe(tidOf('delivery-1', new Date('2026-11-20T18:00:00Z')));
  expect(tidOf('delivery-1', new Date('2026-11-20T18:00:00Z'))).toBe('3n2r63orovlol');
});

test('a record key is a valid TID within a second after the instant', () => {
  fc.assert(
    fc.property(fc.string(), instant, (key, since) => {
      const tid = tidOf(key, since);

      expect(tid).toMatch(/^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$/);
      const afterMs = microsOf(tid) / 1000 - since.getTime();
      expect(afterMs).toBeGreaterThanOrEqual(0);
      expect(afterMs).toBeLessThan(1000);
    }),
  );
});

test('two keys at one instant result in two record keys', () => {
  const since = new Date('2026-11-20T18:00:00Z');
  const tids = Array.from({ length: 1000 }, (_, index) => tidOf(`delivery-${index}`, since));

  expect(new Set(tids).size).toBe(1000);
});

/** As the protocol reads it: 53 bits of microseconds above 10 of whose clock it was. */
function microsOf(tid: string): number {
  return Number(tid.split('').reduce((sum, sign) => sum * 32n + BigInt('234567abcdefghijklmnopqrstuvwxyz'.indexOf(sign)), 0n) >> 10n);
}
