// Serves fixed pages as X and Bluesky, so that the benchmark measures the clients only.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { blueskyPage, blueskySession } from './reading-bluesky.ts';
import { PAGES } from './reading-posts.ts';
import { xPage } from './reading-x.ts';

const bytesOf = (body: object): Buffer => Buffer.from(JSON.stringify(body));
const x = Array.from({ length: PAGES }, (_, page) => bytesOf(xPage(page)));
const feed = Array.from({ length: PAGES }, (_, page) => bytesOf(blueskyPage(page)));
const session = bytesOf(blueskySession);

const server = createServer((asked, response) => {
  const { pathname, searchParams } = new URL(asked.url ?? '/', 'http://localhost');
  const page = Number(/\d+$/.exec(searchParams.get('pagination_token') ?? searchParams.get('cursor') ?? '0')?.[0]);
  const body = pathname.endsWith('createSession') ? session : pathname.endsWith('getAuthorFeed') ? feed[page] : x[page];
  asked.resume();
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body?.length });
  response.end(body);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }); // it listens on a port
