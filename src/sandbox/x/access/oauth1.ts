import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a client says of itself in `Authorization: OAuth …`. */
export interface OAuth1Claim {
  readonly consumerKey: string;
  readonly token: string;
  readonly nonce: string;
  readonly timestampMs: number;
  readonly signature: string;
  /** All of it but the signature, as it was signed. */
  readonly parameters: readonly (readonly [string, string])[];
}

/** The request that was signed. */
export interface SignedRequest {
  readonly method: string;
  /** Without a query, as the client wrote it. */
  readonly url: string;
  /** Of the query and of a form; a JSON or multipart body is not signed. */
  readonly parameters: readonly (readonly [string, string])[];
}

export interface OAuth1Secrets {
  readonly consumerSecret: string;
  readonly tokenSecret: string;
}

/** What stands in the header; undefined where something that OAuth 1.0a needs is missing. */
export function readClaim(header: string): OAuth1Claim | undefined {
  const [, list] = /^OAuth\s+(.*)$/is.exec(header) ?? [];
  if (list === undefined) return undefined;
  const pairs = [...list.matchAll(/([a-z_]+)="([^"]*)"/gi)].map(([, name = '', value = '']) => [name, decoded(value)] as const);
  const values = new Map(pairs);
  const given = (name: string): string => values.get(name) ?? '';
  const isWhole = ['oauth_consumer_key', 'oauth_token', 'oauth_nonce', 'oauth_timestamp', 'oauth_signature'].every((name) => given(name));
  if (!isWhole || given('oauth_signature_method') !== 'HMAC-SHA1') return undefined;
  return {
    consumerKey: given('oauth_consumer_key'),
    token: given('oauth_token'),
    nonce: given('oauth_nonce'),
    timestampMs: Number(given('oauth_timestamp')) * 1000,
    signature: given('oauth_signature'),
    parameters: pairs.filter(([name]) => name !== 'oauth_signature' && name !== 'realm'),
  };
}

/** Whether who holds the secrets has signed exactly this request. */
export function isSigned(claim: OAuth1Claim, request: SignedRequest, secrets: OAuth1Secrets): boolean {
  const expected = Buffer.from(signatureOf(claim, request, secrets));
  const given = Buffer.from(claim.signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

function signatureOf(claim: OAuth1Claim, { method, url, parameters }: SignedRequest, secrets: OAuth1Secrets): string {
  const pairs = [...parameters, ...claim.parameters].map(([name, value]) => [encoded(name), encoded(value)] as const);
  const sorted = pairs.toSorted(([a, x], [b, y]) => byBytes(a, b) || byBytes(x, y));
  const list = sorted.map(([name, value]) => `${name}=${value}`).join('&');
  const key = `${encoded(secrets.consumerSecret)}&${encoded(secrets.tokenSecret)}`;
  return createHmac('sha1', key)
    .update(`${method.toUpperCase()}&${encoded(url)}&${encoded(list)}`)
    .digest('base64');
}

function byBytes(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** RFC 3986, which leaves less as it is than `encodeURIComponent`. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!*'()]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
