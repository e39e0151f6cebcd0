import { expect, test } from 'vitest';
import { neverLeft } from '#src/http/never-left.ts';

test.for([
  ['ECONNREFUSED', true],
  ['ENOTFOUND', true],
  ['UND_ERR_CONNECT_TIMEOUT', true],
  ['CERT_HAS_EXPIRED', true],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', true],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', true],
  ['ECONNRESET', false],
  ['EPIPE', false],
  ['UND_ERR_SOCKET', false],
  ['UND_ERR_HEADERS_TIMEOUT', false],
] as const)('a request that failed with %s never left: %s', ([code, left]) => {
  expect(neverLeft(Object.assign(new Error('failed'), { code }))).toBe(left);
});

test('what is no error of a connection may have left', () => {
  expect([neverLeft(new Error('failed')), neverLeft('ECONNREFUSED'), neverLeft(undefined)]).toEqual([false, false, false]);
});
