import { Hono } from 'hono';
import { html } from 'hono/html';
import { SELF } from '../../social/people.ts';
import { userId } from '../ids/user-ids.ts';
import { findClient, isCallback } from './clients.ts';
import type { Grants } from './grants.ts';
import { SCOPES, scopesIn } from './scopes.ts';

const METHODS: Readonly<Record<string, 'S256' | 'plain'>> = { s256: 'S256', plain: 'plain' };

interface Wish {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string;
  readonly challenge: string;
  readonly method: 'S256' | 'plain';
}

/** `GET /i/oauth2/authorize`: the page on which a person allows an app something, and what its button does. */
export function authorizeRoutes(grants: Grants): Hono {
  const routes = new Hono();

  routes.get('/authorize', (c) => {
    const wish = wishOf(new URL(c.req.url).searchParams);
    return typeof wish === 'string'
      ? c.html(page('Something went wrong', complaint(wish)), 400)
      : c.html(page('Authorize app', question(wish)));
  });

  routes.post('/authorize', async (c) => {
    const wish = wishOf(new URL(c.req.url).searchParams);
    if (typeof wish === 'string') return c.html(page('Something went wrong', complaint(wish)), 400);
    const { clientId, redirectUri, scopes, state, challenge, method } = wish;
    const target = new URL(redirectUri);
    target.searchParams.set('state', state);
    const answer = new URLSearchParams(await c.req.text()).get('answer');
    if (answer === 'cancel') target.searchParams.set('error', 'access_denied');
    else target.searchParams.set('code', grants.issueCode({ clientId, userId: userId(SELF), scopes, redirectUri, challenge, method }));
    return c.redirect(target.href, 302);
  });

  return routes;
}

/** What the app asks for, or what is wrong with it. */
function wishOf(query: URLSearchParams): Wish | string {
  const given = (name: string): string => query.get(name) ?? '';
  const scopes = scopesIn(given('scope'));
  // Clients write S256 in capitals or not, and X takes both.
  const method = METHODS[given('code_challenge_method').toLowerCase() || 'plain'];
  if (!findClient(given('client_id'))) return 'There is no app with this client_id.';
  if (given('response_type') !== 'code') return 'response_type has to be code.';
  if (!isCallback(given('redirect_uri')))
    return 'redirect_uri is none of the callback addresses of this app: the sandbox takes http://127.0.0.1 alone.';
  if (given('state') === '') return 'There is no state.';
  if (given('code_challenge') === '') return 'There is no code_challenge.';
  if (!method) return 'code_challenge_method is S256 or plain.';
  const unknown = scopes.find((scope) => !SCOPES.has(scope));
  if (scopes.length === 0 || unknown !== undefined) return `There is no scope ${unknown ?? ''}.`;
  return {
    clientId: given('client_id'),
    redirectUri: given('redirect_uri'),
    scopes,
    state: given('state'),
    challenge: given('code_challenge'),
    method,
  };
}

type Html = ReturnType<typeof html>;

function question({ scopes }: Wish): Html {
  return html`<h1>Fanfare wants to access your X account.</h1>
    <p>@${SELF.handle} · ${SELF.displayName}</p>
    <p>It asks for:</p>
    <ul>
      ${scopes.map((scope) => html`<li><code>${scope}</code></li>`)}
    </ul>
    <form method="post">
      <button name="answer" value="authorize" autofocus>Authorize app</button>
      <button name="answer" value="cancel">Cancel</button>
    </form>`;
}

function complaint(text: string): Html {
  return html`<h1>Something went wrong</h1>
    <p>You weren’t able to give access to the app. ${text}</p>`;
}

function page(title: string, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          body {
            font:
              16px/1.5 system-ui,
              sans-serif;
            max-width: 32rem;
            margin: 3rem auto;
            padding: 0 1rem;
          }
          button {
            font: inherit;
            padding: 0.5rem 1.25rem;
            border-radius: 2rem;
            cursor: pointer;
          }
        </style>
      </head>
      <body>
        ${body}
        <p><small>This is the sandbox’s X, on this machine. It opens nothing else.</small></p>
      </body>
    </html>`;
}
