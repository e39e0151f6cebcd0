import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { JsonObject } from '#src/operation/json.ts';
import type { Journal } from '../journal.ts';
import type { WorldPerson } from '../world/world.ts';
import type { Directory, Scope } from './accounts.ts';
import { authRequired, invalidRequest } from './refusal.ts';

/** It signs for a sandbox only, and the same at every start: what was given out stays valid. */
const KEY = 'the tokens of a sandbox are worth nothing elsewhere';

const Claims = z.looseObject({
  scope: z.string().optional(),
  sub: z.string().optional(),
  iss: z.string().optional(),
  aud: z.string().optional(),
  lxm: z.string().optional(),
  jti: z.string().optional(),
  iat: z.number(),
  exp: z.number(),
});

/** The claims of a token. Instants are in seconds. */
export interface Claims extends Readonly<z.output<typeof Claims>> {}

/** A signed token. `typ` tells its kind, as `at+jwt`. */
export function signToken(claims: JsonObject & { readonly iat: number; readonly exp: number }, typ: string): string {
  const content = [{ typ, alg: 'HS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${content}.${signatureOf(content)}`;
}

/** The claims of a token with a valid signature. The caller checks the expiry. */
export function readToken(token: string): Claims | undefined {
  const at = token.lastIndexOf('.');
  const [content, signature] = [token.slice(0, at), token.slice(at + 1)];
  const [input, right] = [Buffer.from(signature), Buffer.from(signatureOf(content))];
  if (input.length !== right.length || !timingSafeEqual(input, right)) return undefined;
  const claims = Claims.safeParse(JSON.parse(Buffer.from(content.split('.')[1] ?? '', 'base64url').toString()));
  return claims.success ? claims.data : undefined;
}

function signatureOf(content: string): string {
  return createHmac('sha256', KEY).update(content).digest('base64url');
}

const COLLECTION = 'refresh-tokens';
const ACCESS_SECONDS = 120 * 60;
const REFRESH_MS = 90 * 86_400_000;
/** For how long a refresh token that was used can be used again. */
const GRACE_MS = 2 * 3_600_000;
const SCOPES = ['com.atproto.access', 'com.atproto.appPassPrivileged', 'com.atproto.appPass'] as const;
const REFRESH_SCOPE = 'com.atproto.refresh';

const RefreshToken = z.object({
  id: z.string(),
  did: z.string(),
  scope: z.enum(SCOPES),
  expiresAtMs: z.number(),
  /** The one that came of it. */
  nextId: z.string().optional(),
});
type RefreshToken = z.output<typeof RefreshToken>;

/** The account of a request, and its scope. */
export interface Session {
  readonly person: WorldPerson;
  readonly did: string;
  readonly scope: Scope;
}

/** What a client keeps to come back. */
export interface TokenPair {
  readonly accessJwt: string;
  readonly refreshJwt: string;
}

export interface SessionsOptions {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly directory: Directory;
}

/** Sessions as a PDS keeps them: access tokens that it only reads, refresh tokens that it knows. */
export class Sessions {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #directory: Directory;
  readonly #refreshTokens: Map<string, RefreshToken>;
  /** Access tokens from before are over, whatever they say. */
  #validFromSeconds = 0;

  constructor({ journal, clock, directory }: SessionsOptions) {
    this.#journal = journal;
    this.#clock = clock;
    this.#directory = directory;
    const tokens = journal.all(COLLECTION).map((document) => RefreshToken.parse(document));
    this.#refreshTokens = new Map(tokens.map((token) => [token.id, token]));
  }

  open(session: Session, aud: string): TokenPair {
    return this.#issue({ ...session, id: newId(), aud });
  }

  /** The next pair. A token that was used gives the same one again for a while, and then none. */
  refresh(token: string | undefined, aud: string): TokenPair & { readonly session: Session } {
    const { jti } = this.#verified(token, [REFRESH_SCOPE]);
    const known = this.#refreshTokens.get(jti ?? '');
    const nowMs = this.#clock.nowMs();
    const person = known && this.#directory.find(known.did);
    if (!known || !person || known.expiresAtMs <= nowMs) throw invalidRequest('Token has been revoked', 'ExpiredToken');
    const nextId = known.nextId ?? newId();
    const session = { person, did: known.did, scope: known.scope };
    this.#put({ ...known, nextId, expiresAtMs: Math.min(known.expiresAtMs, nowMs + GRACE_MS) });
    return { ...this.#issue({ ...session, id: nextId, aud }), session };
  }

  /** The session of an access token. Refuses an invalid or expired token. */
  access(token: string | undefined): Session {
    const { sub = '', scope, iat } = this.#verified(token, SCOPES);
    if (iat < this.#validFromSeconds) throw invalidRequest('Token has expired', 'ExpiredToken');
    const person = this.#directory.find(sub);
    const known = SCOPES.find((each) => each === scope);
    if (!person || !known) throw invalidRequest('Malformed token', 'InvalidToken');
    return { person, did: sub, scope: known };
  }

  /** Ends the session of a refresh token. */
  close(token: string | undefined): void {
    this.#drop(this.#verified(token, [REFRESH_SCOPE]).jti ?? '');
  }

  /** Ends the refresh tokens of an account and returns their number. */
  revoke(did: string): number {
    const ids = [...this.#refreshTokens.values()].filter((token) => token.did === did).map(({ id }) => id);
    for (const id of ids) this.#drop(id);
    return ids.length;
  }

  /** All access tokens that were given out expire now. */
  expireAccess(): void {
    this.#validFromSeconds = Math.floor(this.#clock.nowMs() / 1000) + 1;
  }

  #issue({ did, scope, id, aud }: Omit<Session, 'person'> & { readonly id: string; readonly aud: string }): TokenPair {
    const nowMs = this.#clock.nowMs();
    // Right after all others have expired a new one is valid all the same.
    const iat = Math.max(Math.floor(nowMs / 1000), this.#validFromSeconds);
    const known = this.#refreshTokens.get(id);
    const expiresAtMs = known?.expiresAtMs ?? nowMs + REFRESH_MS;
    if (!known) this.#put({ id, did, scope, expiresAtMs });
    const exp = Math.floor(expiresAtMs / 1000);
    return {
      accessJwt: signToken({ scope, sub: did, iat, exp: iat + ACCESS_SECONDS, aud }, 'at+jwt'),
      refreshJwt: signToken({ scope: REFRESH_SCOPE, sub: did, aud, jti: id, iat, exp }, 'refresh+jwt'),
    };
  }

  #verified(token: string | undefined, scopes: readonly string[]): Claims {
    if (token === undefined) throw authRequired('Authentication Required', 'AuthMissing');
    const claims = readToken(token);
    if (!claims) throw invalidRequest('Token could not be verified', 'InvalidToken');
    if (claims.exp * 1000 <= this.#clock.nowMs()) throw invalidRequest('Token has expired', 'ExpiredToken');
    if (!scopes.includes(claims.scope ?? '')) throw invalidRequest('Bad token scope', 'InvalidToken');
    return claims;
  }

  #put(token: RefreshToken): void {
    this.#journal.put(COLLECTION, token.id, token);
    this.#refreshTokens.set(token.id, token);
  }

  #drop(id: string): void {
    this.#journal.drop(COLLECTION, id);
    this.#refreshTokens.delete(id);
  }
}

function newId(): string {
  return randomBytes(32).toString('base64');
}
