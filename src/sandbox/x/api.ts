import { Hono, type Context } from 'hono';
import { isJsonList, type JsonObject } from '#src/operation/json.ts';
import { SELF } from '../social/people.ts';
import type { SocialStage } from '../social/stage.ts';
import { AUTHENTICATIONS, authenticationOf, type Caller } from './access/caller.ts';
import { credentials } from './access/credentials.ts';
import { postIndex } from './ids/post-ids.ts';
import type { Windows } from './limits/windows.ts';
import type { XMedia } from './media/media.ts';
import type { Mutes } from './mutes.ts';
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
import type { Access, XRequest, XRoute } from './request.ts';
import { routes } from './routes/routes.ts';
import type { Settings } from './settings.ts';
import { askedOf, fieldParameters } from './wire/fields.ts';
import { inVocabulary, type Names } from './wire/vocabulary.ts';

export interface ApiOptions {
  readonly stage: SocialStage;
  readonly media: XMedia;
  readonly mutes: Mutes;
  readonly settings: Settings;
  readonly windows: Windows;
  readonly callerOf: (c: Context) => Promise<Caller>;
}

/** Every endpoint below `/2`, each behind what X checks before it answers. */
export function xApi({ stage, media, mutes, settings, windows, callerOf }: ApiOptions): Hono {
  const api = new Hono();

  api.onError((error, c) => {
    if (!(error instanceof XProblem)) throw error;
    // The headers of the limits stand on refusals, too.
    return new Response(JSON.stringify(error.body), {
      status: error.status,
      headers: { ...limitsOf(c), 'content-type': 'application/json; charset=utf-8' },
    });
  });

  function requestOf(c: Context, caller: Caller, route: XRoute): XRequest {
    const viewer = caller.kind === 'user' ? caller.person : undefined;
    const meeting = stage.meet({ method: c.req.method, path: c.req.path }, viewer ?? SELF);
    const moment = viewer ? meeting.moment : stage.momentFor();
    const query = new URL(c.req.url).searchParams;
    checkParameters(query, route, settings.names);
    return {
      caller,
      viewer,
      moment,
      meeting,
      query,
      media,
      mutes,
      settings,
      findPost: postIndex(moment.feed),
      param: (name) => c.req.param(name) ?? '',
      json: () =>
        c.req.json<unknown>().catch(() => {
          throw invalid({ message: 'Request body is not valid JSON.' });
        }),
      contentType: c.req.header('content-type') ?? '',
      bytes: async () => Buffer.from(await c.req.arrayBuffer()),
      asked: askedOf(query, route.expands ?? 'none', settings.names),
      path: c.req.path.replace(/^.*?\/2\//, '/'),
    };
  }

  function checkLimits(c: Context, caller: Caller, { method, path, limits }: XRoute): void {
    const userId = caller.kind === 'user' ? caller.person.id : undefined;
    const most = settings.limits.find(({ route }) => path.includes(route))?.most;
    const { allowed, headers } = windows.take({ route: `${method} ${path}`, limits, userId, most });
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    c.set('limits', headers);
    if (!allowed) throw tooManyRequests();
  }

  function checkPaid({ readsPosts = false }: XRoute): void {
    if (settings.creditsDepleted) throw creditsDepleted(credentials.accountNumber);
    const { usageCap, postsRead } = settings;
    if (readsPosts && usageCap !== undefined && postsRead >= usageCap) throw usageCapped(credentials.accountNumber);
  }

  for (const route of routes) {
    api.on(route.method, route.path, async (c) => {
      const caller = await callerOf(c);
      checkAccess(caller, route.access);
      if (route.enterprise && settings.tier !== 'enterprise') throw clientForbidden(credentials.appNumber);
      checkLimits(c, caller, route);
      checkPaid(route);
      const request = requestOf(c, caller, route);
      if (route.method !== 'GET' && request.viewer && settings.suspended.has(request.viewer.id)) {
        throw forbidden('Your account is suspended and is not permitted to access this feature.');
      }
      const answer = await route.answer(request);
      if (route.readsPosts) settings.postsRead += isJsonList(answer['data']) ? answer['data'].length : Number('data' in answer);
      return c.json(named(answer, request, route), route.status ?? 200);
    });
  }
  // X has nothing to say of a path that it does not know.
  api.all('*', (c) => c.body(null, 404));
  return api;
}

function limitsOf(c: Context): Readonly<Record<string, string>> {
  const limits: unknown = c.get('limits');
  return typeof limits === 'object' && limits !== null ? (limits as Record<string, string>) : {}; // checkLimits put it there
}

function named(answer: JsonObject, { asked }: XRequest, { fields, method }: XRoute): JsonObject {
  if (!fields && method === 'GET') return answer;
  return inVocabulary(answer, asked.vocabulary);
}

function checkAccess(caller: Caller, { scopes, app = false, oauth2Only = false, appOnly = false }: Access): void {
  const supported = [
    ...(appOnly || oauth2Only ? [] : (['oauth1'] as const)),
    ...(appOnly ? [] : (['oauth2'] as const)),
    ...(app ? (['app'] as const) : []),
  ];
  const given = authenticationOf(caller);
  if (!supported.some((one) => one === given)) {
    throw unsupportedAuthentication(
      AUTHENTICATIONS[given],
      supported.map((one) => AUTHENTICATIONS[one]),
    );
  }
  if (caller.kind === 'user' && caller.via === 'oauth2' && scopes.some((scope) => !caller.scopes.has(scope))) throw forbidden();
}

function checkParameters(query: URLSearchParams, { parameters = [], fields = [], expands }: XRoute, names: Names): void {
  const known = [...parameters, ...fieldParameters(fields, names), ...(expands ? ['expansions'] : [])];
  const unknown = [...query.keys()].filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw invalid(
    ...unknown.map((name) => ({
      parameters: { [name]: [query.get(name) ?? ''] },
      message: `The query parameter [${name}] is not one of [${known.join(',')}]`,
    })),
  );
}
