import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import type { Clock } from '#src/clock.ts';
import { type People, SELF } from '../social/people.ts';
import type { WorldPerson } from '../world/world.ts';
import { credentials, findById, SELF_ID, userId } from './ids.ts';
import type { Grants } from './oauth2.ts';
import { unauthorized } from './problem.ts';

/** The sender of a request. */
export type Caller =
  | { readonly kind: 'app' }
  | { readonly kind: 'oauth1'; readonly person: WorldPerson }
  | { readonly kind: 'oauth2'; readonly person: WorldPerson; readonly scopes: ReadonlySet<string> };

interface AccountToken {
  readonly person: WorldPerson;
  readonly token: string;
  readonly secret: string;
}

/** The OAuth 1.0a token of the sandbox's account. */
export const SELF_TOKEN = `${SELF_ID}-sandboxXAccessToken`;

/** The OAuth 1.0a token of an account. It is constant and does not expire. */
export function accountTokenOf(person: WorldPerson): AccountToken {
  if (person.id === SELF.id) return { person, token: SELF_TOKEN, secret: credentials.accessSecret };
  const hash = (kind: string): string => createHash('sha256').update(`${kind} ${person.id}`).digest('base64url');
  return { person, token: `${userId(person)}-${hash('token')}`, secret: hash('secret') };
}

/** The clocks of a client and of X may differ by this time. */
const SKEW_MS = 5 * 60_000;
const OFFICIAL_HOST = 'api.x.com';

export interface AuthorizationOptions {
  readonly grants: Grants;
  readonly people: People;
  readonly clock: Clock;
  /** For tokens of OAuth 1.0a and of the app, which are not in the grants. */
  readonly isRevoked: (token: string) => boolean;
}

/** Identifies the sender of a request, or refuses it. */
export function authorization({ grants, people, clock, isRevoked }: AuthorizationOptions): (c: Context) => Promise<Caller> {
  const nonces = new Map<string, number>();

  function bearer(token: string): Caller {
    if (isRevoked(token)) throw unauthorized();
    if (token === credentials.bearerToken) return { kind: 'app' };
    const grant = grants.find(token);
    const person = grant && findById(grant.userId, people);
    if (!person) throw unauthorized();
    return { kind: 'oauth2', person, scopes: new Set(grant.scopes) };
  }

  async function signed(header: string, c: Context): Promise<Caller> {
    const fields = [...header.matchAll(/([a-z_]+)="([^"]*)"/gi)].map(
      ([, name = '', value = '']) => [name, decodeURIComponent(value)] as const,
    );
    const field = (name: string): string => new Map(fields).get(`oauth_${name}`) ?? '';
    const token = field('token');
    const person = findById(token.slice(0, token.indexOf('-')), people);
    const account = person && accountTokenOf(person);
    if (account?.token !== token || field('consumer_key') !== credentials.apiKey || isRevoked(token)) throw unauthorized();
    const nowMs = clock.nowMs();
    const isInTime = Math.abs(nowMs - Number(field('timestamp')) * 1000) <= SKEW_MS;
    const parameters = [...(await signedParameters(c)), ...fields.filter(([name]) => name !== 'oauth_signature' && name !== 'realm')];
    const isSigned = addressesOf(c).some((url) => {
      const expected = Buffer.from(signatureOf(`${c.req.method.toUpperCase()}&${encoded(url)}`, parameters, account.secret));
      const actual = Buffer.from(field('signature'));
      return expected.length === actual.length && timingSafeEqual(expected, actual);
    });
    if (!isInTime || !isSigned || isRepeated(`${token} ${field('timestamp')} ${field('nonce')}`, nowMs)) throw unauthorized();
    return { kind: 'oauth1', person: account.person };
  }

  function isRepeated(nonce: string, nowMs: number): boolean {
    for (const [old, atMs] of nonces) if (nowMs - atMs > 2 * SKEW_MS) nonces.delete(old);
    const isKnown = nonces.has(nonce);
    nonces.set(nonce, nowMs);
    return isKnown;
  }

  return async (c) => {
    const header = c.req.header('authorization') ?? '';
    const [, token] = /^Bearer\s+(\S+)$/i.exec(header) ?? [];
    if (token !== undefined) return bearer(token);
    if (/^OAuth\s/i.test(header)) return signed(header, c);
    throw unauthorized();
  };
}

type Pair = readonly [string, string];

/** The signature covers the query and a form, but no JSON or multipart body. */
async function signedParameters(c: Context): Promise<readonly Pair[]> {
  const isForm = c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded') ?? false;
  return [...new URL(c.req.url).searchParams, ...(isForm ? new URLSearchParams(await c.req.text()) : [])];
}

/** The addresses that a client may sign: the one of the sandbox, or the official one if its requests are sent here instead. */
function addressesOf(c: Context): readonly string[] {
  const { origin, pathname } = new URL(c.req.url);
  return [origin + pathname, `https://${OFFICIAL_HOST}${pathname.replace(/^\/x(?=\/)/, '')}`];
}

function signatureOf(request: string, parameters: readonly Pair[], tokenSecret: string): string {
  const sorted = parameters
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .toSorted(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1));
  const list = sorted.map(([name, value]) => `${name}=${value}`).join('&');
  return createHmac('sha1', `${encoded(credentials.apiSecret)}&${encoded(tokenSecret)}`)
    .update(`${request}&${encoded(list)}`)
    .digest('base64');
}

/** RFC 3986 encodes more characters than `encodeURIComponent`. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!*'()]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
