// Feeds and a social platform in their own process. The platform answers each post after a millisecond.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { startSandbox } from '#sandbox/index.ts';
import { socialServer } from '#sandbox/social/server.ts';

const FEEDS = 5;
/** Fanfare counts the newest 200 items of a feed. */
const ITEMS = 200;
const ANSWER_MS = 1;

/** The polls of each feed. The items appear in its third poll, so that they appear in one slot: the first poll is not announced. */
const polls = new Map<string, number>();
const arrivedMs: number[] = [];
let posted: Promise<Readonly<Record<string, unknown>>> | undefined;

await using sandbox = await startSandbox({ platforms: [socialServer] });
const { SANDBOX_URL: api = '', SANDBOX_TOKEN: token = '' } = sandbox.environment;

/** The record of a post, as the simulated platform returns it. */
async function firstPost(): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await request(`${api}/createPost`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ params: { text: 'the first post' }, key: 'first' }),
  });
  return (await body.json()) as Readonly<Record<string, unknown>>; // a record of the simulated platform
}

function feed(name: string): string {
  const isFilled = (polls.get(`/${name}`) ?? 0) > 2;
  const now = new Date().toUTCString();
  const items = Array.from(
    { length: isFilled ? ITEMS : 0 },
    (_, index) => `<item><guid>${name}-${index}</guid><title>Item ${index} of ${name}</title><pubDate>${now}</pubDate></item>`,
  );
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>${name}</title>${items.join('')}</channel></rss>`;
}

async function answer(asked: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = '' } = asked;
  asked.resume();
  if (method === 'GET') {
    polls.set(url, (polls.get(url) ?? 0) + 1);
    response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(feed(url.slice(1)));
    return;
  }
  arrivedMs.push(performance.now());
  if (arrivedMs.length === 1) process.send?.({ begun: true });
  const id = `post-${arrivedMs.length}`;
  const body = JSON.stringify({ ...(await (posted ??= firstPost())), id });
  setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(body), ANSWER_MS);
  if (arrivedMs.length === FEEDS * ITEMS) process.send?.({ arrivedMs });
}

posted = firstPost();
await posted;
const server = createServer((asked, response) => void answer(asked, response)).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
process.send?.({ url, token, feeds: FEEDS });
await once(process, 'disconnect');
server.closeAllConnections();
server.close();
