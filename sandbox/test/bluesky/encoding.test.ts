import { expect, test } from 'vitest';
import { fc } from '../../../test/support/property.ts';
import { cidOf, fromTid, isCid, toTid } from '../../bluesky/encoding.ts';

const tick = fc.record({ atUs: fc.integer({ min: 0, max: 2 ** 52 }), clock: fc.integer({ min: 0, max: 1023 }) });

test('the content id of a blob equals the id from other implementations', () => {
  expect(cidOf('blob', Buffer.alloc(0))).toBe('bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku');
  fc.assert(fc.property(fc.string(), (text) => isCid(cidOf('record', text)) && !isCid(text)));
});

test('a record key contains its instant, and keys sort by their instants', () => {
  fc.assert(fc.property(tick, ({ atUs, clock }) => fromTid(toTid(atUs, clock)) === atUs));
  fc.assert(fc.property(tick, tick, (a, b) => a.atUs === b.atUs || toTid(a.atUs, a.clock) < toTid(b.atUs, b.clock) === a.atUs < b.atUs));
  expect([fromTid('zzzzzzzzzzzzz'), fromTid('222')]).toEqual([undefined, undefined]);
});
