import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '#src/clock.ts';

/** Percent-encodes as RFC 3986 requires: everything but letters, digits and `-._~`. */
function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()}`);
}

/** The four keys of an app and of an account that allowed it to act, as the developer portal shows them. */
export interface OAuth1Keys {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly accessToken: string;
  readonly accessSecret: string;
}

/** The signed parts of a request. The signature covers forms, but no JSON and no multipart bodies. */
export interface Signed {
  readonly method: string;
  /** The whole address, with its query. */
  readonly url: string;
  readonly form?: Readonly<Record<string, string>> | undefined;
}

interface OAuth1Options {
  readonly keys: OAuth1Keys;
  readonly clock: Clock;
  /** Creates a value that is unique per request. */
  readonly nonce?: (() => string) | undefined;
}

/** The `Authorization` header of a request, by OAuth 1.0a with HMAC-SHA1. */
export function oauth1Header(request: Signed, { keys, clock, nonce = newNonce }: OAuth1Options): string {
  const oauth = {
    oauth_consumer_key: keys.apiKey,
    oauth_nonce: nonce(),
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(Math.floor(clock.nowMs() / 1000)),
    oauth_token: keys.accessToken,
    oauth_version: '1.0',
  };
  const all = { ...oauth, oauth_signature: signatureOf(request, oauth, keys) };
  const parts = Object.entries(all).map(([name, value]) => `${percentEncode(name)}="${percentEncode(value)}"`);
  return `OAuth ${parts.join(', ')}`;
}

function signatureOf(
  { method, url, form = {} }: Signed,
  oauth: Readonly<Record<string, string>>,
  { apiSecret, accessSecret }: OAuth1Keys,
): string {
  const { origin, pathname, searchParams } = new URL(url);
  const parameters = [...searchParams, ...Object.entries(form), ...Object.entries(oauth)]
    .map(([name, value]): readonly [string, string] => [percentEncode(name), percentEncode(value)])
    .toSorted(byNameAndValue)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const text = [method.toUpperCase(), origin + pathname, parameters].map(percentEncode).join('&');
  const key = `${percentEncode(apiSecret)}&${percentEncode(accessSecret)}`;
  return createHmac('sha1', key).update(text).digest('base64');
}

/** Compares bytes, because encoded text is ASCII. */
function byNameAndValue([name, value]: readonly [string, string], [otherName, otherValue]: readonly [string, string]): number {
  if (name !== otherName) return name < otherName ? -1 : 1;
  return value < otherValue ? -1 : value > otherValue ? 1 : 0;
}

function newNonce(): string {
  return randomBytes(24).toString('hex');
}
