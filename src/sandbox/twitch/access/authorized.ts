import type { MiddlewareHandler } from 'hono';
import { helixRefusal } from '../refusal.ts';
import type { PointsBudget } from './budget.ts';
import type { Tokens } from './tokens.ts';

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
