import { fc } from '../../../test/support/property.ts';
import { describe, expect, test } from 'vitest';
import { bytesOfCid, cidOf, encodeCbor, fromBase32, fromTid, isCid, toBase32, toTid } from '../../bluesky/encoding.ts';
import type { Json } from '#src/operation/json.ts';

/** Documents and the content ids that other implementations agree on for them. */
const KNOWN: readonly (readonly [Json, string])[] = [
  [{}, 'bafyreigbtj4x7ip5legnfznufuopl4sg4knzc2cof6duas4b3q2fy6swua'],
  [
    {
      string: 'abc',
      unicode: 'a~öñ©⽘☎𓋓😀👨\u200D👩\u200D👧\u200D👧',
      integer: 123,
      bool: true,
      null: null,
      array: ['abc', 'def', 'ghi'],
      object: { string: 'abc', number: 123, bool: true, arr: ['abc', 'def', 'ghi'] },
    },
    'bafyreiclp443lavogvhj3d2ob2cxbfuscni2k5jk7bebjzg7khl3esabwq',
  ],
  [
    {
      a: { $link: 'bafyreidfayvfuwqa7qlnopdjiqrxzs6blmoeu4rujcjtnci5beludirz2a' },
      b: { $bytes: 'nFERjvLLiw9qm45JrqH9QTzyC2Lu1Xb4ne6+sBrCzI0' },
      c: {
        $type: 'blob',
        ref: { $link: 'bafkreiccldh766hwcnuxnf2wh6jgzepf2nlu2lvcllt63eww5p6chi4ity' },
        mimeType: 'image/jpeg',
        size: 10_000,
      },
    },
    'bafyreihldkhcwijkde7gx4rpkkuw7pl6lbyu5gieunyc7ihactn5bkd2nm',
  ],
];

describe('content ids', () => {
  test.for(KNOWN)('%j has the id that every implementation gives it', ([document, cid]) => {
    expect(cidOf('record', encodeCbor(document))).toBe(cid);
  });

  test('a blob has the id of its bytes', () => {
    expect(cidOf('blob', Buffer.alloc(0))).toBe('bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku');
  });

  test('the order in which keys were written changes nothing, and what is undefined is not there', () => {
    expect(encodeCbor({ bb: 1, a: 2, ccc: undefined })).toEqual(encodeCbor({ a: 2, bb: 1 }));
    expect(encodeCbor({ bb: 1, a: 2 }).toString('hex')).toBe('a261610262626201');
  });

  test.for([
    [0, '00'],
    [23, '17'],
    [24, '1818'],
    [255, '18ff'],
    [256, '190100'],
    [65_536, '1a00010000'],
    [4_294_967_296, '1b0000000100000000'],
    [Number.MAX_SAFE_INTEGER, '1b001fffffffffffff'],
    [-1, '20'],
    [-25, '3818'],
  ] as const)('%d is written in as few bytes as it takes', ([value, hex]) => {
    expect(encodeCbor(value).toString('hex')).toBe(hex);
  });

  test('a number that is not whole, and a link that is none, cannot be written', () => {
    expect(() => encodeCbor({ a: 1.5 })).toThrow('no whole number');
    expect(() => encodeCbor({ $link: 'nonsense' })).toThrow('not a CID');
  });

  test('whatever is no CID is not taken for one', () => {
    fc.assert(fc.property(fc.string(), (text) => isCid(text) === false));
    fc.assert(
      fc.property(fc.uint8Array(), (content) => {
        const cid = cidOf('blob', content);
        expect(bytesOfCid(cid)).toHaveLength(36);
        expect(isCid(cid.slice(0, -1))).toBe(false);
      }),
    );
  });
});

describe('base 32', () => {
  test('what was written is read back', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(fromBase32(toBase32(bytes))).toEqual(Buffer.from(bytes));
      }),
    );
  });
});

describe('record keys of an instant', () => {
  const tick = fc.record({ atUs: fc.integer({ min: 0, max: 2 ** 53 - 1 }), clock: fc.integer({ min: 0, max: 1023 }) });

  test('what was written is read back', () => {
    fc.assert(
      fc.property(tick, (given) => {
        expect(fromTid(toTid(given))).toEqual(given);
      }),
    );
  });

  test('they sort as their instants do', () => {
    fc.assert(
      fc.property(tick, tick, (one, other) => {
        fc.pre(one.atUs !== other.atUs);
        expect(toTid(one) < toTid(other)).toBe(one.atUs < other.atUs);
      }),
    );
  });

  test('anything else is none', () => {
    fc.assert(fc.property(fc.string({ maxLength: 12 }), (text) => fromTid(text) === undefined));
    expect(fromTid('zzzzzzzzzzzzz')).toBeUndefined();
  });
});
