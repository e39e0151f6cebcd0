import { Hono } from 'hono';
import { basicOf } from './clients.ts';
import { credentials } from './credentials.ts';

/** `POST /oauth2/token`: the token of the app itself, by its key and secret. */
export function appTokenRoutes(): Hono {
  const routes = new Hono();
  routes.post('/token', async (c) => {
    const basic = basicOf(c.req.header('authorization'));
    const known = basic?.name === credentials.apiKey && basic.password === credentials.apiSecret;
    if (!known)
      return c.json({ errors: [{ code: 99, label: 'authenticity_token_error', message: 'Unable to verify your credentials' }] }, 403);
    const form = new URLSearchParams(await c.req.text());
    if (form.get('grant_type') !== 'client_credentials') {
      return c.json(
        { errors: [{ code: 170, label: 'forbidden_missing_parameter', message: 'Missing required parameter: grant_type' }] },
        403,
      );
    }
    return c.json({ token_type: 'bearer', access_token: credentials.bearerToken });
  });
  return routes;
}
