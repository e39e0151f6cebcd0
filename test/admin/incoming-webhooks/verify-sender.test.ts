import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readPayload } from '#src/admin/incoming-webhooks/read-payload.ts';
import { TOLERANCE_MS, verifySender } from '#src/admin/incoming-webhooks/verify-sender.ts';
import { githubRequest, kofiRequest, standardRequest, type SentRequest } from './senders.ts';

const NOW_MS = 1_614_265_330_000;
const TOKEN = '8ab3e7b1-3b1d-4a6e-9a64-6f1f4d7ad9f1';
const WHSEC = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

function verify(
  { kind = 'signature', secret }: { readonly kind?: 'signature' | 'token'; readonly secret: string },
  { headers, body }: SentRequest,
  { queryToken, nowMs = NOW_MS }: { readonly queryToken?: string; readonly nowMs?: number } = {},
) {
  const payload = readPayload(body, headers['content-type']);
  return verifySender({ kind, secret }, { header: (name) => headers[name], queryToken, body }, { payload, nowMs });
}

const PROVEN = { isProven: true };
const UNPROVEN = { isProven: false };

describe('a signature of GitHub', () => {
  const secret = "It's a Secret to Everybody";

  test('is the one of the example in its documentation', () => {
    const { headers, body } = githubRequest(secret, 'Hello, World!');

    expect(headers['x-hub-signature-256']).toBe('sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17');
    expect(verify({ secret }, { headers, body })).toEqual(PROVEN);
  });

  test('does not count for another body, another secret, or none', () => {
    const request = githubRequest(secret, '{"action":"published"}');

    expect(verify({ secret }, { ...request, body: githubRequest(secret, '{"action":"deleted"}').body })).toEqual(UNPROVEN);
    expect(verify({ secret: `${secret}!` }, request)).toEqual(UNPROVEN);
    expect(verify({ secret }, { ...request, headers: {} })).toEqual(UNPROVEN);
    expect(verify({ secret }, { ...request, headers: { 'x-hub-signature-256': 'sha256=' } })).toEqual(UNPROVEN);
  });

  test('does not count for a secret whose sender signs the time', () => {
    expect(verify({ secret: WHSEC }, githubRequest(WHSEC, '{}'))).toEqual(UNPROVEN);
  });
});

describe('a signature in another header', () => {
  const secret = 'a secret with 32 characters, say';
  const body = new TextEncoder().encode('{"total":12}');
  const digest = createHmac('sha256', secret).update(body).digest();
  const send = (value: string, header = 'x-shop-signature', sent = body) =>
    verifySender(
      { kind: 'signature', secret, header: 'x-shop-signature' },
      { header: (name) => (name === header ? value : undefined), body: sent },
      { payload: undefined, nowMs: NOW_MS },
    );

  test.for(['hex', 'base64'] as const)('counts in %s, with and without sha256=', (encoding) => {
    const value = digest.toString(encoding);
    for (const written of [value, `sha256=${value}`]) expect(send(written)).toEqual(PROVEN);
    expect(send(value, 'x-hub-signature-256')).toEqual(UNPROVEN);
    expect(send(value, 'x-shop-signature', new TextEncoder().encode('{"total":13}'))).toEqual(UNPROVEN);
  });

  test('in Base64 counts in its letter case only', () => {
    expect(send(digest.toString('base64').toLowerCase())).toEqual(UNPROVEN);
    expect(send(digest.toString('hex').toUpperCase())).toEqual(PROVEN);
    for (const value of ['', 'sha256=', digest.toString('hex').slice(1), `${digest.toString('hex')}, x`])
      expect(send(value)).toEqual(UNPROVEN);
  });
});

describe('a signature of Standard Webhooks', () => {
  const text = '{"test": 2432232314}';
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
  const sent = (atMs = NOW_MS, of = id): SentRequest => standardRequest(WHSEC, text, { id: of, atMs });

  test('is the one of the test vector, and proves the id', () => {
    expect(sent().headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
    expect(verify({ secret: WHSEC }, sent())).toEqual({ isProven: true, id });
  });

  test('may be one of several', () => {
    const { headers, body } = sent();
    const several = { ...headers, 'webhook-signature': `v1a,x v1,${'A'.repeat(43)}= ${headers['webhook-signature']}` };
    expect(verify({ secret: WHSEC }, { headers: several, body })).toEqual({ isProven: true, id });
  });

  test.for([
    [-TOLERANCE_MS, true],
    [TOLERANCE_MS, true],
    [-TOLERANCE_MS - 1000, false],
    [TOLERANCE_MS + 1000, false],
  ] as const)('sent at %i ms from now: %s', ([awayMs, isProven]) => {
    expect(verify({ secret: WHSEC }, sent(NOW_MS + awayMs)).isProven).toBe(isProven);
  });

  test.for(['webhook-id', 'webhook-timestamp'])('does not count with another %s', (name) => {
    const { headers, body } = sent();
    const other = name === 'webhook-id' ? 'msg_2' : String(NOW_MS / 1000 + 1);
    expect(verify({ secret: WHSEC }, { headers: { ...headers, [name]: other }, body })).toEqual(UNPROVEN);
  });

  test('does not count if its id has a dot, because the signed text could be divided in another way', () => {
    expect(verify({ secret: WHSEC }, sent(NOW_MS, 'msg.1'))).toEqual(UNPROVEN);
  });
});

describe('a signature of Stripe', () => {
  const body = new TextEncoder().encode('{"id":"evt_1"}');
  const sign = (atS: number): string => createHmac('sha256', WHSEC).update(`${atS}.{"id":"evt_1"}`).digest('hex');
  const atS = NOW_MS / 1000;

  test('proves the time and the body', () => {
    const header = (value: string): SentRequest => ({ headers: { 'stripe-signature': value }, body });

    expect(verify({ secret: WHSEC }, header(`t=${atS},v1=${sign(atS)},v0=6ff`))).toEqual(PROVEN);
    expect(verify({ secret: WHSEC }, header(`t=${atS + 1},v1=${sign(atS)}`))).toEqual(UNPROVEN);
    expect(verify({ secret: WHSEC }, header(`t=${atS - 301},v1=${sign(atS - 301)}`))).toEqual(UNPROVEN);
    expect(verify({ secret: WHSEC }, header('t=,v1='))).toEqual(UNPROVEN);
  });
});

describe('a token', () => {
  const given = { kind: 'token', secret: TOKEN } as const;
  const empty = (headers: Readonly<Record<string, string>> = {}): SentRequest => ({ headers, body: new TextEncoder().encode('{}') });

  test('is in the payload of Ko-fi', () => {
    expect(verify(given, kofiRequest(TOKEN))).toEqual(PROVEN);
    expect(verify(given, kofiRequest(TOKEN.toUpperCase()))).toEqual(UNPROVEN);
    expect(verify(given, kofiRequest(''))).toEqual(UNPROVEN);
  });

  test('is in a header, or in the address', () => {
    expect(verify(given, empty({ authorization: `Bearer ${TOKEN}` }))).toEqual(PROVEN);
    expect(verify(given, empty({ 'x-webhook-token': TOKEN }))).toEqual(PROVEN);
    expect(verify(given, empty({ 'x-gitlab-token': TOKEN }))).toEqual(PROVEN);
    expect(verify(given, empty(), { queryToken: TOKEN })).toEqual(PROVEN);
    expect(verify(given, empty(), { queryToken: 'other' })).toEqual(UNPROVEN);
    expect(verify(given, empty())).toEqual(UNPROVEN);
  });

  test('is no signature, and a signature is no token', () => {
    expect(verify({ kind: 'signature', secret: TOKEN }, kofiRequest(TOKEN))).toEqual(UNPROVEN);
    expect(verify(given, githubRequest(TOKEN, '{}'))).toEqual(UNPROVEN);
  });
});
