import { createHash, randomBytes } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { Journal } from '../journal.ts';
import { permissionPage } from '../permission-page.ts';
import { SELF } from '../social/people.ts';
import { StoredMap } from '../stored-map.ts';

import { credentials, userId } from './ids.ts';

const ACCESS_MS = 2 * 3_600_000;
const REFRESH_MS = 182 * 24 * 3_600_000;
const CODE_MS = 30_000;

/** The scopes that an app can ask for. */
export const SCOPES: ReadonlySet<string> = new Set(
  [
    'offline.access users.read tweet.read tweet.write follows.read follows.write like.read like.write list.read list.write',
    'block.read block.write bookmark.read bookmark.write dm.read dm.write media.write',
  ].flatMap((scopes) => scopes.split(' ')),
);

const Grant = z.object({
  id: z.string(),
  userId: z.string(),
  scopes: z.array(z.string()),
  /** Whether the grant was revoked. Its tokens open nothing then. */
  ended: z.boolean(),
});
/** The access that a person gave to the app. */
export type Grant = Readonly<z.output<typeof Grant>>;

const Token = z.object({
  value: z.string(),
  kind: z.enum(['access', 'refresh']),
  grantId: z.string(),
  expiresAtMs: z.number(),
  /** Whether the refresh token was used. */
  spent: z.boolean(),
});
type Token = z.output<typeof Token>;

interface Code {
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  /** PKCE with S256. */
  readonly challenge: string;
  readonly expiresAtMs: number;
}

interface TokenPair {
  readonly access: string;
  readonly refresh: string | undefined;
  readonly scopes: readonly string[];
}

const secret = (): string => randomBytes(32).toString('base64url');

/** The grants and their tokens. They survive a restart if the sandbox has a file. */
export class Grants {
  readonly #clock: Clock;
  readonly #grants: StoredMap<Grant>;
  readonly #tokens: StoredMap<Token>;
  readonly #codes = new Map<string, Code>();

  constructor(journal: Journal, clock: Clock) {
    this.#clock = clock;
    this.#grants = new StoredMap({ journal, collection: 'x.grants', schema: Grant, keyOf: ({ id }) => id });
    this.#tokens = new StoredMap({ journal, collection: 'x.tokens', schema: Token, keyOf: ({ value }) => value });
  }

  issueCode(code: Omit<Code, 'expiresAtMs'>): string {
    const value = secret();
    this.#codes.set(value, { ...code, expiresAtMs: this.#clock.nowMs() + CODE_MS });
    return value;
  }

  /** The facts of a code. A code works once. */
  takeCode(value: string): Code | undefined {
    const code = this.#codes.get(value);
    this.#codes.delete(value);
    return code && this.#clock.nowMs() < code.expiresAtMs ? code : undefined;
  }

  open(facts: Pick<Grant, 'userId' | 'scopes'>): TokenPair {
    return this.#issue(this.#grants.put({ ...facts, id: secret(), ended: false }));
  }

  /** The next pair of tokens. The second use of a refresh token ends its grant. */
  refresh(value: string): TokenPair | undefined {
    const token = this.#find(value, 'refresh');
    const grant = token && this.#grants.get(token.grantId);
    if (!token || !grant || grant.ended) return undefined;
    if (token.spent) {
      this.#grants.put({ ...grant, ended: true });
      return undefined;
    }
    this.#tokens.put({ ...token, spent: true });
    return this.#issue(grant);
  }

  /** The grant of an access token. */
  find(value: string): Grant | undefined {
    const grant = this.#grants.get(this.#find(value, 'access')?.grantId ?? '');
    return grant?.ended ? undefined : grant;
  }

  /** Ends the grant of a token. */
  revoke(value: string): boolean {
    const grant = this.#grants.get(this.#tokens.get(value)?.grantId ?? '');
    if (!grant || grant.ended) return false;
    this.#grants.put({ ...grant, ended: true });
    return true;
  }

  /** Ends every grant and returns their number. */
  revokeAll(): number {
    const open = this.#grants.all().filter(({ ended }) => !ended);
    for (const grant of open) this.#grants.put({ ...grant, ended: true });
    return open.length;
  }

  #find(value: string, kind: Token['kind']): Token | undefined {
    const token = this.#tokens.get(value);
    return token?.kind === kind && this.#clock.nowMs() < token.expiresAtMs ? token : undefined;
  }

  #issue({ id: grantId, scopes }: Grant): TokenPair {
    const make = (kind: Token['kind'], lifetimeMs: number): string =>
      this.#tokens.put({ value: secret(), kind, grantId, expiresAtMs: this.#clock.nowMs() + lifetimeMs, spent: false }).value;
    return {
      access: make('access', ACCESS_MS),
      refresh: scopes.includes('offline.access') ? make('refresh', REFRESH_MS) : undefined,
      scopes,
    };
  }
}

/** `POST /2/oauth2/token` and `POST /2/oauth2/revoke`. */
export function tokenRoutes(grants: Grants): Hono {
  const routes = new Hono();
  const refused = (c: Context, what: string): Response =>
    c.json({ error: 'invalid_request', error_description: `Value passed for the ${what} was invalid.` }, 400);
  const toAnswer = (c: Context, { access, refresh, scopes }: TokenPair): Response =>
    c.json({ token_type: 'bearer', expires_in: ACCESS_MS / 1000, access_token: access, scope: scopes.join(' '), refresh_token: refresh });

  routes.use(async (c, next) => {
    const expected = Buffer.from(`${credentials.clientId}:${credentials.clientSecret}`).toString('base64');
    if (c.req.header('authorization') === `Basic ${expected}`) return next();
    return c.json({ error: 'unauthorized_client', error_description: 'Missing valid authorization header' }, 401);
  });

  routes.post('/token', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const type = form.get('grant_type');
    if (type === 'refresh_token') {
      const pair = grants.refresh(form.get('refresh_token') ?? '');
      return pair ? toAnswer(c, pair) : refused(c, 'token');
    }
    if (type !== 'authorization_code') return c.json({ error: 'unsupported_grant_type' }, 400);
    const code = grants.takeCode(form.get('code') ?? '');
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!code) return refused(c, 'authorization code');
    if (code.redirectUri !== form.get('redirect_uri')) return refused(c, 'redirect uri');
    if (code.challenge !== verifier) return refused(c, 'code verifier');
    return toAnswer(c, grants.open({ userId: userId(SELF), scopes: [...code.scopes] }));
  });

  routes.post('/revoke', async (c) => {
    grants.revoke(new URLSearchParams(await c.req.text()).get('token') ?? '');
    return c.json({ revoked: true });
  });
  return routes;
}

/** `/i/oauth2/authorize`: the page on which a person gives access to the app. */
export function authorizeRoutes(grants: Grants): Hono {
  const routes = new Hono();

  routes.get('/authorize', (c) => {
    const request = parse(new URL(c.req.url).searchParams);
    if (typeof request === 'string') return c.text(`You weren’t able to give access to the app. ${request}`, 400);
    return c.html(
      permissionPage({
        title: 'Authorize app',
        heading: 'Fanfare wants to access your X account.',
        body: html`<p>@${SELF.handle}: ${request.scopes.join(', ')}</p>
          <form method="post">
            <button name="answer" value="authorize" autofocus>Authorize app</button>
            <button name="answer" value="cancel">Cancel</button>
          </form>`,
      }),
    );
  });

  routes.post('/authorize', async (c) => {
    const query = new URL(c.req.url).searchParams;
    const request = parse(query);
    if (typeof request === 'string') return c.text(request, 400);
    const target = new URL(request.redirectUri);
    target.searchParams.set('state', query.get('state') ?? '');
    const isCancelled = new URLSearchParams(await c.req.text()).get('answer') === 'cancel';
    if (isCancelled) target.searchParams.set('error', 'access_denied');
    else target.searchParams.set('code', grants.issueCode(request));
    return c.redirect(target.href, 302);
  });

  return routes;
}

/** The request of the app, or the reason why X refuses it. */
function parse(query: URLSearchParams): Omit<Code, 'expiresAtMs'> | string {
  const value = (name: string): string => query.get(name) ?? '';
  const scopes = value('scope').split(/\s+/);
  const callback = URL.parse(value('redirect_uri'));
  const unknown = scopes.find((scope) => !SCOPES.has(scope));
  if (value('client_id') !== credentials.clientId) return 'There is no app with this client_id.';
  if (value('response_type') !== 'code') return 'response_type must be code.';
  if (callback?.protocol !== 'http:' || !['127.0.0.1', 'localhost', '[::1]'].includes(callback.hostname)) {
    return 'redirect_uri is not a callback address of this app. The sandbox accepts http://127.0.0.1 only.';
  }
  if (value('state') === '') return 'The state is missing.';
  // Clients write S256 in either case, and X accepts both.
  if (value('code_challenge') === '' || value('code_challenge_method').toUpperCase() !== 'S256')
    return 'A code_challenge with S256 is missing.';
  if (unknown !== undefined) return `There is no scope ${unknown}.`;
  return { scopes, redirectUri: value('redirect_uri'), challenge: value('code_challenge') };
}

/** `POST /oauth2/token`: the token of the app for its key and secret. */
export function appTokenRoutes(): Hono {
  const routes = new Hono();
  routes.post('/token', (c) => {
    const expected = Buffer.from(`${credentials.apiKey}:${credentials.apiSecret}`).toString('base64');
    if (c.req.header('authorization') === `Basic ${expected}`)
      return c.json({ token_type: 'bearer', access_token: credentials.bearerToken });
    return c.json({ errors: [{ code: 99, label: 'authenticity_token_error', message: 'Unable to verify your credentials' }] }, 403);
  });
  return routes;
}
