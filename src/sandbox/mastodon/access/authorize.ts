import { Hono, type Context } from 'hono';
import { SELF, type People } from '../../social/people.ts';
import { OUT_OF_BAND, type App, type Apps } from './apps.ts';
import { authorizePage, codePage, oauthErrorPage } from './authorize-page.ts';
import type { Codes } from './codes.ts';
import { scopesIn } from './scopes.ts';

export interface AuthorizeOptions {
  readonly apps: Apps;
  readonly codes: Codes;
  readonly people: People;
  /** Whether the server knows PKCE; one that does not takes no notice of it. */
  readonly knowsPkce: () => boolean;
}

interface Asked {
  readonly app: App;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly challenge: string | undefined;
  readonly state: string | undefined;
}

const PASSED_ON = ['response_type', 'client_id', 'redirect_uri', 'scope', 'state', 'code_challenge', 'code_challenge_method'] as const;

/** `GET` and `POST /oauth/authorize`: a person is asked, and says yes or no. */
export function authorizeRoutes({ apps, codes, people, knowsPkce }: AuthorizeOptions): Hono {
  /** What is asked for, or why nobody can be. */
  function asked(parameters: URLSearchParams): Asked | string {
    const app = apps.byClientId(parameters.get('client_id') ?? undefined);
    if (!app) {
      return 'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.';
    }
    const redirectUri = parameters.get('redirect_uri') ?? '';
    if (!app.redirectUris.includes(redirectUri)) return 'The redirect uri included is not valid.';
    if (parameters.get('response_type') !== 'code') return 'The authorization server does not support this response type.';
    const scopes = scopesIn(parameters.get('scope') ?? 'read');
    if (!scopes?.every((scope) => app.scopes.includes(scope) || app.scopes.includes(scope.split(':')[0] ?? ''))) {
      return 'The requested scope is invalid, unknown, or malformed.';
    }
    const challenge = knowsPkce() ? (parameters.get('code_challenge') ?? undefined) : undefined;
    if (challenge !== undefined && parameters.get('code_challenge_method') !== 'S256') {
      return 'The code_challenge_method must be S256.';
    }
    return { app, redirectUri, scopes, challenge, state: parameters.get('state') ?? undefined };
  }

  function sendBack(c: Context, { redirectUri, state }: Asked, said: Readonly<Record<string, string>>): Response {
    const target = new URL(redirectUri);
    for (const [name, value] of Object.entries({ ...said, ...(state !== undefined && { state }) })) target.searchParams.set(name, value);
    return c.redirect(target.href, 302);
  }

  const routes = new Hono();

  routes.get('/authorize', (c) => {
    const parameters = new URL(c.req.url).searchParams;
    const found = asked(parameters);
    if (typeof found === 'string') return c.html(oauthErrorPage(found), 400);
    const kept = PASSED_ON.flatMap((name) => {
      const value = parameters.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    return c.html(authorizePage({ ...found, user: SELF.handle, parameters: Object.fromEntries(kept) }));
  });

  routes.post('/authorize', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const found = asked(form);
    if (typeof found === 'string') return c.html(oauthErrorPage(found), 400);
    const user = people.find(form.get('user') ?? SELF.handle);
    if (!user) return c.html(oauthErrorPage('There is nobody of this name.'), 400);
    if (form.get('decision') === 'deny') {
      if (found.redirectUri === OUT_OF_BAND)
        return c.html(oauthErrorPage('The resource owner or authorization server denied the request.'), 400);
      return sendBack(c, found, {
        error: 'access_denied',
        error_description: 'The resource owner or authorization server denied the request.',
      });
    }
    const { app, redirectUri, scopes, challenge } = found;
    const code = codes.issue({ appId: app.id, userId: user.id, redirectUri, scopes, challenge });
    return redirectUri === OUT_OF_BAND ? c.redirect(`authorize/native?code=${code}`, 302) : sendBack(c, found, { code });
  });

  routes.get('/authorize/native', (c) => c.html(codePage(c.req.query('code') ?? '')));

  return routes;
}
