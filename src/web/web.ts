import { createAdaptorServer } from '@hono/node-server';
import { once } from 'node:events';
import { Server, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { settlesWithin, type Clock } from '#src/clock.ts';
import { codeOf, ConfigError } from '#src/errors.ts';
import { localUrl } from './host-check.ts';
import { site, type SiteOptions } from './site.ts';

export interface WebOptions extends Omit<SiteOptions, 'closing'> {
  /** The listening address. On any other address than loopback, people have to sign in. */
  readonly host: string;
  /** With 0, the system picks a free port. */
  readonly port: number;
  /** The longest wait for a whole request; default 30 s. */
  readonly requestTimeoutMs?: number | undefined;
  /** Stops the server. */
  readonly signal?: AbortSignal | undefined;
}

export interface Web {
  /** The address of the page for a browser on this machine. */
  readonly url: string;
  /** Ends the event streams and waits for open requests. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The longest wait for open requests at shutdown. */
const GRACE_MS = 2000;

/** How long an idle connection stays open. Proxies keep theirs for up to 600 s, and a request on a connection that just closes would get no answer. */
const KEEP_ALIVE_MS = 620_000;

/** With more connections than any proxy keeps, each answer ends its connection, so that idle ones cannot use up the memory. */
const MOST_CONNECTIONS = 500;

/**
 * A request whose path a proxy may read as another one: it names a host, or has segments of dots, also in encoded form. A proxy that forwards
 * one path only would forward others.
 */
const AMBIGUOUS = /^(?!\/)|^[^?]*?(?:[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?:[/\\?#]|%2f|%5c|$)/iu;

/** Starts the server of the HTTP API and the page. */
export async function startWeb({ port, requestTimeoutMs = 30_000, signal, ...rest }: WebOptions): Promise<Web> {
  signal?.throwIfAborted();
  const closing = new AbortController();
  const { host, clock, log } = rest;
  const routes = await site({ ...rest, closing: closing.signal });
  const serverOptions = {
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: requestTimeoutMs / 4,
    keepAliveTimeout: KEEP_ALIVE_MS,
  };
  const server = createAdaptorServer({
    fetch: (request, env) =>
      AMBIGUOUS.test(env.incoming.url ?? '') ? new Response('The path is ambiguous.\n', { status: 400 }) : routes.fetch(request, env),
    serverOptions,
  });
  if (!(server instanceof Server)) throw new TypeError('the server does not use plain HTTP');
  // Connections without a request would delay the shutdown. Browsers open some in advance, which the server does not count as idle.
  const unused = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket) => {
    connections++;
    unused.add(socket);
    socket.once('close', () => {
      connections--;
      unused.delete(socket);
    });
  });
  server.on('request', (request, response) => {
    unused.delete(request.socket);
    response.shouldKeepAlive &&= connections <= MOST_CONNECTIONS;
    response.once('close', () => discardRest(request));
    // The rest of a refused body can arrive after the answer.
    for (const part of [request, response]) part.once('close', () => closing.signal.aborted && server.closeIdleConnections());
  });
  closing.signal.addEventListener('abort', () => unused.forEach((socket) => socket.destroy()));
  await listen(server, { host, port });

  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= close(server, closing, clock));
  signal?.addEventListener('abort', () => void stop(), { once: true });

  const url = toUrl(server, host);
  log.debug({ url }, 'the page is available');
  return { url, [Symbol.asyncDispose]: stop };
}

/** Rejects with a `ConfigError` if the server could not listen on this address. */
export async function probePort({ host, port }: Pick<WebOptions, 'host' | 'port'>): Promise<void> {
  const server = new Server();
  await listen(server, { host, port });
  server.close();
  await once(server, 'close');
}

async function listen(server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  server.listen({ host: host.replace(/^\[|\]$/g, ''), port });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw toListenError(error, { host, port });
  }
}

/** The variable to correct, and how; the error itself if a person cannot correct it. */
function toListenError(error: unknown, { host, port }: { readonly host: string; readonly port: number }): unknown {
  const otherPort = { file: 'PORT', hint: 'set PORT to a free port' };
  const otherHost = { file: 'HOST', hint: 'set HOST to an address of this machine, for example 127.0.0.1' };
  const inUse = { ...otherPort, hint: 'end that program, or set PORT to a free port' };
  const absent = new ConfigError(`this machine does not have the address ${host}`, otherHost);
  const known: Readonly<Record<string, ConfigError>> = {
    EADDRINUSE: new ConfigError(`port ${port} is already in use by another program, or by a second Fanfare`, inUse),
    EACCES: new ConfigError(`port ${port} needs permissions that this user does not have`, otherPort),
    EADDRNOTAVAIL: absent,
    ENOTFOUND: absent,
    EAI_AGAIN: absent,
    EAFNOSUPPORT: new ConfigError(`IPv6 is off on this machine, and ${host} is an address of IPv6`, otherHost),
    EINVAL: new ConfigError(`the address ${host} needs the name of its interface`, { file: 'HOST', hint: `for example ${host}%eth0` }),
  };
  return known[codeOf(error) ?? ''] ?? error;
}

/** Drops what is left of the body of a refused request. Otherwise, the next request of a proxy on this connection would get no answer. */
function discardRest(request: IncomingMessage): void {
  if (request.readableEnded) return;
  // The stream that the routes read from pauses the body when its buffer is full.
  request.removeAllListeners('data').resume();
}

async function close(server: Server, closing: AbortController, clock: Clock): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  closing.abort();
  await settlesWithin(closed, GRACE_MS, clock);
  server.closeAllConnections();
  await closed;
}

function toUrl(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return localUrl({ host, port });
}
