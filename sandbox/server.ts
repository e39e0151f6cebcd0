import { createAdaptorServer } from '@hono/node-server';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock, type Clock } from '#src/clock.ts';
import { silentLog, type Log } from '#src/log.ts';
import { sandboxApp } from './app.ts';
import type { PlatformFactory, SandboxContext } from './context.ts';
import { Faults } from './faults.ts';
import { openJournal } from './journal-sqlite.ts';
import { isLoopback } from './local-only.ts';
import { sandboxPlatforms } from './platforms.ts';
import { Requests } from './requests.ts';
import { movableClock } from './movable-clock.ts';
import { speedClock } from './speed-clock.ts';
import { upgrades } from './gate.ts';
import { createWorld } from './world/create-world.ts';
import type { World } from './world/world.ts';

export interface SandboxOptions {
  /** The seed determines the world. */
  readonly seed?: number | undefined;
  /** 0 selects a free port. */
  readonly port?: number | undefined;
  /** A loopback address. */
  readonly host?: string | undefined;
  /** The speed of the world relative to `clock`. */
  readonly speed?: number | undefined;
  /** Stores everything that is written to the sandbox; absent: in memory. */
  readonly file?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Whether all clients use the `clock` of the result, so that the control API may move it. */
  readonly isClockShared?: boolean | undefined;
  /** Whether people react to posts from the API and mention its account. */
  readonly lively?: boolean | undefined;
  /**
   * Absent: all platforms.
   *
   * @internal
   */
  readonly platforms?: readonly PlatformFactory[] | undefined;
  /**
   * The longest wait for a whole request; default 30 s.
   *
   * @internal
   */
  readonly requestTimeoutMs?: number | undefined;
  readonly log?: Log | undefined;
}

/** Servers on loopback that simulate the platforms. */
export interface Sandbox extends AsyncDisposable {
  /** Such as `http://127.0.0.1:8081`. */
  readonly url: string;
  /** The time of the world. Clients of a sandbox with another speed must use it. */
  readonly clock: Clock;
  /** The variables that point Fanfare at the sandbox. */
  readonly environment: Readonly<Record<string, string>>;
  /** The variables for platforms on request, by platform. */
  readonly onRequest: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly world: World;
  readonly faults: Faults;
}

/** Load balancers and web servers of the platforms keep idle connections for at least this long. */
const KEEP_ALIVE_MS = 60_000;

/** Starts a sandbox. Rejects if the port is in use, and throws a `RangeError` if the host is not loopback. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { requestTimeoutMs = 30_000 } = options;
  const { seed = 1, port = 0, host = '127.0.0.1', speed = 1, file, lively = false, platforms: wanted, log = silentLog } = options;
  if (!isLoopback(host)) throw new RangeError(`the sandbox listens only on loopback addresses, not on ${host}`);

  const factories = wanted ?? [...sandboxPlatforms, ...(await import('./on-request.ts')).onRequestPlatforms];

  await using opening = new AsyncDisposableStack();
  const journal = opening.adopt(openJournal({ file }), (opened) => opened.close());
  const fixed = speedClock(options.clock ?? systemClock, speed);
  const movable = options.isClockShared ? movableClock(fixed, journal) : undefined;
  const clock = movable ?? fixed;
  const faults = new Faults();
  const requests = new Requests();
  const stopping = new AbortController();
  let url = '';
  const context: SandboxContext = { world: createWorld({ seed, journal }), clock, faults, journal, lively, url: () => url };
  const platforms = factories.map((create) => create(context));
  const app = sandboxApp({ context, platforms, requests, speed, movable, log, signal: stopping.signal });

  const serverOptions = {
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: requestTimeoutMs / 4,
    keepAliveTimeout: KEEP_ALIVE_MS,
  };
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false, serverOptions }) as Server; // without createServer it creates an HTTP server
  server.prependListener('request', (_, response) => response.setHeader('date', new Date(clock.nowMs()).toUTCString()));
  server.on('upgrade', upgrades({ platforms, clock, faults, requests }));
  opening.defer(stopper(server));
  // Deferred calls run in reverse order, so platforms close before their connections.
  for (const platform of platforms) opening.defer(() => platform.close?.());
  opening.defer(() => stopping.abort());
  server.listen(port, host);
  await once(server, 'listening');
  url = addressOf(server);

  const running = opening.move();
  return {
    url,
    clock,
    environment: platforms.reduce((all, platform) => (platform.isOnRequest ? all : { ...all, ...platform.environment() }), {}),
    onRequest: Object.fromEntries(platforms.flatMap((one) => (one.isOnRequest ? [[one.name, one.environment()]] : []))),
    world: context.world,
    faults,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Stops the server and its WebSockets, which `close` does not end. */
function stopper(server: Server): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
}

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the sandbox listens on no port');
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}
