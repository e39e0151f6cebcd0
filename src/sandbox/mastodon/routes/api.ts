import { Hono, type Context } from 'hono';
import type { Ground } from '../ground.ts';
import { spendingsOf } from '../limits/throttles.ts';
import { MastodonRefusal, refused } from '../refusal.ts';
import { fieldsOf, type Fields } from '../requests/fields.ts';
import { settle } from '../settling.ts';
import { asUser, headersOf, requireScope, visit, type UserVisit, type Visit } from '../visit.ts';
import { localeFrom, type Locale } from '../wording.ts';

export interface ApiEnv {
  readonly Variables: { readonly visit: Visit };
}

export type Routes = Hono<ApiEnv>;
type Answer<V> = (found: V, c: Context<ApiEnv>) => Response | Promise<Response>;

/** Answers whoever signed in, with a token that has the scope. */
export function signedIn(scope: string, answer: Answer<UserVisit>) {
  return (c: Context<ApiEnv>): Response | Promise<Response> => answer(asUser(c.var.visit, scope), c);
}

/** Answers anybody; whoever shows a token has to have the scope. */
export function anybody(scope: string, answer: Answer<Visit>) {
  return (c: Context<ApiEnv>): Response | Promise<Response> => {
    if (c.var.visit.token) requireScope(c.var.visit, scope);
    return answer(c.var.visit, c);
  };
}

/** Answers whoever has any token, an app's own included. */
export function withToken(scope: string, answer: Answer<Visit>) {
  return (c: Context<ApiEnv>): Response | Promise<Response> => {
    requireScope(c.var.visit, scope);
    return answer(c.var.visit, c);
  };
}

/** The API, with what stands before every route of it: who asks, what it is counted for, and how refusals are worded. */
export function apiWith(ground: Ground, topics: readonly ((routes: Routes) => void)[]): Hono {
  const routes: Routes = new Hono<ApiEnv>();

  routes.use(async (c, next) => {
    if (ground.settings.features.refusesUnnamedClients && c.req.header('user-agent') === undefined) {
      return new Response(null, { status: 418 });
    }
    settle(ground);
    const found = await visitOf(c, ground);
    c.set('visit', found);
    const nowMs = found.moment.now.getTime();
    for (const spending of spendingsOf({
      method: c.req.method,
      path: apiPath(c.req.path),
      query: found.url.searchParams,
      token: tokenIn(found),
    })) {
      const state = ground.limits.spend(spending, nowMs);
      found.limits.push(state);
      if (state.remaining < 0) throw refused('tooMany', { status: 429 });
    }
    await next();
    for (const [name, value] of Object.entries(headersOf(found))) c.res.headers.set(name, value);
    return undefined;
  });

  for (const add of topics) add(routes);

  routes.all('*', () => nowhere(ground));
  routes.onError((error, c) => {
    if (!(error instanceof MastodonRefusal)) throw error;
    const found: Visit | undefined = c.var.visit;
    const locale = found?.locale ?? localeOf(c, ground);
    return Response.json(error.body(locale), { status: error.status, headers: found ? headersOf(found) : {} });
  });
  return new Hono().route('/', routes);
}

/** There is no such route: servers by others say so in their own way. */
export function nowhere({ settings }: Pick<Ground, 'settings'>): Response {
  if (settings.current.kind === 'bare') return new Response('404 page not found', { status: 404 });
  return Response.json({ error: 'Not Found', status: 404 }, { status: 404 });
}

async function visitOf(c: Context<ApiEnv>, ground: Ground): Promise<Visit> {
  const [, value] = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
  const token = value === undefined ? undefined : ground.tokens.find(value);
  if (value !== undefined && !token) throw new MastodonRefusal(401, { error: 'The access token is invalid' });
  if (token?.isRevoked) throw new MastodonRefusal(401, { error: 'The access token was revoked' });
  return visit({
    ground,
    token,
    fields: await readFields(c),
    limits: [],
    locale: localeOf(c, ground),
    url: new URL(c.req.url),
    method: c.req.method,
  });
}

async function readFields(c: Context<ApiEnv>): Promise<Fields> {
  try {
    return await fieldsOf(c.req.raw);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new MastodonRefusal(400, { error: 'Error occurred while parsing request parameters' });
  }
}

function localeOf(c: Context<ApiEnv>, { settings }: Ground): Locale {
  return settings.current.locale ?? localeFrom(c.req.header('accept-language'));
}

function tokenIn({ token }: Visit): { readonly value: string; readonly userId: string | undefined } | undefined {
  return token && { value: token.value, userId: token.userId };
}

/** From `/api` on, wherever the API stands. */
function apiPath(path: string): string {
  return path.slice(Math.max(0, path.indexOf('/api/')));
}
