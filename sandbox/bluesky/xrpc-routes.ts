import { type Context, Hono } from 'hono';
import type { Json } from '#src/operation/json.ts';
import type { FaultKind } from '../faults.ts';
import { type Bluesky, NAME } from './core.ts';
import { type Call, type Endpoint, type Endpoints } from './endpoint.ts';
import { DetailedRefusal, RateLimited, XrpcRefusal, authRequired, invalidRequest, refusalBody } from './refusal.ts';
import { type Limits, REQUESTS, type Standing, WRITES, limitHeaders } from './rate-limits.ts';

/** What a PDS hands requests on to. */
export const UPSTREAMS = ['appView', 'chat', 'video'] as const;
type Upstream = (typeof UPSTREAMS)[number];

/** How clients name them in `atproto-proxy`. */
const PROXIES: Readonly<Record<string, Upstream>> = {
  'did:web:api.bsky.app#bsky_appview': 'appView',
  'did:web:api.bsky.chat#bsky_chat': 'chat',
};

/** Which of them are there. */
export class Upstreams {
  readonly #down = new Set<Upstream>();

  set(upstream: Upstream, isThere: boolean): void {
    if (isThere) this.#down.delete(upstream);
    else this.#down.add(upstream);
  }

  /** Refuses a method whose service is not there, and one that is asked of a service that does not know it. */
  check(method: string, proxy: string | undefined): void {
    const needed = upstreamOf(method);
    if (needed === undefined) return;
    const pageRequest = proxy === undefined ? undefined : PROXIES[proxy];
    if (proxy !== undefined && pageRequest === undefined) throw invalidRequest('could not resolve proxy did service url');
    // Only the proxy header selects the message service. The other services are selected by the method.
    if (needed !== (pageRequest ?? (needed === 'chat' ? 'appView' : needed))) throw refusalOf(501);
    if (this.#down.has(needed)) throw refusalOf(502);
  }
}

function upstreamOf(method: string): Upstream | undefined {
  if (method.startsWith('chat.bsky.')) return 'chat';
  if (method.startsWith('app.bsky.video.')) return 'video';
  return method.startsWith('app.bsky.') ? 'appView' : undefined;
}

function refusalOf(status: 501 | 502): XrpcRefusal {
  const { error, message } = refusalBody(status);
  return new XrpcRefusal(status, error, message);
}

export interface XrpcOptions {
  readonly bluesky: Bluesky;
  readonly endpoints: Endpoints;
  readonly limits: Limits;
  /** Which upstreams are there at the moment, and which of them a method is asked of. */
  readonly upstreams: Upstreams;
}

/** Every method under its name. */
export function xrpcRoutes({ bluesky, endpoints, limits, upstreams }: XrpcOptions): Hono {
  const { context, sessions, accountStates } = bluesky;
  const routes = new Hono();

  async function callOf(c: Context, standingsSpent: Standing[]): Promise<Call> {
    const { clock, faults } = context;
    const token = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1];
    const url = new URL(c.req.url);
    return {
      params: Object.fromEntries([...new Set(url.searchParams.keys())].map((name) => [name, url.searchParams.getAll(name)])),
      content: Buffer.from(await c.req.arrayBuffer()),
      contentType: c.req.header('content-type') ?? '',
      token,
      origin: url.origin,
      nowMs: clock.nowMs(),
      fault: (kind: FaultKind) => faults.take(kind, { platform: NAME, method: c.req.method, path: c.req.path }),
      spendWrites(points) {
        const { did } = sessions.access(token);
        standingsSpent.push(...WRITES.map((allowance) => limits.spend(allowance, did, points)));
        if (standingsSpent.some(({ isOver }) => isOver)) throw new RateLimited(limitHeaders(standingsSpent));
      },
    };
  }

  function answered(endpoint: Endpoint, call: Call): Json | undefined {
    if (endpoint.admission === 'anybody') return endpoint.run(call);
    const session = sessions.access(call.token);
    if (accountStates.of(session.did).takenDown) throw authRequired('Account has been taken down', 'AccountTakedown');
    if (endpoint.admission === 'privileged' && session.scope === 'com.atproto.appPass') {
      throw invalidRequest('Bad token method', 'InvalidToken');
    }
    return endpoint.run({ ...call, session });
  }

  async function serve(c: Context, method: string, endpoint: Endpoint): Promise<Response> {
    const spent = [limits.spend(REQUESTS, 'everybody', 1)];
    try {
      if (spent.some(({ isOver }) => isOver)) throw new RateLimited(limitHeaders(spent));
      const call = await callOf(c, spent);
      upstreams.check(method, c.req.header('atproto-proxy'));
      const answer = answered(endpoint, call);
      return answer === undefined
        ? new Response(undefined, { headers: limitHeaders(spent) })
        : c.json(answer, 200, { ...limitHeaders(spent) });
    } catch (error) {
      return refused(error, limitHeaders(spent));
    }
  }

  for (const [method, endpoint] of Object.entries(endpoints)) {
    routes.on(endpoint.verb, `/${method}`, (c) => serve(c, method, endpoint));
    // As the platform tells somebody who took the wrong verb.
    routes.all(`/${method}`, () => refused(invalidRequest(`Incorrect HTTP method, expected ${endpoint.verb}`), {}));
  }
  routes.all('*', () => xrpcRefusal(501));
  return routes;
}

/** A refusal by status alone. */
export function xrpcRefusal(status: number, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(refusalBody(status), { status, headers });
}

function refused(error: unknown, headers: Readonly<Record<string, string>>): Response {
  if (!(error instanceof XrpcRefusal)) throw error;
  const { status, message } = error;
  const all = error instanceof RateLimited ? error.headers : headers;
  const body = error instanceof DetailedRefusal ? error.body : { error: error.error, message };
  return Response.json(body, { status, headers: all });
}
