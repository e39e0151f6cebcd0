import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hubSecret, isCallbackId, newCallbackId } from '#src/http/websub/callback-id.ts';
import { readHubRequest } from '#src/http/websub/read-request.ts';

const TOPIC = 'https://blog.example/feed.xml?a=ü';
const SECRET = 'the secret of the hub';
const BODY = new TextEncoder().encode('<feed>Grüße 🎉</feed>');

const signed = (method: string, secret = SECRET, body: Uint8Array = BODY) =>
  `${method}=${createHmac(method, secret).update(body).digest('hex')}`;

function content(signature: string | undefined, body: Uint8Array = BODY) {
  const header = (name: string) => (name === 'x-hub-signature' ? signature : undefined);
  return readHubRequest({ method: 'POST', query: new URLSearchParams(), header, body }, { topic: TOPIC, secret: SECRET });
}

function verification(query: Readonly<Record<string, string>>) {
  const request = { method: 'GET', query: new URLSearchParams(query), header: () => undefined, body: new Uint8Array() } as const;
  return readHubRequest(request, { topic: TOPIC, secret: SECRET });
}

describe('content', () => {
  test.each(['sha1', 'sha256', 'sha384', 'sha512'])('with a signature by %s is accepted', (method) => {
    expect(content(signed(method))).toMatchObject({ kind: 'content' });
    expect(content(signed(method).toUpperCase())).toMatchObject({ kind: 'content' });
  });

  test('has the same digest as its repeat, and another one than other content', () => {
    const other = new TextEncoder().encode('<feed/>');
    expect(content(signed('sha1'))).toEqual(content(signed('sha256')));
    expect(content(signed('sha1'))).not.toEqual(content(signed('sha1', SECRET, other), other));
  });

  test.each<readonly [string, string | undefined, Uint8Array]>([
    ['no signature', undefined, BODY],
    ['an empty signature', '', BODY],
    ['another secret', signed('sha256', 'another'), BODY],
    ['another body', signed('sha256'), new TextEncoder().encode('<feed/>')],
    ['an empty body', signed('sha256'), new Uint8Array()],
    ['a truncated signature', signed('sha256').slice(0, -2), BODY],
    ['half a byte less', signed('sha256').slice(0, -1), BODY],
    ['an unknown method', `md5=${createHmac('md5', SECRET).update(BODY).digest('hex')}`, BODY],
    ['a method without digits', 'sha1=', BODY],
    ['the digits of another method', signed('sha1').replace('sha1', 'sha256'), BODY],
    ['a huge signature', `sha1=${'a'.repeat(100_000)}`, BODY],
  ])('with %s is refused', (_name, signature, body) => {
    expect(content(signature, body)).toEqual({ kind: 'refused', reason: 'signature' });
  });

  test('with any truncated signature is refused', () => {
    const whole = signed('sha512');
    for (let length = 0; length < whole.length; length++) {
      expect(content(whole.slice(0, length))).toEqual({ kind: 'refused', reason: 'signature' });
    }
  });
});

describe('a verification', () => {
  const asked = { 'hub.mode': 'subscribe', 'hub.topic': TOPIC, 'hub.challenge': 'pass', 'hub.lease_seconds': '3600' };

  test('has a challenge and a lease', () => {
    expect(verification(asked)).toEqual({ kind: 'verification', mode: 'subscribe', challenge: 'pass', leaseMs: 3_600_000 });
  });

  test.each([
    ['1', 1_000],
    ['0', 86_400_000],
    ['', 86_400_000],
    ['-5', 86_400_000],
    ['1e9', 86_400_000],
    ['999999999999', 90 * 86_400_000],
  ])('with a lease of "%s" seconds lasts %i ms', (lease, leaseMs) => {
    expect(verification({ ...asked, 'hub.lease_seconds': lease })).toMatchObject({ leaseMs });
  });

  test('can be a denial', () => {
    expect(verification({ 'hub.mode': 'denied', 'hub.topic': TOPIC, 'hub.reason': '<script>' })).toEqual({ kind: 'denied' });
  });

  test.each<readonly [string, object, string]>([
    ['another topic', { 'hub.topic': 'https://blog.example/other.xml' }, 'subscription'],
    ['an unknown mode', { 'hub.mode': 'publish' }, 'malformed'],
    ['no challenge', { 'hub.challenge': '' }, 'malformed'],
    ['a huge challenge', { 'hub.challenge': 'a'.repeat(2_001) }, 'malformed'],
  ])('with %s is refused', (_name, changes, reason) => {
    expect(verification({ ...asked, ...changes })).toEqual({ kind: 'refused', reason });
  });
});

describe('the id of a callback', () => {
  test('is known to the installation that made it only', () => {
    const id = newCallbackId('a secret');
    expect(isCallbackId(id, 'a secret')).toBe(true);
    expect(isCallbackId(id, 'another secret')).toBe(false);
    expect(newCallbackId('a secret')).not.toBe(id);
    expect(hubSecret(id, 'a secret')).not.toBe(hubSecret(newCallbackId('a secret'), 'a secret'));
    expect(hubSecret(id, 'a secret').length).toBeLessThan(200);
  });

  test('is not known with any change', () => {
    const id = newCallbackId('a secret');
    for (let at = 0; at < id.length; at++) {
      const changed = `${id.slice(0, at)}${id[at] === 'x' ? 'y' : 'x'}${id.slice(at + 1)}`;
      expect(isCallbackId(changed, 'a secret')).toBe(false);
      expect(isCallbackId(id.slice(0, at), 'a secret')).toBe(false);
    }
    expect(isCallbackId(`${id}=`, 'a secret')).toBe(false);
    expect(isCallbackId('', 'a secret')).toBe(false);
  });
});
