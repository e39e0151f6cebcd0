import { createHash, randomBytes } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { Journal } from '../journal.ts';
import { permissionPage } from '../permission-page.ts';
import { type People, SELF } from '../social/people.ts';
import { StoredMap } from '../stored-map.ts';
import { fieldsOf } from './fields.ts';

/** This token opens nothing but a sandbox. */
export const SELF_TOKEN = 'sandbox-mastodon-token';
const CODE_LIFETIME_MS = 10 * 60_000;

const App = z.object({
  id: z.string(),
  name: z.string(),
  website: z.string().optional(),
  redirectUris: z.array(z.string()),
  scopes: z.array(z.string()),
  clientId: z.string(),
  clientSecret: z.string(),
});
/** An application that asks people for access. */
export type App = Readonly<z.output<typeof App>>;

const Token = z.object({
  value: z.string(),
  /** Absent if the token was made in the preferences. */
  appId: z.string().optional(),
  userId: z.string(),
  scopes: z.array(z.string()),
  createdAtMs: z.number(),
});
/** An access token. It does not expire. */
export type Token = Readonly<z.output<typeof Token>>;

interface Grant {
  readonly appId: string;
  readonly userId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** The PKCE challenge (S256). */
  readonly challenge: string | undefined;
  readonly expiresAtMs: number;
}

const secret = (): string => randomBytes(32).toString('base64url');

/** Registered applications, tokens, and codes that wait for their exchange. */
export class OAuth {
  readonly apps: StoredMap<App>;
  readonly #tokens: StoredMap<Token>;
  readonly #grants = new Map<string, Grant>();
  readonly #clock: Clock;

  constructor(journal: Journal, clock: Clock) {
    this.apps = new StoredMap({ journal, collection: 'mastodon.apps', schema: App, keyOf: ({ id }) => id });
    this.#tokens = new StoredMap({ journal, collection: 'mastodon.tokens', schema: Token, keyOf: ({ value }) => value });
    this.#clock = clock;
  }

  register(facts: Pick<App, 'name' | 'website' | 'redirectUris' | 'scopes'>): App {
    return this.apps.put({ ...facts, id: String(this.apps.size + 1), clientId: secret(), clientSecret: secret() });
  }

  findApp(clientId: string | undefined): App | undefined {
    return this.apps.all().find((app) => app.clientId === clientId);
  }

  issueToken(facts: Pick<Token, 'appId' | 'userId' | 'scopes'>): Token {
    return this.#tokens.put({ ...facts, value: secret(), createdAtMs: this.#clock.nowMs() });
  }

  findToken(value: string): Token | undefined {
    if (value === SELF_TOKEN) return { value, userId: SELF.id, scopes: ['read', 'write', 'follow', 'push'], createdAtMs: 0 };
    return this.#tokens.get(value);
  }

  issueCode(grant: Omit<Grant, 'expiresAtMs'>): string {
    const code = secret();
    this.#grants.set(code, { ...grant, expiresAtMs: this.#clock.nowMs() + CODE_LIFETIME_MS });
    return code;
  }

  /** The grant of a code. A code works once. */
  redeem(code: string): Grant | undefined {
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    return grant && this.#clock.nowMs() < grant.expiresAtMs ? grant : undefined;
  }
}

export function scopesIn(text: string): string[] {
  return text.split(/[\s+]+/).filter((scope) => scope !== '');
}

/** Whether `granted` covers a scope such as `write:statuses`. */
export function covers(granted: readonly string[], scope: string): boolean {
  return granted.includes(scope) || granted.includes(scope.split(':')[0] ?? '');
}

interface AuthorizationRequest {
  readonly app: App;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly challenge: string | undefined;
}

/** `/oauth/authorize`, where a person agrees, and `/oauth/token`, where the application redeems its code. */
export function oauthRoutes(oauth: OAuth, people: People): Hono {
  /** The request, or the reason why it is invalid. */
  function parse(parameters: URLSearchParams): AuthorizationRequest | string {
    const app = oauth.findApp(parameters.get('client_id') ?? undefined);
    if (!app) return 'Client authentication failed due to unknown client.';
    const redirectUri = parameters.get('redirect_uri') ?? '';
    if (!app.redirectUris.includes(redirectUri)) return 'The redirect uri included is not valid.';
    if (parameters.get('response_type') !== 'code') return 'The authorization server does not support this response type.';
    const scopes = scopesIn(parameters.get('scope') ?? 'read');
    if (!scopes.every((scope) => covers(app.scopes, scope))) return 'The requested scope is invalid, unknown, or malformed.';
    const challenge = parameters.get('code_challenge') ?? undefined;
    if (challenge !== undefined && parameters.get('code_challenge_method') !== 'S256') return 'The code_challenge_method must be S256.';
    return { app, redirectUri, scopes, challenge };
  }

  function redirect(c: Context, redirectUri: string, answer: Readonly<Record<string, string>>): Response {
    const target = new URL(redirectUri);
    for (const [name, value] of Object.entries(answer)) target.searchParams.set(name, value);
    return c.redirect(target.href, 302);
  }

  const routes = new Hono();

  routes.get('/authorize', (c) => {
    const parameters = new URL(c.req.url).searchParams;
    const request = parse(parameters);
    if (typeof request === 'string') return c.text(request, 400);
    const fields = Array.from(parameters, ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
    return c.html(
      permissionPage({
        title: 'Authorization required',
        heading: 'Authorization required',
        body: html`<p><strong>${request.app.name}</strong> asks for ${request.scopes.join(', ')}.</p>
          <form method="post">
            ${fields}
            <label>Account <input name="user" value="${SELF.handle}" /></label>
            <button type="submit" name="decision" value="authorize">Authorize</button>
            <button type="submit" name="decision" value="deny">Deny</button>
          </form>`,
      }),
    );
  });

  routes.post('/authorize', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const request = parse(form);
    const user = people.find(form.get('user') ?? SELF.handle);
    if (typeof request === 'string' || !user) return c.text(typeof request === 'string' ? request : 'There is no such account.', 400);
    const { app, redirectUri, scopes, challenge } = request;
    const state = { state: form.get('state') ?? '' };
    if (form.get('decision') === 'deny') return redirect(c, redirectUri, { error: 'access_denied', ...state });
    return redirect(c, redirectUri, {
      code: oauth.issueCode({ appId: app.id, userId: user.id, redirectUri, scopes, challenge }),
      ...state,
    });
  });

  routes.post('/token', async (c) => {
    const fields = await fieldsOf(c.req.raw);
    const app = oauth.findApp(fields.text('client_id'));
    if (app?.clientSecret !== fields.text('client_secret') || !app) return c.json({ error: 'invalid_client' }, 401);
    if (fields.text('grant_type') !== 'authorization_code') return c.json({ error: 'unsupported_grant_type' }, 400);
    const grant = oauth.redeem(fields.text('code') ?? '');
    const fits = grant?.appId === app.id && grant.redirectUri === fields.text('redirect_uri');
    if (!fits || !verifies(grant.challenge, fields.text('code_verifier'))) return c.json({ error: 'invalid_grant' }, 400);
    const { value, scopes, createdAtMs } = oauth.issueToken({ appId: app.id, userId: grant.userId, scopes: [...grant.scopes] });
    return c.json({ access_token: value, token_type: 'Bearer', scope: scopes.join(' '), created_at: Math.floor(createdAtMs / 1000) });
  });

  return routes;
}

function verifies(challenge: string | undefined, verifier: string | undefined): boolean {
  return (
    challenge === undefined ||
    createHash('sha256')
      .update(verifier ?? '')
      .digest('base64url') === challenge
  );
}
