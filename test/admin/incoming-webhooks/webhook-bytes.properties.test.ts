import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPayload } from '#src/admin/incoming-webhooks/read-payload.ts';
import { verifySender } from '#src/admin/incoming-webhooks/verify-sender.ts';
import { isJsonObject, type JsonObject } from '#src/clients/operation/json.ts';
import type { WebhookFields } from '#src/rules/step.ts';
import { fitPayload } from '#src/rules/webhook/fit-payload.ts';
import { codePoint, runs } from '../../support/property.ts';
import { githubRequest, standardRequest } from './senders.ts';

const SECRET = 'a secret with 32 characters, say';
const WHSEC = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const AT_MS = 1_790_000_000_000;
const NOW = new Date(AT_MS).toISOString();

const FIELDS: WebhookFields = {
  name: { type: 'text', optional: false },
  amount: { type: 'number', optional: true },
  at: { type: 'time', optional: true },
  tags: { type: { list: 'text' }, optional: true },
  by: { type: { fields: { id: { type: 'integer', optional: false } } }, optional: true },
};

test('a changed byte of the body, the signature or the secret never proves a sender', () => {
  const change = fc.record({ text: fc.string({ unit: codePoint, minLength: 1 }), at: fc.nat(), by: fc.integer({ min: 1, max: 255 }) });
  fc.assert(
    fc.property(change, fc.boolean(), ({ text, at, by }, isStandard) => {
      const secret = isStandard ? WHSEC : SECRET;
      const { headers, body } = isStandard ? standardRequest(secret, text, { id: 'msg_1', atMs: AT_MS }) : githubRequest(secret, text);
      const verify = (sent: Uint8Array, key = secret) =>
        verifySender(
          { kind: 'signature', secret: key },
          { header: (name) => headers[name], body: sent },
          { payload: undefined, nowMs: AT_MS },
        );
      const changed = Uint8Array.from(body);
      const index = at % changed.length;
      changed[index] = (changed[index] ?? 0) ^ by;

      expect(verify(body).isProven).toBe(true);
      expect(verify(changed).isProven).toBe(false);
      expect(verify(body, `${secret}x${'A'.repeat(4)}`).isProven).toBe(false);
    }),
    { numRuns: runs(200, 5_000) },
  );
});

test('headers of strangers neither prove a sender nor throw', () => {
  const header = fc.oneof(fc.string({ unit: codePoint }), fc.constantFrom('t=,v1=', 'v1,', 'sha256=', 't=1,v1', 'Bearer ', ','));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...HEADERS), header), fc.uint8Array(), (headers, body) => {
      for (const secret of [SECRET, WHSEC])
        for (const kind of ['signature', 'token'] as const) {
          const request = { header: (name: string) => headers[name], body };
          expect(verifySender({ kind, secret }, request, { payload: undefined, nowMs: AT_MS }).isProven).toBe(false);
        }
    }),
    { numRuns: runs(200, 5_000) },
  );
});

const HEADERS = [
  'authorization',
  'x-webhook-token',
  'x-hub-signature-256',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'stripe-signature',
];

/** Whether an item has only the fields in {@link FIELDS}, each with its type. */
function hasDeclaredTypes({ name, amount = 0, at = NOW, tags = [], by = { id: 1 }, ...others }: JsonObject): boolean {
  return (
    Object.keys(others).length === 0 &&
    typeof name === 'string' &&
    Number.isFinite(amount) &&
    typeof at === 'string' &&
    new Date(at).toISOString() === at &&
    Array.isArray(tags) &&
    tags.every((one) => typeof one === 'string') &&
    isJsonObject(by) &&
    Number.isSafeInteger(by['id'])
  );
}

test('any bytes are a payload with the declared types, or are refused', () => {
  const body = fc.oneof(
    fc.uint8Array(),
    fc.json().map((text) => new TextEncoder().encode(text)),
    fc
      .record(
        { name: fc.jsonValue(), amount: fc.jsonValue(), at: fc.jsonValue(), tags: fc.jsonValue(), by: fc.jsonValue() },
        { requiredKeys: [] },
      )
      .map((value) => new TextEncoder().encode(JSON.stringify(value))),
  );
  fc.assert(
    fc.property(body, fc.constantFrom('application/json', 'application/x-www-form-urlencoded', undefined), (bytes, type) => {
      const payload = readPayload(bytes, type);
      if (!payload) return;
      const fitted = fitPayload(FIELDS, payload);
      expect('faults' in fitted ? fitted.faults.length > 0 : hasDeclaredTypes(fitted.item)).toBe(true);
    }),
    { numRuns: runs(300, 10_000) },
  );
});

test('a form and JSON with the same texts are the same payload', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
        fc.string(),
      ),
      (fields) => {
        fc.pre(Object.keys(fields).every((key) => key.isWellFormed()) && Object.values(fields).every((value) => value.isWellFormed()));
        const keys = Object.keys(fields);
        fc.pre(keys.length !== 1 || !['data', 'payload'].includes(keys[0] ?? ''));
        const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
        const form = readPayload(encode(new URLSearchParams(fields).toString()), 'application/x-www-form-urlencoded; charset=utf-8');

        expect({ ...form }).toEqual({ ...readPayload(encode(JSON.stringify(fields)), 'application/json') });
      },
    ),
    { numRuns: runs(200, 5_000) },
  );
});
