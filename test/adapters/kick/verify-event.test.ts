import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { verifyEvent } from '#adapters/kick/events/verify-event.ts';

const NOW_MS = Date.parse('2026-11-24T12:00:00Z');
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const others = generateKeyPairSync('rsa', { modulusLength: 2048 });
const BODY = JSON.stringify({ broadcaster: { user_id: 7, channel_slug: 'ada' }, is_live: true, title: 'Grüße 🎉' });

interface Changes {
  readonly key?: KeyObject;
  readonly at?: string;
  readonly id?: string;
  readonly signed?: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** A request of Kick with some changes. */
function received({ key = keys.privateKey, at = '2026-11-24T12:00:00Z', id = '01JM', signed, body = BODY, headers = {} }: Changes = {}) {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signature = sign('RSA-SHA256', Buffer.concat([Buffer.from(`${id}.${at}.`), Buffer.from(signed ?? bytes)]), key).toString('base64');
  const all: Readonly<Record<string, string | undefined>> = {
    'kick-event-message-id': id,
    'kick-event-subscription-id': '01SUB',
    'kick-event-signature': signature,
    'kick-event-message-timestamp': at,
    'kick-event-type': 'livestream.status.updated',
    ...headers,
  };
  const request = {
    method: 'POST',
    subscription: '',
    query: new URLSearchParams(),
    header: (name: string) => all[name],
    body: bytes,
  } as const;
  return verifyEvent(request, { publicKey: keys.publicKey, nowMs: NOW_MS });
}

test('an event of Kick is read', () => {
  expect(received()).toEqual({
    id: '01JM',
    subscriptionId: '01SUB',
    type: 'livestream.status.updated',
    channel: { id: '7', slug: 'ada' },
  });
});

describe('is refused:', () => {
  test.each<readonly [string, Changes, string]>([
    ['another key', { key: others.privateKey }, 'signature'],
    ['another body', { signed: `${BODY} ` }, 'signature'],
    ['no signature', { headers: { 'kick-event-signature': undefined } }, 'signature'],
    ['an empty signature', { headers: { 'kick-event-signature': '' } }, 'signature'],
    ['a signature that is no Base64', { headers: { 'kick-event-signature': '!'.repeat(344) } }, 'signature'],
    ['a huge signature', { headers: { 'kick-event-signature': 'A'.repeat(10_000) } }, 'signature'],
    ['another id', { headers: { 'kick-event-message-id': '01JN' } }, 'signature'],
    ['a huge id', { id: 'a'.repeat(101) }, 'signature'],
    ['an id with a dot, behind which the body could begin', { id: 'a.b' }, 'signature'],
    ['no subscription', { headers: { 'kick-event-subscription-id': undefined } }, 'signature'],
    ['another time', { headers: { 'kick-event-message-timestamp': '2026-11-24T12:00:01Z' } }, 'signature'],
    ['an old time', { at: '2026-11-24T11:29:59Z' }, 'timestamp'],
    ['a time in the future', { at: '2026-11-24T12:10:01Z' }, 'timestamp'],
    ['no time', { at: '' }, 'timestamp'],
    ['an empty body', { body: '' }, 'malformed'],
    ['a body that is not UTF-8', { body: Uint8Array.of(0xff, 0xfe) }, 'malformed'],
    ['a body without a channel', { body: '{"is_live":true}' }, 'malformed'],
    ['a nested body', { body: '['.repeat(10_000) }, 'malformed'],
  ])('%s', (_name, changes, reason) => {
    expect(received(changes)).toBe(reason);
  });

  test('each truncated signature', () => {
    const whole = sign('RSA-SHA256', Buffer.from(`01JM.2026-11-24T12:00:00Z.${BODY}`), keys.privateKey).toString('base64');
    expect(received({ headers: { 'kick-event-signature': whole } })).toMatchObject({ id: '01JM' });
    for (let length = 0; length < whole.length - 2; length += 7) {
      expect(received({ headers: { 'kick-event-signature': whole.slice(0, length) } })).toBe('signature');
    }
  });
});

test('an event may be a quarter of an hour late', () => {
  expect(received({ at: '2026-11-24T11:45:00Z' })).toMatchObject({ id: '01JM' });
});
