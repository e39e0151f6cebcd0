import { Hono, type Context } from 'hono';
import { isJsonList, type JsonObject } from '#src/clients/operation/json.ts';
import type { SocialCore } from '../social/core.ts';
import { SELF } from '../social/people.ts';
import type { Caller } from './authorization.ts';
import { credentials, postIndex } from './ids.ts';
import { fieldParameter, inVocabulary, selectionOf } from './fields.ts';
import { listRoutes } from './list-routes.ts';
import { mediaRoutes } from './media-routes.ts';
import type { XMedia } from './media.ts';
import { messageRoutes } from './message-routes.ts';
import { postRoutes } from './post-routes.ts';
import {
  clientForbidden,
  creditsDepleted,
  forbidden,
  invalid,
  tooManyRequests,
  unsupportedAuthentication,
  usageCapped,
  XProblem,
} from './problem.ts';
import type { RateLimits } from './rate-limits.ts';
import type { XRequest, XRoute } from './request.ts';
import type { Settings } from './settings.ts';
import { timelineRoutes } from './timeline-routes.ts';
import { userRoutes } from './user-routes.ts';

/** Of two routes that match a path, the first one answers. */
const routes: readonly XRoute[] = [...timelineRoutes, ...userRoutes, ...listRoutes, ...messageRoutes, ...mediaRoutes, ...postRoutes];

const AUTHENTICATIONS = { app: 'OAuth 2.0 Application-Only', oauth1: 'OAuth 1.0a User Context', oauth2: 'OAuth 2.0 User Context' } as const;

export interface ApiOptions {
  readonly core: SocialCore;
  readonly media: XMedia;
  readonly settings: Settings;
  readonly rateLimits: RateLimits;
  readonly callerOf: (c: Context) => Promise<Caller>;
}

/** The endpoints below `/2`, with the checks that X makes before it answers. */
export function xApi({ core, media, settings, rateLimits, callerOf }: ApiOptions): Hono {
  const api = new Hono();

  api.onError((error, c) => {
    if (!(error instanceof XProblem)) throw error;
    const headers = { 'content-type': 'application/json; charset=utf-8', ...Object.fromEntries(c.res.headers) };
    return new Response(JSON.stringify(error.body), { status: error.status, headers });
  });

  function requestOf(c: Context, caller: Caller, route: XRoute): XRequest {
    const viewer = caller.kind === 'app' ? undefined : caller.person;
    const social = core.startRequest({ method: c.req.method, path: c.req.path }, viewer ?? SELF);
    const snapshot = viewer ? social.snapshot : core.snapshotFor();
    const query = new URL(c.req.url).searchParams;
    checkParameters(query, route);
    return {
      ...social,
      viewer,
      snapshot,
      query,
      xMedia: media,
      settings,
      nowMs: snapshot.now.getTime(),
      findPost: postIndex(snapshot.feed),
      param: (name) => c.req.param(name) ?? '',
      json: () =>
        c.req.json<unknown>().catch(() => {
          throw invalid({ message: 'Request body is not valid JSON.' });
        }),
      contentType: c.req.header('content-type') ?? '',
      bytes: async () => Buffer.from(await c.req.arrayBuffer()),
      selection: selectionOf(query, route.expands, settings),
      path: c.req.path.replace(/^.*?\/2\//, '/'),
    };
  }

  function checkParameters(query: URLSearchParams, { parameters = [], fields = [], expands }: XRoute): void {
    const ofFields = fields.map((kind) => fieldParameter(kind, settings.names));
    const known = [...parameters, ...ofFields, ...(expands ? ['expansions'] : [])];
    const unknown = [...query.keys()].filter((name) => !known.includes(name));
    if (unknown.length === 0) return;
    throw invalid(
      ...unknown.map((name) => ({
        parameters: { [name]: [query.get(name) ?? ''] },
        message: `The query parameter [${name}] is not one of [${known.join(',')}]`,
      })),
    );
  }

  function checkLimits(c: Context, caller: Caller, { method, path, limits }: XRoute): void {
    const userId = caller.kind === 'app' ? undefined : caller.person.id;
    const usual = userId === undefined ? limits.app : limits.user;
    const limit = usual === undefined ? undefined : (settings.limits.find(({ route }) => path.includes(route))?.most ?? usual);
    const { isAllowed, headers } = rateLimits.take(`${method} ${path}`, userId, limit);
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    if (!isAllowed) throw tooManyRequests();
  }

  function checkPlan({ isEnterprise = false, readsPosts = false }: XRoute): void {
    if (isEnterprise && settings.tier !== 'enterprise') throw clientForbidden(credentials.appNumber);
    if (settings.creditsDepleted) throw creditsDepleted(credentials.accountNumber);
    const { usageCap, postsRead } = settings;
    if (readsPosts && usageCap !== undefined && postsRead >= usageCap) throw usageCapped(credentials.accountNumber);
  }

  for (const route of routes) {
    api.on(route.method, route.path, async (c) => {
      const caller = await callerOf(c);
      checkCaller(caller, route);
      checkLimits(c, caller, route);
      checkPlan(route);
      const request = requestOf(c, caller, route);
      if (route.method !== 'GET' && request.viewer && settings.suspended.has(request.viewer.id)) {
        throw forbidden('Your account is suspended and is not permitted to access this feature.');
      }
      const answer: JsonObject = await route.answer(request);
      if (route.readsPosts) settings.postsRead += isJsonList(answer['data']) ? answer['data'].length : Number('data' in answer);
      const hasNames = route.fields !== undefined || route.method !== 'GET';
      return c.json(hasNames ? inVocabulary(answer, settings.names) : answer, route.status ?? 200);
    });
  }
  // X answers unknown paths without a body.
  api.all('*', (c) => c.body(null, 404));
  return api;
}

function checkCaller(caller: Caller, { callers, scopes }: XRoute): void {
  const supported: readonly Caller['kind'][] = [
    ...(callers === undefined || callers === 'app' ? (['oauth1'] as const) : []),
    'oauth2',
    ...(callers === 'app' || callers === 'appOrOauth2' ? (['app'] as const) : []),
  ];
  if (!supported.includes(caller.kind)) {
    throw unsupportedAuthentication(
      AUTHENTICATIONS[caller.kind],
      supported.map((kind) => AUTHENTICATIONS[kind]),
    );
  }
  if (caller.kind === 'oauth2' && scopes.split(' ').some((scope) => scope !== '' && !caller.scopes.has(scope))) throw forbidden();
}
