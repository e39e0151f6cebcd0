import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { fieldsOf, type Fields } from '../requests/fields.ts';
import type { App } from './apps.ts';
import { authorizeRoutes, type AuthorizeOptions } from './authorize.ts';
import { answers } from './codes.ts';
import { scopesIn } from './scopes.ts';
import { toTokenAnswer, type Token, type Tokens } from './tokens.ts';

export interface OauthOptions extends AuthorizeOptions {
  readonly tokens: Tokens;
}

const DESCRIPTIONS = {
  invalid_client:
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  invalid_grant:
    'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  invalid_scope: 'The requested scope is invalid, unknown, or malformed.',
  invalid_request: 'Missing required parameter: grant_type.',
  unsupported_grant_type: 'The authorization grant type is not supported by the authorization server.',
  unauthorized_client: 'You are not authorized to revoke this token',
} as const;

class OauthRefusal extends Error {
  override readonly name = 'OauthRefusal';
  readonly status: ContentfulStatusCode;
  readonly code: keyof typeof DESCRIPTIONS;

  constructor(status: ContentfulStatusCode, code: keyof typeof DESCRIPTIONS) {
    super(DESCRIPTIONS[code]);
    this.status = status;
    this.code = code;
  }
}

/** The authorization server: people agree, and apps get their tokens. */
export function oauthRoutes(options: OauthOptions): Hono {
  const { apps, codes, tokens } = options;

  function appOf(fields: Fields, authorization: string | undefined): App {
    const [, encoded] = /^Basic (.+)$/i.exec(authorization ?? '') ?? [];
    const [id, secret] = encoded === undefined ? [fields.text('client_id'), fields.text('client_secret')] : basic(encoded);
    const app = apps.byClientId(id);
    if (!app || app.clientSecret !== secret) throw new OauthRefusal(401, 'invalid_client');
    return app;
  }

  function tokenFor(app: App, fields: Fields): Token {
    switch (fields.text('grant_type')) {
      case undefined:
        throw new OauthRefusal(400, 'invalid_request');
      case 'authorization_code': {
        const grant = codes.redeem(fields.text('code') ?? '');
        const fits = grant?.appId === app.id && grant.redirectUri === fields.text('redirect_uri');
        if (!fits || !answers(grant.challenge, fields.text('code_verifier'))) throw new OauthRefusal(400, 'invalid_grant');
        return tokens.issue({ appId: app.id, userId: grant.userId, scopes: [...grant.scopes] });
      }
      case 'client_credentials': {
        const scopes = scopesIn(fields.text('scope') ?? 'read');
        const allowed = scopes?.every((scope) => app.scopes.includes(scope) || app.scopes.includes(scope.split(':')[0] ?? ''));
        if (!scopes || !allowed) throw new OauthRefusal(400, 'invalid_scope');
        return tokens.issue({ appId: app.id, scopes: [...scopes] });
      }
      default:
        throw new OauthRefusal(400, 'unsupported_grant_type');
    }
  }

  const routes = new Hono();
  routes.route('/', authorizeRoutes(options));

  routes.post('/token', async (c) => {
    const fields = await fieldsOf(c.req.raw);
    return c.json(toTokenAnswer(tokenFor(appOf(fields, c.req.header('authorization')), fields)));
  });

  routes.post('/revoke', async (c) => {
    const fields = await fieldsOf(c.req.raw);
    const app = apps.byClientId(fields.text('client_id'));
    const token = tokens.find(fields.text('token') ?? '');
    const isOwn = app?.clientSecret === fields.text('client_secret') && (!token || token.appId === app?.id);
    if (!app || !isOwn || !fields.has('token')) throw new OauthRefusal(403, 'unauthorized_client');
    if (token) tokens.revoke(token);
    return c.json({});
  });

  routes.onError((error, c) => {
    if (error instanceof OauthRefusal) return c.json({ error: error.code, error_description: error.message }, error.status);
    if (error instanceof SyntaxError) return c.json({ error: 'invalid_request', error_description: 'The body cannot be read.' }, 400);
    throw error;
  });
  return routes;
}

function basic(encoded: string): readonly [string, string] {
  const text = Buffer.from(encoded, 'base64').toString();
  const at = text.indexOf(':');
  return [decodeURIComponent(text.slice(0, at)), decodeURIComponent(text.slice(at + 1))];
}
