import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { systemClock, type Clock } from '#src/clock.ts';
import { silentLog, type Log } from '#src/log.ts';
import type { PlatformFactory, SandboxContext } from './context.ts';
import { controlRoutes } from './control/control.ts';
import { Faults } from './faults.ts';
import { gate, type SandboxEnv } from './gate.ts';
import { openJournal } from './journal-sqlite.ts';
import { sandboxPlatforms } from './platforms.ts';
import { Requests } from './requests.ts';
import { speedClock } from './speed-clock.ts';
import { upgrades } from './upgrades.ts';
import { createWorld } from './world/create-world.ts';
import type { World } from './world/world.ts';

export interface SandboxOptions {
  /** Another seed is another world. */
  readonly seed?: number | undefined;
  /** 0: any that is free. */
  readonly port?: number | undefined;
  /** An address of this machine's loopback. */
  readonly host?: string | undefined;
  /** How many times as fast as `clock` the world's time runs. */
  readonly speed?: number | undefined;
  /** Keeps what is written to it; absent: gone at the end. */
  readonly file?: string | undefined;
  readonly clock?: Clock | undefined;
  readonly platforms?: readonly PlatformFactory[] | undefined;
  readonly log?: Log | undefined;
}

/** Servers on loopback that play the platforms. */
export interface Sandbox extends AsyncDisposable {
  /** As `http://127.0.0.1:8081`. */
  readonly url: string;
  /** The world's time: whoever uses a sandbox of another speed has to go by it. */
  readonly clock: Clock;
  /** The variables that point Fanfare at it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly world: World;
  readonly faults: Faults;
}

/** A running sandbox. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { seed = 1, port = 0, host = '127.0.0.1', speed = 1, file, platforms: factories = sandboxPlatforms, log = silentLog } = options;
  if (!isLoopback(host)) throw new RangeError(`the sandbox listens on loopback only, not on ${host}`);

  const journal = openJournal({ file });
  const clock = speedClock(options.clock ?? systemClock, speed);
  const faults = new Faults();
  const requests = new Requests();
  let url = '';
  const context: SandboxContext = { world: createWorld({ seed, journal }), clock, faults, journal, url: () => url };
  const platforms = factories.map((create) => create(context));

  const app = new Hono<SandboxEnv>();
  app.onError((error, c) => {
    log.error({ error, path: c.req.path }, 'the sandbox failed to answer');
    return c.json({ error: 'the sandbox failed to answer' }, 500);
  });
  app.notFound((c) => c.json({ error: `the sandbox has nothing at ${c.req.path}` }, 404));
  for (const platform of platforms) {
    const standing = gate({ platform, clock, faults, requests });
    for (const [part, routes] of Object.entries({ [platform.name]: platform.routes, ...platform.aliases })) {
      app.use(`/${part}/*`, standing);
      app.route(`/${part}`, routes);
    }
  }
  app.route('/control', controlRoutes({ context, platforms, requests, speed }));

  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server; // no other kind was asked for
  server.on('upgrade', upgrades({ platforms, clock, faults, requests }));
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await listen(server, port, host).catch((error: unknown) => {
    journal.close();
    throw error;
  });
  url = addressOf(server);

  return {
    url,
    clock,
    environment: Object.assign({}, ...platforms.map((platform) => platform.environment())) as Record<string, string>, // each is one
    world: context.world,
    faults,

    async [Symbol.asyncDispose]() {
      for (const platform of platforms) await platform.close?.();
      const closed = once(server, 'close');
      server.close();
      // WebSockets, too, which the server itself no longer counts.
      for (const socket of sockets) socket.destroy();
      await closed;
      journal.close();
    },
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the sandbox listens on no port');
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}
