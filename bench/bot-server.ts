// The simulated Twitch with ten thousand streams and a cache of its responses, so that the benchmark measures the clients only.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { startSandbox } from '#sandbox/index.ts';
import type { PlatformFactory } from '#sandbox/context.ts';
import { twitchServer } from '#sandbox/twitch/server.ts';

const STREAMS = 10_000;
/** Rate-limit headers that never slow a client down. */
const POINTS = { 'ratelimit-limit': '800', 'ratelimit-remaining': '799' };

const crowded: PlatformFactory = (context) => {
  const live = context.world.liveAt(context.clock.nowMs());
  const crowd = Array.from({ length: STREAMS }, (_, index) => {
    const [broadcast] = live.slice(index % live.length);
    if (!broadcast) throw new Error('no stream is live');
    return { ...broadcast, id: String(500_000_000 + index) };
  });
  return twitchServer({ ...context, world: { ...context.world, liveAt: () => crowd } });
};

// The fast clock refills the budget of points, so the server never rejects a request.
const sandbox = await startSandbox({ platforms: [crowded], speed: 600 });
const bodies = new Map<string, Buffer>();
/** The client ids of accepted tokens. */
const admitted = new Set<string>();
let reads = 0;

async function answer(asked: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = '/', headers } = asked;
  if (url === '/reads') {
    response.end(JSON.stringify({ reads }));
    return;
  }

  const isRead = /^\/(twitch\/helix|mock)\/streams\b/.test(url);
  if (isRead) reads += 1;
  const caller = JSON.stringify([headers.authorization, headers['client-id']]);
  const known = admitted.has(caller) ? bodies.get(url) : undefined;
  if (known) {
    send(response, known);
    return;
  }

  const { statusCode, body } = await request(sandbox.url + url, {
    method: asked.method === 'POST' ? 'POST' : 'GET',
    headers: Object.entries(headers).flatMap(([name, value]) => (name === 'host' || value === undefined ? [] : [name, String(value)])),
    body: asked.method === 'POST' ? asked : null,
  });
  const content = Buffer.from(await body.arrayBuffer());
  if (isRead && statusCode === 200) {
    admitted.add(caller);
    // The first response stays in the cache, so its cursors lead to cached pages.
    if (!bodies.has(url)) bodies.set(url, content);
  }
  send(response, (isRead && bodies.get(url)) || content, statusCode);
}

function send(response: ServerResponse, content: Buffer, status = 200): void {
  const reset = String(Math.ceil(Date.now() / 1000) + 1);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': content.length, ...POINTS, 'ratelimit-reset': reset });
  response.end(content);
}

const server = createServer((asked, response) => void answer(asked, response));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
const environment = Object.fromEntries(
  Object.entries(sandbox.environment).map(([name, value]) => [name, value.replace(sandbox.url, url)] as const),
);
process.send?.({ url, environment });
