import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Clock } from '#src/clock.ts';
import type { PlatformServer } from './context.ts';
import type { FaultKind, FaultOrder, Faults } from './faults.ts';
import { hasLocalHost, hasLocalOrigin } from './local-only.ts';
import type { Requests } from './requests.ts';

/** The type of the app: routes have access to the connection. */
export interface SandboxEnv {
  readonly Bindings: HttpBindings;
}

interface GateOptions {
  readonly platform: PlatformServer;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly requests: Requests;
  /** Ends delayed requests when the sandbox stops. */
  readonly signal: AbortSignal;
}

const DEFAULT_STATUS = 500;
const DEFAULT_WAIT_MS = 1000;

/** The middleware before every route of a platform. It records requests and applies faults. */
export function gate({ platform, clock, faults, requests, signal }: GateOptions): MiddlewareHandler<SandboxEnv> {
  const { name } = platform;

  async function answer(c: Context<SandboxEnv>, next: () => Promise<void>): Promise<Response | undefined> {
    const fault = (kind: FaultKind): FaultOrder | undefined =>
      faults.take(kind, { platform: name, method: c.req.method, path: pathOf(c.req.url) });

    const delay = fault('delay');
    // The sandbox serves the request even if the client has disconnected, as a slow server does.
    if (delay) await clock.sleep(delay.ms ?? DEFAULT_WAIT_MS, signal).catch(() => undefined);
    if (signal.aborted || fault('resetBefore')) return dropped(c);
    const limit = fault('rateLimit');
    if (limit) return refusal(platform, 429, limit.ms ?? DEFAULT_WAIT_MS);
    const status = fault('status');
    if (status) return refusal(platform, status.status ?? DEFAULT_STATUS, status.ms);
    const page = fault('page');
    if (page) return maintenancePage(page);
    const [reset, pageAfter, broken] = [fault('resetAfter'), fault('pageAfter'), fault('brokenJson')];
    await next();
    if (reset) return dropped(c);
    if (pageAfter) return maintenancePage(pageAfter);
    return broken && brokenOff(c.res);
  }

  return async (c, next) => {
    const at = new Date(clock.nowMs());
    const response = await answer(c, next);
    const status = response === alreadySent() ? undefined : (response ?? c.res).status;
    requests.record(name, c.req.method, routeOf(c), { at, path: pathOf(c.req.url), status });
    // Hono ignores the response of a middleware after a route has answered.
    if (response) c.res = response;
  };
}

/** The response of a route that writes to the connection itself. */
export function alreadySent(): Response {
  // After the first server of a process has replaced the class of responses, servers send its instances unless their body was read.
  void RESPONSE_ALREADY_SENT.body;
  return RESPONSE_ALREADY_SENT;
}

function dropped(c: Context<SandboxEnv>): Response {
  c.env.incoming.socket.destroy();
  return alreadySent();
}

function refusal(platform: PlatformServer, status: number, retryAfterMs?: number): Response {
  if (platform.refuse) return platform.refuse(status, retryAfterMs);
  const headers = retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) };
  return Response.json({ error: `the sandbox returns ${status}, as ordered with /control/faults` }, { status, headers });
}

function maintenancePage({ status = 200 }: FaultOrder): Response {
  const isRedirect = status >= 300 && status < 400;
  const headers = { 'content-type': 'text/html', ...(isRedirect && { location: 'https://maintenance.example.org/' }) };
  return new Response('<!doctype html><html lang="en"><title>Maintenance</title><h1>Back soon</h1>', { status, headers });
}

async function brokenOff(answer: Response): Promise<Response> {
  const text = await answer.text();
  return new Response(text.slice(0, text.length / 2), { status: answer.status, headers: { 'content-type': 'application/json' } });
}

/** The pattern of the matched route, so that all ids count as one route. */
function routeOf(c: Context<SandboxEnv>): string {
  const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
  return matchedRoutes(c).findLast((route) => route.method === method)?.path ?? 'none';
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Passes each WebSocket to the platform of its path. */
export function upgrades({
  platforms,
  clock,
  faults,
  requests,
}: Omit<GateOptions, 'platform' | 'signal'> & { readonly platforms: readonly PlatformServer[] }) {
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const { host, origin } = request.headers;
    // Browsers allow every page to open a WebSocket to this machine.
    if (!hasLocalHost(host) || !hasLocalOrigin(origin)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const path = request.url ?? '/';
    const { pathname } = new URL(path, 'http://sandbox');
    const [, part = ''] = pathname.split('/');
    const platform = platforms.find(({ name, aliases = {} }) => name === part || Object.hasOwn(aliases, part));
    if (!platform?.upgrade) {
      socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const reset = faults.take('resetBefore', { platform: platform.name, method: 'GET', path: pathname });
    requests.record(platform.name, 'GET', pathname, { at: new Date(clock.nowMs()), path, status: reset ? undefined : 101 });
    if (reset) socket.destroy();
    else platform.upgrade(request, socket, head);
  };
}
