import { randomBytes } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { Journal } from '../journal.ts';
import { StoredMap } from '../stored-map.ts';
import type { World } from '../world/world.ts';
import type { DeviceCodes } from './device-codes.ts';

/** The only registered app. The credentials are valid in sandboxes only. */
export const credentials = { clientId: 'sandboxtwitchclient', clientSecret: 'sandbox-twitch-secret' } as const;

const LIFETIME_MS = 60 * 24 * 3_600_000;
const USER_LIFETIME_MS = 4 * 3_600_000;
const MOST_TOKENS = 200;

const Token = z.object({
  value: z.string(),
  clientId: z.string(),
  expiresAtMs: z.number(),
  /** The user of the token; absent for the token of an app. */
  userId: z.string().optional(),
  scopes: z.array(z.string()).default([]),
  refreshToken: z.string().optional(),
});
/** An access token of an app or a user. */
export interface Token extends z.output<typeof Token> {}

interface TokensOptions {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly collection: string;
}

/** The valid tokens. */
export class Tokens {
  readonly #clock: Clock;
  readonly #stored: StoredMap<Token>;

  constructor({ clock, ...options }: TokensOptions) {
    this.#clock = clock;
    this.#stored = new StoredMap({ ...options, schema: Token, keyOf: ({ value }) => value });
  }

  issue(clientId: string): Token {
    const expiresAtMs = this.#clock.nowMs() + LIFETIME_MS;
    const token = this.#stored.put({ value: randomBytes(15).toString('hex'), clientId, expiresAtMs, scopes: [] });
    const [oldest] = this.#stored.all();
    if (oldest && this.#stored.size > MOST_TOKENS) this.revoke(oldest.value);
    return token;
  }

  /** Issues the tokens of a user. The refresh token is valid once. */
  issueFor(userId: string, scopes: readonly string[]): Token {
    return this.#stored.put({
      value: randomBytes(15).toString('hex'),
      refreshToken: randomBytes(25).toString('hex'),
      clientId: credentials.clientId,
      expiresAtMs: this.#clock.nowMs() + USER_LIFETIME_MS,
      userId,
      scopes: [...scopes],
    });
  }

  /** Exchanges a refresh token; undefined if it is unknown. */
  refresh(refreshToken: string): Token | undefined {
    const before = this.#stored.all().find((token) => token.refreshToken === refreshToken);
    if (before?.userId === undefined) return undefined;
    this.revoke(before.value);
    return this.issueFor(before.userId, before.scopes);
  }

  find(value: string): Token | undefined {
    const token = this.#stored.get(value);
    return token && this.#clock.nowMs() < token.expiresAtMs ? token : undefined;
  }

  /** The token of a request, in the header `Authorization: Bearer …`. */
  ofRequest(c: Context): Token | undefined {
    const [, value] = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
    return value === undefined ? undefined : this.find(value);
  }

  /** Whether a user has a valid token, and so has authorized the app. */
  hasUser(userId: string): boolean {
    return this.#stored.all().some((token) => token.userId === userId && this.#clock.nowMs() < token.expiresAtMs);
  }

  revoke(value: string): boolean {
    return this.#stored.delete(value);
  }

  /** Returns the number of revoked tokens. */
  revokeAll(): number {
    const tokens = this.#stored.all();
    for (const { value } of tokens) this.revoke(value);
    return tokens.length;
  }

  secondsLeft({ expiresAtMs }: Token): number {
    return Math.floor((expiresAtMs - this.#clock.nowMs()) / 1000);
  }
}

/** Points per minute. */
const LIMIT = 800;
const MINUTE_MS = 60_000;

/** The points of each client id. Each request takes one point, and points return continuously. */
export class PointsBudget {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, { points: number; atMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take(clientId: string): { readonly isAllowed: boolean; readonly headers: Readonly<Record<string, string>> } {
    const atMs = this.#clock.nowMs();
    const before = this.#buckets.get(clientId) ?? { points: LIMIT, atMs };
    const points = Math.min(LIMIT, before.points + ((atMs - before.atMs) * LIMIT) / MINUTE_MS);
    const isAllowed = points >= 1;
    const left = isAllowed ? points - 1 : points;
    this.#buckets.set(clientId, { points: left, atMs });
    const fullAtMs = atMs + ((LIMIT - left) * MINUTE_MS) / LIMIT;
    return { isAllowed, headers: rateHeaders(Math.floor(left), fullAtMs) };
  }
}

/** The headers of every answer. All points are back at the reset. */
export function rateHeaders(left: number, resetAtMs: number): Readonly<Record<string, string>> {
  return {
    'Ratelimit-Limit': String(LIMIT),
    'Ratelimit-Remaining': String(left),
    'Ratelimit-Reset': String(Math.ceil(resetAtMs / 1000)),
  };
}

/** Accepts requests with a token of the client id and with remaining points. */
export function authorized({ tokens, budget }: { readonly tokens: Tokens; readonly budget: PointsBudget }): MiddlewareHandler {
  return async (c, next) => {
    const [, value] = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
    if (value === undefined) return helixRefusal(401, 'OAuth token is missing');
    const token = tokens.find(value);
    if (!token) return helixRefusal(401, 'Invalid OAuth token');
    const clientId = c.req.header('client-id');
    if (clientId === undefined) return helixRefusal(401, 'Client ID is missing');
    if (clientId !== token.clientId) return helixRefusal(401, 'Client ID and OAuth token do not match');

    const { isAllowed, headers } = budget.take(clientId);
    if (isAllowed) await next();
    else c.res = helixRefusal(429, 'The points of this minute are used up');
    for (const [name, header] of Object.entries(headers)) c.res.headers.set(name, header);
    return undefined;
  };
}

interface OAuthOptions {
  readonly tokens: Tokens;
  readonly devices: DeviceCodes;
  readonly world: Pick<World, 'findPerson'>;
  /** The address of the page for device codes. */
  readonly activation: () => string;
}

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** The authorization server: issues, validates and revokes tokens. */
export function oauthRoutes({ tokens, devices, world, activation }: OAuthOptions): Hono {
  const routes = new Hono();

  routes.post('/device', async (c) => {
    const form = await parametersOf(c);
    if (form.get('client_id') !== credentials.clientId) return authRefusal(400, 'invalid client');
    const code = devices.begin((form.get('scopes') ?? '').split(' ').filter((scope) => scope !== ''));
    return c.json({
      device_code: code.value,
      expires_in: devices.secondsLeft(code),
      interval: 5,
      user_code: code.userCode,
      verification_uri: `${activation()}?public=true&device-code=${code.userCode}`,
    });
  });

  /** The tokens for a device code or a refresh token; undefined for another grant. */
  function userToken(form: URLSearchParams): Response | undefined {
    switch (form.get('grant_type')) {
      case DEVICE_GRANT: {
        const code = devices.find(form.get('device_code') ?? '');
        if (!code) return authRefusal(400, 'invalid device code');
        if (code.userId === undefined) return authRefusal(400, 'authorization_pending');
        devices.take(code);
        return issued(tokens.issueFor(code.userId, code.scopes));
      }
      case 'refresh_token': {
        if (form.get('client_secret') !== credentials.clientSecret) return authRefusal(403, 'invalid client secret');
        const next = tokens.refresh(form.get('refresh_token') ?? '');
        return next ? issued(next) : authRefusal(400, 'Invalid refresh token');
      }
      default:
        return undefined;
    }
  }

  function issued(token: Token): Response {
    const { value, refreshToken, scopes } = token;
    const expires_in = tokens.secondsLeft(token);
    return Response.json({ access_token: value, expires_in, refresh_token: refreshToken, scope: scopes, token_type: 'bearer' });
  }

  routes.post('/token', async (c) => {
    const form = await parametersOf(c);
    const [clientId, secret, grantType] = [form.get('client_id'), form.get('client_secret'), form.get('grant_type')];
    if (!clientId) return authRefusal(400, 'missing client id');
    if (clientId !== credentials.clientId) return authRefusal(400, 'invalid client');
    const ofUser = userToken(form);
    if (ofUser) return ofUser;
    if (!secret) return authRefusal(400, 'missing client secret');
    if (secret !== credentials.clientSecret) return authRefusal(403, 'invalid client secret');
    if (!grantType) return authRefusal(400, 'missing grant type');
    if (grantType !== 'client_credentials') return authRefusal(400, 'invalid grant type');

    const token = tokens.issue(clientId);
    return c.json({ access_token: token.value, expires_in: tokens.secondsLeft(token), token_type: 'bearer' });
  });

  routes.get('/validate', (c) => {
    const [, value] = /^(?:OAuth|Bearer) (.+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
    if (value === undefined) return authRefusal(401, 'missing authorization token');
    const token = tokens.find(value);
    if (!token) return authRefusal(401, 'invalid access token');
    const user = token.userId === undefined ? undefined : world.findPerson(token.userId);
    const ofUser = user && { login: user.handle, user_id: user.id };
    return c.json({ client_id: token.clientId, ...ofUser, scopes: token.scopes, expires_in: tokens.secondsLeft(token) });
  });

  routes.post('/revoke', async (c) => {
    const form = await parametersOf(c);
    if (form.get('client_id') !== credentials.clientId) return authRefusal(400, 'invalid client');
    if (!tokens.revoke(form.get('token') ?? '')) return authRefusal(400, 'invalid token');
    return c.body(null, 200);
  });

  return routes;
}

/** The parameters of the query and the body. Twitch accepts both. */
async function parametersOf(c: Context): Promise<URLSearchParams> {
  return new URLSearchParams([...new URL(c.req.url).searchParams, ...new URLSearchParams(await c.req.text())]);
}

/** An error answer of Helix. */
export function helixRefusal(status: number, message: string): Response {
  return Response.json({ error: STATUS_CODES[status] ?? '', status, message }, { status });
}

/** An error answer of the authorization server. */
function authRefusal(status: number, message: string): Response {
  return Response.json({ status, message }, { status });
}
