import { randomBytes } from 'node:crypto';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { Journal } from '../journal.ts';
import { authRefusal, helixRefusal } from './refusal.ts';

/** The one app that the sandbox's Twitch knows. It opens nothing but a sandbox. */
export const credentials = { clientId: 'sandboxtwitchclient', clientSecret: 'sandbox-twitch-secret' } as const;

const LIFETIME_MS = 60 * 24 * 3_600_000;
const MOST_TOKENS = 200;

const Token = z.object({ value: z.string(), clientId: z.string(), expiresAtMs: z.number() });
/** An app's token. */
export interface Token extends z.output<typeof Token> {}

export interface TokensOptions {
  readonly journal: Journal;
  readonly clock: Clock;
  /** Where the journal keeps them. */
  readonly collection: string;
}

/** The tokens that were given out and still open something. */
export class Tokens {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #collection: string;
  readonly #tokens: Map<string, Token>;

  constructor({ journal, clock, collection }: TokensOptions) {
    this.#journal = journal;
    this.#clock = clock;
    this.#collection = collection;
    this.#tokens = new Map(journal.all(collection).map((document) => [Token.parse(document).value, Token.parse(document)]));
  }

  issue(clientId: string): Token {
    const value = randomBytes(15).toString('hex');
    const token: Token = { value, clientId, expiresAtMs: this.#clock.nowMs() + LIFETIME_MS };
    this.#tokens.set(value, token);
    this.#journal.put(this.#collection, value, { ...token });
    const oldest = this.#tokens.keys().next().value;
    if (this.#tokens.size > MOST_TOKENS && oldest !== undefined) this.revoke(oldest);
    return token;
  }

  find(value: string): Token | undefined {
    const token = this.#tokens.get(value);
    return token && this.#clock.nowMs() < token.expiresAtMs ? token : undefined;
  }

  revoke(value: string): boolean {
    this.#journal.drop(this.#collection, value);
    return this.#tokens.delete(value);
  }

  /** How many there were. */
  revokeAll(): number {
    const values = [...this.#tokens.keys()];
    for (const value of values) this.revoke(value);
    return values.length;
  }

  secondsLeft({ expiresAtMs }: Token): number {
    return Math.floor((expiresAtMs - this.#clock.nowMs()) / 1000);
  }
}

/** Points a minute. */
const LIMIT = 800;
const MINUTE_MS = 60_000;

/** The remaining points of a client id, as in the headers. */
export interface Standing {
  readonly allowed: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** The points of each client id: they come back all the time, and each request takes one. */
export class PointsBudget {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, { points: number; atMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take(clientId: string): Standing {
    const atMs = this.#clock.nowMs();
    const before = this.#buckets.get(clientId) ?? { points: LIMIT, atMs };
    const points = Math.min(LIMIT, before.points + ((atMs - before.atMs) * LIMIT) / MINUTE_MS);
    const allowed = points >= 1;
    const left = allowed ? points - 1 : points;
    this.#buckets.set(clientId, { points: left, atMs });
    const fullAtMs = atMs + ((LIMIT - left) * MINUTE_MS) / LIMIT;
    return { allowed, headers: rateHeaders(Math.floor(left), fullAtMs) };
  }
}

/** The headers of every answer; the reset is when all points are back. */
export function rateHeaders(left: number, resetAtMs: number): Readonly<Record<string, string>> {
  return {
    'Ratelimit-Limit': String(LIMIT),
    'Ratelimit-Remaining': String(left),
    'Ratelimit-Reset': String(Math.ceil(resetAtMs / 1000)),
  };
}

/** Lets through who has a token of their own client id, and points left. */
export function authorized({ tokens, budget }: { readonly tokens: Tokens; readonly budget: PointsBudget }): MiddlewareHandler {
  return async (c, next) => {
    const [, value] = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
    if (value === undefined) return helixRefusal(401, 'OAuth token is missing');
    const token = tokens.find(value);
    if (!token) return helixRefusal(401, 'Invalid OAuth token');
    const clientId = c.req.header('client-id');
    if (clientId === undefined) return helixRefusal(401, 'Client ID is missing');
    if (clientId !== token.clientId) return helixRefusal(401, 'Client ID and OAuth token do not match');

    const { allowed, headers } = budget.take(clientId);
    if (allowed) await next();
    else c.res = helixRefusal(429, 'The points of this minute are used up');
    for (const [name, header] of Object.entries(headers)) c.res.headers.set(name, header);
    return undefined;
  };
}

/** The authorization server: tokens by client credentials, and what is known of a token. */
export function oauthRoutes(tokens: Tokens): Hono {
  const routes = new Hono();

  routes.post('/token', async (c) => {
    const form = await parametersOf(c);
    const [clientId, secret, grantType] = [form.get('client_id'), form.get('client_secret'), form.get('grant_type')];
    if (!clientId) return authRefusal(400, 'missing client id');
    if (clientId !== credentials.clientId) return authRefusal(400, 'invalid client');
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
    return c.json({ client_id: token.clientId, scopes: [], expires_in: tokens.secondsLeft(token) });
  });

  routes.post('/revoke', async (c) => {
    const form = await parametersOf(c);
    if (form.get('client_id') !== credentials.clientId) return authRefusal(400, 'invalid client');
    if (!tokens.revoke(form.get('token') ?? '')) return authRefusal(400, 'invalid token');
    return c.body(null, 200);
  });

  return routes;
}

/** From the body and from the query: Twitch takes both. */
async function parametersOf(c: Context): Promise<URLSearchParams> {
  return new URLSearchParams([...new URL(c.req.url).searchParams, ...new URLSearchParams(await c.req.text())]);
}
