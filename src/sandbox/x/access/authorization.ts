import type { Context } from 'hono';
import type { Clock } from '#src/clock.ts';
import type { People } from '../../social/people.ts';
import { findById } from '../ids/user-ids.ts';
import { unauthorized } from '../problem.ts';
import { findAccountToken } from './accounts.ts';
import type { Caller } from './caller.ts';
import { credentials } from './credentials.ts';
import type { Grants } from './grants.ts';
import { isSigned, readClaim, type SignedRequest } from './oauth1.ts';

/** How far the clocks of a client and of X may be apart. */
const SKEW_MS = 5 * 60_000;
const OFFICIAL_HOST = 'api.x.com';

export interface AuthorizationOptions {
  readonly grants: Grants;
  readonly people: People;
  readonly clock: Clock;
  /** What no token opens any more: those of OAuth 1.0a and of the app are not in the grants. */
  readonly isRevoked: (token: string) => boolean;
}

/** Tells who sent a request; refuses who cannot be told. */
export function authorization({ grants, people, clock, isRevoked }: AuthorizationOptions): (c: Context) => Promise<Caller> {
  const nonces = new Map<string, number>();

  function bearer(token: string): Caller {
    if (isRevoked(token)) throw unauthorized();
    if (token === credentials.bearerToken) return { kind: 'app' };
    const family = grants.find(token);
    const person = family && findById(family.userId, people);
    if (!family || !person) throw unauthorized();
    return { kind: 'user', via: 'oauth2', person, scopes: new Set(family.scopes) };
  }

  async function signed(header: string, c: Context): Promise<Caller> {
    const claim = readClaim(header);
    const account = claim && findAccountToken(claim.token, people);
    if (!claim || !account || claim.consumerKey !== credentials.apiKey || isRevoked(claim.token)) throw unauthorized();
    const nowMs = clock.nowMs();
    if (!(Math.abs(nowMs - claim.timestampMs) <= SKEW_MS)) throw unauthorized();
    const request = await signedRequest(c);
    if (!isSigned(claim, request, { consumerSecret: credentials.apiSecret, tokenSecret: account.secret })) throw unauthorized();
    if (isRepeated(`${claim.token} ${claim.timestampMs} ${claim.nonce}`, nowMs)) throw unauthorized();
    return { kind: 'user', via: 'oauth1', person: account.person };
  }

  function isRepeated(nonce: string, nowMs: number): boolean {
    for (const [old, atMs] of nonces) if (nowMs - atMs > 2 * SKEW_MS) nonces.delete(old);
    const seen = nonces.has(nonce);
    nonces.set(nonce, nowMs);
    return seen;
  }

  return async (c) => {
    const header = c.req.header('authorization') ?? '';
    const [, token] = /^Bearer\s+(\S+)$/i.exec(header) ?? [];
    if (token !== undefined) return bearer(token);
    if (/^OAuth\s/i.test(header)) return signed(header, c);
    throw unauthorized();
  };
}

/** The request as its sender wrote it: who believes to speak to the official host has signed an address there. */
async function signedRequest(c: Context): Promise<SignedRequest> {
  const { origin, pathname, searchParams, hostname } = new URL(c.req.url);
  const url = hostname === OFFICIAL_HOST ? `https://${OFFICIAL_HOST}${pathname.replace(/^\/x(?=\/)/, '')}` : origin + pathname;
  const isForm = c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded') ?? false;
  const form = isForm ? new URLSearchParams(await c.req.text()) : [];
  return { method: c.req.method, url, parameters: [...searchParams, ...form] };
}
