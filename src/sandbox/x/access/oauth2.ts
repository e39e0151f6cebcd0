import { createHash } from 'node:crypto';
import { Hono, type Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { z } from 'zod';
import { basicOf, findClient, type Client } from './clients.ts';
import { ACCESS_MS, type Code, type Grants, type Pair } from './grants.ts';

const Fields = z.record(z.string(), z.string());

/** The authorization server says no. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: ContentfulStatusCode;
  readonly error: string;

  constructor(status: ContentfulStatusCode, error: string, description: string) {
    super(description);
    this.status = status;
    this.error = error;
  }
}

const wrong = (what: string): Refused => new Refused(400, 'invalid_request', `Value passed for the ${what} was invalid.`);

/** `POST /2/oauth2/token` and `/2/oauth2/revoke`: codes for tokens, and tokens for the next ones. */
export function oauth2Routes(grants: Grants): Hono {
  const routes = new Hono();

  routes.onError((error, c) => {
    if (!(error instanceof Refused)) throw error;
    return c.json({ error: error.error, error_description: error.message }, error.status);
  });

  routes.post('/token', async (c) => {
    const form = await formOf(c);
    const client = clientOf(c, form);
    switch (form.get('grant_type')) {
      case 'authorization_code':
        return c.json(toAnswer(exchange(form, client)));
      case 'refresh_token': {
        const pair = grants.refresh(form.get('refresh_token') ?? '', client.id);
        if (!pair) throw wrong('token');
        return c.json(toAnswer(pair));
      }
      default:
        throw new Refused(400, 'unsupported_grant_type', 'The grant type is neither authorization_code nor refresh_token.');
    }
  });

  routes.post('/revoke', async (c) => {
    const form = await formOf(c);
    clientOf(c, form);
    grants.revoke(form.get('token') ?? '');
    return c.json({ revoked: true });
  });

  function exchange(form: URLSearchParams, client: Client): Pair {
    const code = grants.takeCode(form.get('code') ?? '');
    if (!code || code.clientId !== client.id) throw wrong('authorization code');
    if (code.redirectUri !== form.get('redirect_uri')) throw wrong('redirect uri');
    if (!proves(form.get('code_verifier') ?? '', code)) {
      throw new Refused(400, 'invalid_request', 'Value passed for the code verifier did not match the code challenge.');
    }
    return grants.open({ clientId: client.id, userId: code.userId, scopes: [...code.scopes] });
  }

  return routes;
}

/** X takes these as JSON as well: the most used client sends them so. */
async function formOf(c: Context): Promise<URLSearchParams> {
  const text = await c.req.text();
  if (!c.req.header('content-type')?.startsWith('application/json')) return new URLSearchParams(text);
  const fields = Fields.safeParse(parsed(text));
  if (!fields.success) throw wrong('body');
  return new URLSearchParams(fields.data);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Who asks: a client with a secret shows it in the header, one without names itself in the form. */
function clientOf(c: Context, form: URLSearchParams): Client {
  const basic = basicOf(c.req.header('authorization'));
  const client = findClient(basic?.name ?? form.get('client_id') ?? '');
  const shown = client && client.secret === basic?.password;
  if (!client || !shown) throw new Refused(401, 'unauthorized_client', 'Missing valid authorization header');
  return client;
}

function proves(verifier: string, { challenge, method }: Code): boolean {
  if (verifier === '') return false;
  return challenge === (method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url'));
}

function toAnswer({ access, refresh, family: { scopes } }: Pair): Record<string, string | number> {
  return {
    token_type: 'bearer',
    expires_in: ACCESS_MS / 1000,
    access_token: access,
    scope: scopes.join(' '),
    ...(refresh === undefined ? {} : { refresh_token: refresh }),
  };
}
