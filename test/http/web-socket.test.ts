import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { systemClock } from '#src/clock.ts';
import { keepWebSocket } from '#src/http/web-socket.ts';

test.for([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'missing'],
  [429, 'rateLimited'],
  [500, 'malformed'],
  [503, 'malformed'],
] as const)('a WebSocket that is refused with the status %i has the fault %s', async ([status, fault]) => {
  await using server = createServer();
  server.on('upgrade', (_request, socket) => socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  const connection = keepWebSocket({
    platform: 'mastodon',
    url: `ws://127.0.0.1:${port}`,
    mostBytes: 1_000,
    clock: systemClock,
    signal: new AbortController().signal,
    onOpen: () => undefined,
    onMessage: () => undefined,
  });

  await expect(connection).rejects.toMatchObject({
    name: 'PlatformError',
    fault,
    message: `mastodon refused the connection with the status ${status}`,
  });
});
