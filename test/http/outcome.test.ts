import { describe, expect, test } from 'vitest';
import { PlatformError, type Fault } from '#src/errors.ts';
import { httpClient } from '#src/http/client.ts';
import { beforeWrite, faultOfAttempt, isNotSent, mayHaveHappened, type Phase } from '#src/http/outcome.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { scriptHttp } from '../support/script-http.ts';

const RETRY_AT = new Date('2026-11-20T18:01:00Z');
const errorWith = (fault: Fault, more: object = {}): PlatformError =>
  new PlatformError('demo: it failed.', { platform: 'demo', fault, ...more });

describe('the fault of a failed request', () => {
  test.for([
    ['GET', 'notSent', false, 'unanswered', 'unreachable'],
    ['POST', 'notSent', true, 'unanswered', 'unreachable'],
    ['GET', 'sent', false, 'unanswered', 'unanswered'],
    ['POST', 'sent', true, 'unanswered', 'unanswered'],
    ['POST', 'sent', true, 'malformed', 'malformed'],
    ['GET', 'answered', false, 'unavailable', 'unavailable'],
    ['GET', 'answered', true, 'unavailable', 'unavailable'],
    ['PUT', 'answered', false, 'unavailable', 'unavailable'],
    ['POST', 'answered', false, 'unavailable', 'unavailable'],
    ['POST', 'answered', true, 'unavailable', 'unanswered'],
    ['PUT', 'answered', true, 'unavailable', 'unanswered'],
    ['POST', 'answered', true, 'malformed', 'malformed'],
    ['POST', 'answered', true, 'rateLimited', 'rateLimited'],
    ['POST', 'answered', true, 'duplicate', 'duplicate'],
    ['POST', 'answered', true, 'rejected', 'rejected'],
  ] as const satisfies readonly (readonly [string, Phase, boolean, Fault, Fault])[])(
    '%s, %s, creates: %s, %s is %s',
    ([method, phase, creates, fault, expected]) => {
      expect(faultOfAttempt({ method, phase, creates, fault })).toBe(expected);
    },
  );

  test.for([
    [{ creates: true }, 503, { fault: 'unanswered', retryAt: RETRY_AT }],
    [{}, 503, { fault: 'unavailable', retryAt: RETRY_AT }],
    [{ creates: true }, 429, { fault: 'rateLimited', retryAt: RETRY_AT }],
    [{ creates: true }, 302, { fault: 'malformed' }],
  ] as const)('a POST with %o that fails with %i is %o', async ([request, status, expected]) => {
    await using server = await scriptHttp([['POST /things', { status, json: {}, headers: { 'retry-after': '60' } }]]);
    await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock: new ManualClock() });

    await expect(client.request({ method: 'POST', path: '/things', ...request })).rejects.toMatchObject({ status, ...expected });
    expect(server.seen).toHaveLength(1);
  });
});

test.for([
  ['unanswered', true],
  ['unavailable', true],
  ['malformed', true],
  ['unreachable', false],
  ['rateLimited', false],
  ['quotaExhausted', false],
  ['unauthorized', false],
  ['forbidden', false],
  ['missing', false],
  ['rejected', false],
  ['duplicate', false],
] as const)('after the fault %s, the platform may have carried out the request: %s', ([fault, may]) => {
  expect(mayHaveHappened(errorWith(fault))).toBe(may);
});

describe('a request before a write', () => {
  test.for(['unanswered', 'unavailable', 'malformed'] as const)('the error for %s states that the write was not sent', async (fault) => {
    const retryAt = new Date('2026-11-20T18:05:00Z');

    await expect(beforeWrite(Promise.reject(errorWith(fault, { status: 503, retryAt })))).rejects.toMatchObject({
      fault: 'unreachable',
      status: 503,
      retryAt,
    });
  });

  test.for([errorWith('rejected'), errorWith('unavailable', { part: { parameter: 'files', index: 0 } })])(
    '%o is passed on',
    async (error) => {
      await expect(beforeWrite(Promise.reject(error))).rejects.toBe(error);
    },
  );
});

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
] as const)('a request that failed with %s was not sent: %s', ([code, expected]) => {
  expect(isNotSent(Object.assign(new Error('failed'), { code }))).toBe(expected);
});

test('without the code of a connection error, the request may have been sent', () => {
  expect([isNotSent(new Error('failed')), isNotSent('ECONNREFUSED'), isNotSent(undefined)]).toEqual([false, false, false]);
});
