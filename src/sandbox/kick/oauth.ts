import { Hono } from 'hono';
import type { Tokens } from '../twitch/access/tokens.ts';
import { credentials } from './credentials.ts';

/** The authorization server: tokens by client credentials. */
export function oauthRoutes(tokens: Tokens): Hono {
  const routes = new Hono();

  routes.post('/token', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const known = form.get('client_id') === credentials.clientId && form.get('client_secret') === credentials.clientSecret;
    if (!known) return c.json({ error: 'invalid_client' }, 401);
    if (form.get('grant_type') !== 'client_credentials') return c.json({ error: 'unsupported_grant_type' }, 400);
    const token = tokens.issue(credentials.clientId);
    return c.json({ access_token: token.value, expires_in: tokens.secondsLeft(token), token_type: 'Bearer' });
  });

  return routes;
}
