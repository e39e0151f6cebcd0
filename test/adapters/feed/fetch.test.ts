import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { feed } from '#adapters/feed/index.ts';
import { Feed } from '#src/clients/feed/feed.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { bytes, redirect, servePages } from '../../support/pages.ts';

function rss(...titles: readonly string[]): string {
  return `<rss version="2.0"><channel><title>T</title>${titles.map((title) => `<item><guid>${title}</guid></item>`).join('')}</channel></rss>`;
}

const XML = { 'content-type': 'application/rss+xml' };
/** 5 MB of one character. */
const LARGE = Buffer.alloc(5 * 1024 * 1024, ' ');

/** The client of feeds that may read the server at `url`. */
function open(url: string, clock = new ManualClock()): Feed {
  return new Feed({ platform: feed({ privateOrigins: [url], clock }), clock });
}

async function failure(work: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(work).then(
    () => undefined,
    (error: unknown) => error,
  );
}

test('an unchanged feed is not read again, and keeps its items', async () => {
  const asked: (string | undefined)[] = [];
  let etag = '"1"';
  await using server = await servePages({
    '/feed': (request, answer) => {
      asked.push(request.headers['if-none-match']);
      if (request.headers['if-none-match'] === etag) answer.writeHead(304).end();
      else answer.writeHead(200, { ...XML, etag }).end(rss(etag === '"1"' ? 'a' : 'b'));
    },
  });
  const client = open(server.url);
  const ids = async (): Promise<readonly string[]> => (await client.getItems(`${server.url}/feed`)).items.map(({ id }) => id);

  expect(await ids()).toEqual(['a']);
  expect(await ids()).toEqual(['a']);
  etag = '"2"';
  expect(await ids()).toEqual(['b']);
  expect(asked).toEqual([undefined, '"1"', '"1"']);
});

test('a feed that a server repeats without changes keeps its items and their time', async () => {
  let title = 'a';
  await using server = await servePages({ '/feed': (_, answer) => void answer.writeHead(200, XML).end(rss(title)) });
  const clock = new ManualClock();
  const client = open(server.url, clock);
  const read = async () => (await client.getItems(`${server.url}/feed`)).items.map(({ id, fetchedAt }) => [id, fetchedAt.toISOString()]);

  const first = await read();
  await clock.advance(60_000);
  const second = await read();
  title = 'b';

  expect(second).toEqual(first);
  expect(await read()).toEqual([['b', new Date(clock.nowMs()).toISOString()]]);
});

test('the time of the last change is sent back', async () => {
  const asked: (string | undefined)[] = [];
  await using server = await servePages({
    '/feed': (request, answer) => {
      asked.push(request.headers['if-modified-since']);
      answer.writeHead(200, { ...XML, 'last-modified': 'Fri, 20 Nov 2026 18:00:00 GMT' }).end(rss('a'));
    },
  });
  const client = open(server.url);

  await client.getItems(`${server.url}/feed`);
  await client.getItems(`${server.url}/feed`);

  expect(asked).toEqual([undefined, 'Fri, 20 Nov 2026 18:00:00 GMT']);
});

test.for([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
  ['gzip, gzip', (text: string | Buffer) => gzipSync(gzipSync(text))],
  ['br, GZIP', (text: string | Buffer) => gzipSync(brotliCompressSync(text))],
] as const)('a feed compressed with %s is read, and a bomb is refused', async ([encoding, compress]) => {
  await using server = await servePages({
    '/feed': bytes(compress(rss('a')), { ...XML, 'content-encoding': encoding }),
    '/bomb': bytes(compress(LARGE), { ...XML, 'content-encoding': encoding }),
  });
  const client = open(server.url);

  expect((await client.getItems(`${server.url}/feed`)).items).toMatchObject([{ id: 'a' }]);
  expect(await failure(client.getItems(`${server.url}/bomb`))).toMatchObject({
    fault: 'rejected',
    message: expect.stringContaining('larger than 4 MB'),
  });
});

test('deflate is not offered, because some servers send it without its header', async () => {
  const offered: unknown[] = [];
  await using server = await servePages({
    '/feed': (request, answer) => {
      offered.push(request.headers['accept-encoding']);
      answer.writeHead(200, XML).end(rss('a'));
    },
  });

  await open(server.url).getItems(`${server.url}/feed`);

  expect(offered).toEqual(['gzip, br']);
});

test('a feed with more than two compressions is refused', async () => {
  const body = gzipSync(gzipSync(gzipSync(rss('a'))));
  await using server = await servePages({ '/feed': bytes(body, { ...XML, 'content-encoding': 'gzip, gzip, gzip' }) });

  expect(await failure(open(server.url).getItems(`${server.url}/feed`))).toMatchObject({ fault: 'unavailable' });
});

test('a feed over 4 MB is refused before its end', async () => {
  await using server = await servePages({
    '/large': (_, answer) => {
      answer.writeHead(200, XML).write(LARGE);
    },
  });

  expect(await failure(open(server.url).getItems(`${server.url}/large`))).toMatchObject({ fault: 'rejected' });
});

test('a feed is decoded by its content type, else by its declaration', async () => {
  const text =
    '<?xml version="1.0" encoding="ISO-8859-1"?><rss version="2.0"><channel><title>T</title><item><title>Köln</title></item></channel></rss>';
  await using server = await servePages({
    '/declared': bytes(Buffer.from(text, 'latin1'), XML),
    '/stated': bytes(Buffer.from(text), { 'content-type': 'text/xml; charset=utf-8' }),
  });
  const client = open(server.url);

  for (const path of ['/declared', '/stated']) expect((await client.getItems(server.url + path)).items).toMatchObject([{ title: 'Köln' }]);
});

test.for([
  ['little endian', (text: string) => Buffer.from(text, 'utf16le')],
  ['big endian', (text: string) => Buffer.from(text, 'utf16le').swap16()],
] as const)('a feed in UTF-16 is decoded without a byte order mark, in %s', async ([, encode]) => {
  const text =
    '<?xml version="1.0" encoding="UTF-16"?><rss version="2.0"><channel><title>T</title><item><title>Köln</title></item></channel></rss>';
  await using server = await servePages({
    '/plain': bytes(encode(text), XML),
    '/stated': bytes(encode(text), { 'content-type': 'text/xml; charset=utf-16' }),
  });
  const client = open(server.url);

  for (const path of ['/plain', '/stated']) expect((await client.getItems(server.url + path)).items).toMatchObject([{ title: 'Köln' }]);
});

test('only the configured private server is read, also behind a redirect', async () => {
  await using other = await servePages({ '/secret': rss('secret') });
  await using server = await servePages({ '/away': redirect(`${other.url}/secret`) });
  const { port } = new URL(server.url);
  const client = open(server.url);

  for (const url of [
    `${server.url}/away`,
    `${other.url}/secret`,
    `http://localhost:${port}/feed`,
    `http://[::ffff:127.0.0.1]:${port}/feed`,
  ]) {
    expect(await failure(client.getItems(url))).toMatchObject({
      fault: 'rejected',
      message: expect.stringContaining('not a public internet address'),
    });
  }
  expect(other.asked).toEqual([]);
  expect(server.asked).toEqual(['/away']);
});

test.for([
  [404, 'missing'],
  [410, 'missing'],
  [401, 'forbidden'],
  [429, 'unavailable'],
  [503, 'unavailable'],
  [400, 'rejected'],
] as const)('an answer with %i has the fault %s, which pauses no other feed', async ([status, fault]) => {
  await using server = await servePages({ '/feed': (_, answer) => void answer.writeHead(status).end() });

  expect(await failure(open(server.url).getItems(`${server.url}/feed`))).toMatchObject({ fault, status });
});

test.for([
  ['seconds', { 'retry-after': '120' }],
  ['an instant of its clock', { 'retry-after': 'Fri, 20 Nov 2026 19:02:00 GMT', date: 'Fri, 20 Nov 2026 19:00:00 GMT' }],
] as const)('a server that limits requests is not asked before the time that it states, in %s', async ([, headers]) => {
  const clock = new ManualClock();
  let status = 429;
  await using server = await servePages({
    '/feed': (_, answer) => void answer.writeHead(status, { ...XML, ...headers }).end(rss('a')),
  });
  const client = open(server.url, clock);

  await failure(client.getItems(`${server.url}/feed`));
  status = 200;
  await clock.advance(119_000);
  expect(await failure(client.getItems(`${server.url}/feed`))).toMatchObject({ fault: 'unavailable' });
  expect(server.asked).toHaveLength(1);
  await clock.advance(1_000);

  expect((await client.getItems(`${server.url}/feed`)).items).toHaveLength(1);
});

test.for(['/feed', '/moved', '/away'])('the password of the address of a feed reaches its server only, with %s', async (path) => {
  const asked: (string | undefined)[] = [];
  const document =
    '<rss version="2.0"><channel><title>T</title><item><title>a</title><link>/1</link><description>&lt;img src="/1.png"></description><enclosure url="/1.mp3" type="audio/mpeg" length="1"/></item></channel></rss>';
  await using server = await servePages({
    '/feed': (request, answer) => {
      asked.push(request.headers.authorization);
      answer.writeHead(200, XML).end(document);
    },
    '/moved': redirect('/feed'),
    '/away': (request, answer) => redirect(`http://${request.headers.host ?? ''}/feed`)(request, answer),
  });
  const { host } = new URL(server.url);

  const { items } = await open(server.url).getItems(`http://ada:secret@${host}${path}`);

  expect(items).toMatchObject([
    {
      id: `${server.url}/1`,
      url: `${server.url}/1`,
      thumbnailUrl: `${server.url}/1.png`,
      enclosure: { url: `${server.url}/1.mp3` },
      feed: { url: server.url + path },
    },
  ]);
  // As in browsers, a redirect to a complete address drops the password.
  expect(asked).toEqual([path === '/away' ? undefined : 'Basic YWRhOnNlY3JldA==']);
});

test.for(['ftp://blog.example/feed', 'file:///etc/passwd', 'blog.example/feed', ''])('%s is no address of a feed', async (url) => {
  expect(await failure(open('http://127.0.0.1:1').getItems(url))).toMatchObject({ name: 'ValidationError' });
});

test('on the sandbox, reserved domains are read from the sandbox, and other addresses stay', async () => {
  await using server = await servePages({ '/feeds/blog.example/feed.xml?a=1': rss('a') });
  const clock = new ManualClock();
  const client = new Feed({ platform: feed({ sandboxUrl: server.url, clock }), clock });

  expect((await client.getItems('https://blog.example/feed.xml?a=1')).items).toMatchObject([{ id: 'a' }]);
  expect(await failure(client.getItems('http://10.0.0.1/feed.xml'))).toMatchObject({ fault: 'rejected' });
});
