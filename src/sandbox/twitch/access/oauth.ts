import { Hono, type Context } from 'hono';
import { authRefusal } from '../refusal.ts';
import { credentials } from './credentials.ts';
import type { Tokens } from './tokens.ts';

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
