import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Journal } from '../journal.ts';
import { StoredMap } from '../stored-map.ts';
import type { WorldPerson } from '../world/world.ts';
import { type Directory, type Scope, SCOPES } from './accounts.ts';
import { authRequired, invalidRequest } from './refusal.ts';

/** The key is the same after every start, so that issued tokens stay valid. It signs for sandboxes only. */
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
type Claims = Readonly<z.output<typeof Claims>>;

/** A signed token. `typ` is its kind, such as `at+jwt`. */
export function signToken(claims: JsonObject & { readonly iat: number; readonly exp: number }, typ: string): string {
  const content = [{ typ, alg: 'HS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${content}.${signatureOf(content)}`;
}

/** The claims of a token with a valid signature. The caller checks the expiry. */
export function readToken(token: string): Claims | undefined {
  const at = token.lastIndexOf('.');
  const content = token.slice(0, at);
  const [actual, expected] = [Buffer.from(token.slice(at + 1)), Buffer.from(signatureOf(content))];
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined;
  return Claims.safeParse(JSON.parse(Buffer.from(content.split('.')[1] ?? '', 'base64url').toString())).data;
}

function signatureOf(content: string): string {
  return createHmac('sha256', KEY).update(content).digest('base64url');
}

const ACCESS_SECONDS = 120 * 60;
const REFRESH_MS = 90 * 86_400_000;
/** How long a used refresh token gives the same new tokens. */
const GRACE_MS = 2 * 3_600_000;
const REFRESH_SCOPE = 'com.atproto.refresh';

const RefreshToken = z.object({
  id: z.string(),
  did: z.string(),
  scope: z.enum(SCOPES),
  expiresAtMs: z.number(),
  /** The token that replaced a used token. */
  nextId: z.string().optional(),
});

/** The account of a request and its scope. */
export interface Session {
  readonly person: WorldPerson;
  readonly did: string;
  readonly scope: Scope;
}

export interface TokenPair {
  readonly accessJwt: string;
  readonly refreshJwt: string;
}

/** The sessions of a PDS. It stores refresh tokens, and only verifies access tokens. */
export class Sessions {
  readonly #clock: Clock;
  readonly #directory: Directory;
  readonly #refreshTokens: StoredMap<Readonly<z.output<typeof RefreshToken>>>;
  /** Older access tokens have expired. */
  #validFromSeconds = 0;

  constructor(journal: Journal, clock: Clock, directory: Directory) {
    this.#clock = clock;
    this.#directory = directory;
    this.#refreshTokens = new StoredMap({ journal, collection: 'refresh-tokens', schema: RefreshToken, keyOf: ({ id }) => id });
  }

  open(session: Session, aud: string): TokenPair {
    return this.#issue(session, newId(), aud);
  }

  /** The next pair of tokens. A used refresh token gives the same pair again during the grace period. */
  refresh(token: string | undefined, aud: string): TokenPair & { readonly session: Session } {
    const { jti } = this.#verified(token, [REFRESH_SCOPE]);
    const known = this.#refreshTokens.get(jti ?? '');
    const nowMs = this.#clock.nowMs();
    const person = known && this.#directory.find(known.did);
    if (!known || !person || known.expiresAtMs <= nowMs) throw invalidRequest('Token has been revoked', 'ExpiredToken');
    const nextId = known.nextId ?? newId();
    const session = { person, did: known.did, scope: known.scope };
    this.#refreshTokens.put({ ...known, nextId, expiresAtMs: Math.min(known.expiresAtMs, nowMs + GRACE_MS) });
    return { ...this.#issue(session, nextId, aud), session };
  }

  /** The session of an access token. Refuses an invalid or expired token. */
  find(token: string | undefined): Session {
    const { sub = '', scope, iat } = this.#verified(token, SCOPES);
    if (iat < this.#validFromSeconds) throw invalidRequest('Token has expired', 'ExpiredToken');
    const person = this.#directory.find(sub);
    const known = SCOPES.find((each) => each === scope);
    if (!person || !known) throw invalidRequest('Malformed token', 'InvalidToken');
    return { person, did: sub, scope: known };
  }

  /** Ends the session of a refresh token. */
  close(token: string | undefined): void {
    this.#refreshTokens.delete(this.#verified(token, [REFRESH_SCOPE]).jti ?? '');
  }

  /** Ends the refresh tokens of an account and returns their number. */
  revoke(did: string): number {
    const tokens = this.#refreshTokens.all().filter((token) => token.did === did);
    for (const { id } of tokens) this.#refreshTokens.delete(id);
    return tokens.length;
  }

  /** Expires all issued access tokens. */
  expireAccess(): void {
    this.#validFromSeconds = Math.floor(this.#clock.nowMs() / 1000) + 1;
  }

  #issue({ did, scope }: Session, id: string, aud: string): TokenPair {
    const nowMs = this.#clock.nowMs();
    // A new token is valid right after all others have expired.
    const iat = Math.max(Math.floor(nowMs / 1000), this.#validFromSeconds);
    const { expiresAtMs } = this.#refreshTokens.get(id) ?? this.#refreshTokens.put({ id, did, scope, expiresAtMs: nowMs + REFRESH_MS });
    return {
      accessJwt: signToken({ scope, sub: did, iat, exp: iat + ACCESS_SECONDS, aud }, 'at+jwt'),
      refreshJwt: signToken({ scope: REFRESH_SCOPE, sub: did, aud, jti: id, iat, exp: Math.floor(expiresAtMs / 1000) }, 'refresh+jwt'),
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
}

function newId(): string {
  return randomBytes(32).toString('base64');
}
