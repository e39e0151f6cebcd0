import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { verifyWebhook } from '#adapters/twitch/eventsub/verify-webhook.ts';
import { receiveWebhook } from '#adapters/twitch/eventsub/webhook.ts';

const NOW_MS = Date.parse('2026-11-24T12:00:00Z');
const SECRET = 'a secret of the account';
const BODY = JSON.stringify({
  subscription: { id: 'sub', type: 'stream.online', transport: { method: 'conduit', conduit_id: 'mine' } },
  event: { broadcaster_user_id: '7', broadcaster_user_login: 'ada', broadcaster_user_name: 'Ada 🎉' },
});

interface Changes {
  readonly secret?: string;
  readonly at?: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

function requestOf({ secret = SECRET, at = '2026-11-24T12:00:00.123456789Z', body = BODY, headers = {} }: Changes = {}) {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const all: Readonly<Record<string, string | undefined>> = {
    'twitch-eventsub-message-id': 'id',
    'twitch-eventsub-message-timestamp': at,
    'twitch-eventsub-message-type': 'notification',
    'twitch-eventsub-message-signature': `sha256=${createHmac('sha256', secret).update(`id${at}`).update(bytes).digest('hex')}`,
    ...headers,
  };
  return { method: 'POST', subscription: '', query: new URLSearchParams(), header: (name: string) => all[name], body: bytes } as const;
}

const received = (changes?: Changes) => verifyWebhook(requestOf(changes), { secret: SECRET, nowMs: NOW_MS });

test('a notification, a challenge and a revocation of Twitch are read', () => {
  expect(received()).toMatchObject({
    kind: 'notification',
    notification: { id: 'id', type: 'stream.online', conduitId: 'mine' },
    names: ['7', 'ada'],
  });
  const challenge = { 'twitch-eventsub-message-type': 'webhook_callback_verification' };
  expect(received({ body: '{"challenge":"pass"}', headers: challenge })).toEqual({ kind: 'challenge', challenge: 'pass' });
  expect(received({ headers: { 'twitch-eventsub-message-type': 'revocation' } })).toEqual({ kind: 'revocation', subscriptionId: 'sub' });
  expect(received({ body: '{}', headers: { 'twitch-eventsub-message-type': 'revocation' } })).toBe('malformed');
});

test.each<readonly [string, Changes, string]>([
  ['another secret', { secret: 'another' }, 'signature'],
  ['no signature', { headers: { 'twitch-eventsub-message-signature': undefined } }, 'signature'],
  ['a truncated signature', { headers: { 'twitch-eventsub-message-signature': `sha256=${'a'.repeat(63)}` } }, 'signature'],
  ['another method', { headers: { 'twitch-eventsub-message-signature': `sha1=${'a'.repeat(40)}` } }, 'signature'],
  ['another id', { headers: { 'twitch-eventsub-message-id': 'other' } }, 'signature'],
  ['no id', { headers: { 'twitch-eventsub-message-id': undefined } }, 'signature'],
  ['another time', { headers: { 'twitch-eventsub-message-timestamp': '2026-11-24T12:00:01Z' } }, 'signature'],
  ['an old time', { at: '2026-11-24T11:49:59Z' }, 'timestamp'],
  ['a time in the future', { at: '2026-11-24T12:10:01Z' }, 'timestamp'],
  ['no time', { at: '' }, 'timestamp'],
  ['an empty body', { body: '' }, 'malformed'],
  ['a body that is not UTF-8', { body: Uint8Array.of(0xff) }, 'malformed'],
  ['another type', { headers: { 'twitch-eventsub-message-type': 'session_welcome' } }, 'malformed'],
  ['a challenge without a text', { body: '{}', headers: { 'twitch-eventsub-message-type': 'webhook_callback_verification' } }, 'malformed'],
])('%s is refused', (_name, changes, reason) => {
  expect(received(changes)).toBe(reason);
});

test.each([
  [
    'client mine',
    SECRET,
    { kind: 'notification', id: 'id', type: 'stream.online', changes: [{ operation: 'getStreams', names: ['7', 'ada'] }] },
  ],
  ['client other', SECRET, { kind: 'refused', reason: 'subscription' }],
  [undefined, SECRET, { kind: 'refused', reason: 'subscription' }],
  ['client mine', undefined, { kind: 'refused', reason: 'subscription' }],
])('with the stored conduit "%s" and the secret "%s", a notification is %o', async (stored, secret, expected) => {
  const none = { all: async () => [], find: async () => undefined, keep: async () => undefined, drop: async () => undefined };
  const options = { secret: async () => secret, storedText: async () => stored, subscriptions: none, nowMs: NOW_MS, revocations: {} };
  expect(await receiveWebhook(requestOf(), options)).toEqual(expected);
});
