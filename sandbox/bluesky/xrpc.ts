import { type Context, Hono } from 'hono';
import { SELF } from '../social/people.ts';
import { checkLimits, rateHeaders, REQUESTS } from './rate-limits.ts';
import { invalidRequest, refusalFor, XrpcRefusal } from './refusal.ts';
import type { XrpcRequest, XrpcRoute } from './request.ts';
import type { BlueskyState, Upstream } from './state.ts';

const CHAT_SERVICE = 'did:web:api.bsky.chat#bsky_chat';

/** The methods of the API below `/xrpc`. */
export function xrpcRoutes(state: BlueskyState, routes: readonly XrpcRoute[]): Hono {
  const xrpc = new Hono();
  for (const route of routes) {
    xrpc.on(route.verb, `/${route.method}`, (c) => serve(c, route, state));
    xrpc.all(`/${route.method}`, () => invalidRequest(`Incorrect HTTP method, expected ${route.verb}`).toResponse());
  }
  xrpc.all('*', () => refusalFor(501).toResponse());
  return xrpc;
}

async function serve(c: Context, { method, answer }: XrpcRoute, state: BlueskyState): Promise<Response> {
  const rates = [state.rateLimits.spend(REQUESTS, 'everybody', 1)];
  try {
    checkLimits(rates);
    checkUpstream(method, c, state);
    const body = answer(await requestOf(c, state, rates));
    const headers = rateHeaders(rates);
    return body === undefined ? new Response(undefined, { headers }) : c.json(body, 200, { ...headers });
  } catch (error) {
    if (!(error instanceof XrpcRefusal)) throw error;
    return error.toResponse(rateHeaders(rates));
  }
}

/** A PDS forwards requests for messages only with the proxy header. */
function checkUpstream(method: string, c: Context, { unreachable }: BlueskyState): void {
  const upstream: Upstream | undefined = method.startsWith('chat.bsky.') ? 'chat' : method.startsWith('app.bsky.') ? 'appView' : undefined;
  if (upstream === 'chat' && c.req.header('atproto-proxy') !== CHAT_SERVICE) throw refusalFor(501);
  if (upstream !== undefined && !method.startsWith('app.bsky.video.') && unreachable.has(upstream)) throw refusalFor(502);
}

async function requestOf(c: Context, state: BlueskyState, rates: XrpcRequest['rates']): Promise<XrpcRequest> {
  const { origin, searchParams } = new URL(c.req.url);
  return {
    state,
    parameters: Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)])),
    content: Buffer.from(await c.req.arrayBuffer()),
    contentType: c.req.header('content-type') ?? '',
    token: /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1],
    origin,
    nowMs: state.clock.nowMs(),
    fault: state.core.startRequest({ method: c.req.method, path: c.req.path }, SELF).fault,
    rates,
  };
}
