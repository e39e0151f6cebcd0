import { Hono, type Context } from 'hono';
import { isJsonList, isJsonObject, type Json } from '#src/clients/operation/json.ts';
import { SELF } from '../social/people.ts';
import type { SocialRequest } from '../social/request.ts';
import type { StoredPost } from '../social/posts.ts';
import type { WorldPerson } from '../world/world.ts';
import { mastodonFeed } from './feed.ts';
import { publishDue } from './publishing.ts';
import { fieldsOf, type Fields, NO_FIELDS } from './fields.ts';
import { covers, type Token } from './oauth.ts';
import { rateHeaders, type RateState } from './rate-limit.ts';
import { Refusal } from '../refusal.ts';
import { recordNotFound, routeNotFound, tooManyRequests } from './refusal.ts';
import type { ServerKind } from './settings.ts';
import { isSuspended, type MastodonState, NAME } from './state.ts';

/** A request and the state of the server that it sees. */
export interface MastodonRequest extends Omit<SocialRequest, 'viewer'> {
  readonly state: MastodonState;
  /** The owner of the token; absent without a token. */
  readonly viewer: WorldPerson | undefined;
  readonly token: Token | undefined;
  readonly fields: Fields;
  readonly url: URL;
  readonly nowMs: number;
  readonly idempotencyKey: string | undefined;
  /** A part of the path. */
  readonly param: (name: string) => string;
}

/** A request with a token. */
export interface SignedInRequest extends MastodonRequest {
  readonly viewer: WorldPerson;
  readonly token: Token;
}

type Body = Json | Response;
type Handler<R> = (request: R) => Body | Promise<Body>;

/** Adds routes below `/api`. `route` is a method and a path, such as `GET /v1/lists`. */
export interface Routes {
  /** Anyone can call the route. */
  open(route: string, handler: Handler<MastodonRequest>): void;
  /** The route needs a token with the scope. */
  signedIn(route: string, scope: string, handler: Handler<SignedInRequest>): void;
}

/** The API of the server. */
export function apiWith(state: MastodonState, topics: readonly ((routes: Routes) => void)[]): Hono {
  const app = new Hono();

  function add(route: string, handler: Handler<MastodonRequest>): void {
    const [method = '', path = ''] = route.split(' ');
    app.on(method, path, async (c) => {
      const request = await open(c, state);
      const rate = state.rateLimit.spend(request.token?.value ?? 'anonymous', request.nowMs);
      try {
        if (rate.remaining < 0) throw tooManyRequests();
        const body = await handler(request);
        return withRate(body instanceof Response ? body : json(request, body), rate, state);
      } catch (error) {
        if (error instanceof Refusal) return withRate(refusalAnswer(error), rate, state);
        throw error;
      }
    });
  }

  for (const addTopic of topics) {
    addTopic({
      open: add,
      signedIn: (route, scope, handler) => add(route, (request) => handler(requireSignedIn(request, scope))),
    });
  }
  app.all('*', () => refusalAnswer(routeNotFound()));
  app.onError((error) => {
    if (error instanceof Refusal) return refusalAnswer(error);
    if (error instanceof SyntaxError) return refusalAnswer(new Refusal(400, 'Error occurred while parsing request parameters'));
    throw error;
  });
  return new Hono().route('/', app);
}

function refusalAnswer({ status, message }: Refusal): Response {
  return Response.json({ error: message }, { status });
}

function withRate(answer: Response, rate: RateState, { settings }: MastodonState): Response {
  if (settings.features.isMastodon) for (const [name, value] of Object.entries(rateHeaders(rate))) answer.headers.set(name, value);
  return answer;
}

async function open(c: Context, state: MastodonState): Promise<MastodonRequest> {
  const nowMs = state.clock.nowMs();
  publishDue(state, nowMs);
  const [, value] = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
  const token = value === undefined ? undefined : state.oauth.findToken(value);
  if (value !== undefined && !token) throw new Refusal(401, 'The access token is invalid');
  const viewer = token && state.core.people.find(token.userId);
  const url = new URL(c.req.url);
  const request = {
    ...state.core.startRequest({ method: c.req.method, path: url.pathname }, viewer ?? SELF),
    state,
    viewer,
    token,
    fields: await fieldsOf(c.req.raw),
    url,
    nowMs,
    idempotencyKey: c.req.header('idempotency-key'),
    param: (name: string) => c.req.param(name) ?? '',
  };
  return refreshed(request);
}

/** What a viewer would read now, without a request. */
export function streamRequest(
  state: MastodonState,
  { viewer, token }: { readonly viewer: WorldPerson; readonly token: Token },
): SignedInRequest {
  const nowMs = state.clock.nowMs();
  publishDue(state, nowMs);
  return refreshed({
    ...state.core.startRequest({ method: 'GET', path: `/${NAME}/streaming` }, viewer),
    state,
    viewer,
    token,
    fields: NO_FIELDS,
    url: new URL(state.home),
    nowMs,
    idempotencyKey: undefined,
    param: () => '',
  });
}

/** The same request with the state after a write. */
export function refreshed<R extends MastodonRequest>(request: R): R {
  const { state, viewer } = request;
  const snapshot = state.core.snapshotFor(viewer);
  return { ...request, snapshot: { ...snapshot, feed: mastodonFeed(snapshot, state) } };
}

function requireSignedIn(request: MastodonRequest, scope: string): SignedInRequest {
  const { token, viewer, state } = request;
  if (!token || !viewer) throw new Refusal(401, 'The access token is invalid');
  if (!covers(token.scopes, scope)) throw new Refusal(403, 'This action is outside the authorized scopes');
  if (isSuspended(state, viewer.id)) throw new Refusal(403, 'Your login is currently disabled');
  return { ...request, token, viewer };
}

/** A JSON answer in the dialect of the simulated server. */
export function json({ state }: MastodonRequest, body: Json, status = 200): Response {
  return Response.json(inDialect(body, state.settings.current.kind), { status });
}

/** The fields of version 4.4 and later. */
const RECENT_FIELDS = new Set(['quote', 'quotes_count', 'quote_approval', 'quote_approval_policy', 'quoted_status_id']);
const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d+Z$/;

/** Older servers have no quotes. `bare` sends null for empty lists, and instants without `T` and zone. */
export function inDialect(body: Json, kind: ServerKind): Json {
  if (kind === '4.6') return body;
  if (isJsonList(body)) return body.map((item) => inDialect(item, kind));
  if (!isJsonObject(body)) return body;
  const entries = Object.entries(body).filter(([name]) => !RECENT_FIELDS.has(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, value === undefined ? undefined : fieldInDialect(name, value, kind)]));
}

function fieldInDialect(name: string, value: Json, kind: ServerKind): Json {
  if (kind === 'bare' && isJsonList(value) && value.length === 0) return null;
  if (kind === 'bare' && typeof value === 'string' && name.endsWith('_at')) return value.replace(INSTANT, '$1 $2');
  return inDialect(value, kind);
}

/** The person with the account id in the path. */
export function requirePerson({ state }: MastodonRequest, id: string): WorldPerson {
  const person = state.ids.findPerson(id);
  if (!person) throw recordNotFound();
  return person;
}

/** The world's name of a status or poll id, even of a post that reads do not show yet. */
export function postNameOf(
  id: string,
  { state, written, snapshot }: MastodonRequest,
  kind: 'status' | 'poll' = 'status',
): string | undefined {
  return state.ids.postName(kind, id, () => [...written.all(), ...snapshot.feed.all(), ...snapshot.feed.timeline()]);
}

/** The post or boost with this status id, if the viewer can see it. */
export function findStatus(id: string, request: MastodonRequest): StoredPost | undefined {
  const name = postNameOf(id, request);
  return name === undefined ? undefined : request.snapshot.feed.find(name);
}

export function requireStatus(id: string, request: MastodonRequest): StoredPost {
  const post = findStatus(id, request);
  if (!post) throw recordNotFound();
  return post;
}

/** The post with this status id, or the post that the boost with this id shows. */
export function requireOriginal(id: string, request: MastodonRequest): StoredPost {
  const post = requireStatus(id, request);
  const original = post.repostOf === undefined ? post : request.snapshot.feed.find(post.repostOf);
  if (!original) throw recordNotFound();
  return original;
}
