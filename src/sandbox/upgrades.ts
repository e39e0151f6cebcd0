import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '#src/clock.ts';
import type { PlatformServer } from './context.ts';
import type { Faults } from './faults.ts';
import { hasLocalHost, hasLocalOrigin } from './local-only.ts';
import type { Requests } from './requests.ts';

export interface UpgradesOptions {
  readonly platforms: readonly PlatformServer[];
  readonly clock: Clock;
  readonly faults: Faults;
  readonly requests: Requests;
}

/** Hands each WebSocket to the platform whose path it is. */
export function upgrades({ platforms, clock, faults, requests }: UpgradesOptions) {
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const { host, origin } = request.headers;
    // Browsers let every page open a WebSocket to this machine.
    if (!hasLocalHost(host) || !hasLocalOrigin(origin)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const path = request.url ?? '/';
    const { pathname } = new URL(path, 'http://sandbox');
    const platform = platforms.find(({ name }) => pathname === `/${name}` || pathname.startsWith(`/${name}/`));
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
