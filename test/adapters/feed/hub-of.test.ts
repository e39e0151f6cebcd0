import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { fetchFeed } from '#adapters/feed/fetch-feed.ts';
import { hubOf } from '#adapters/feed/hub-of.ts';
import { askHub } from '#src/http/websub/ask-hub.ts';
import { servePages } from '../../support/pages.ts';

const url = new URL('https://blog.example/feed.xml');
const HUB = 'https://hub.example/';
const ATOM = '<feed xmlns="http://www.w3.org/2005/Atom"><title>a</title><id>a</id><updated>2026-01-01T00:00:00Z</updated>';
const SELF = '<link rel="self" href="https://blog.example/self"/>';
const PLAIN = `${ATOM}</feed>`;

test.each([
  ['Atom', `${ATOM}<link rel="hub" href="${HUB}"/>${SELF}</feed>`],
  [
    'RSS',
    `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>a</title><link>https://blog.example</link><description>a</description>
     <atom:link rel="hub" href="${HUB}"/><atom:link rel="self" href="https://blog.example/self"/></channel></rss>`,
  ],
  [
    'JSON Feed',
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'a',
      feed_url: 'https://blog.example/self',
      hubs: [{ type: 'WebSub', url: HUB }],
      items: [],
    }),
  ],
])('the hub and the topic of %s are found', (_format, text) => {
  expect(hubOf({ text, url, links: undefined })).toEqual({ hub: HUB, topic: 'https://blog.example/self' });
});

test('the links of a feed refer to its xml:base, and those of the header do not', () => {
  const text = `${ATOM.replace('<feed', '<feed xml:base="https://ada.example/blog/"')}<link rel="self" href="feed.xml"/></feed>`;

  expect(hubOf({ text, url, links: '</hub>; rel=hub' })).toEqual({
    hub: 'https://blog.example/hub',
    topic: 'https://ada.example/blog/feed.xml',
  });
});

test.each([
  [`<${HUB}>; rel="hub", <https://blog.example/self>; rel="self"`, 'https://blog.example/self'],
  [`<${HUB}>; rel=hub, </feed.xml>; rel=self`, url.href],
  [`</next>; rel="next", <${HUB}>; title="a, b"; rel="other hub", <feed.xml>; rel=self`, url.href],
])('the header %s names the hub', (links, topic) => {
  expect(hubOf({ text: PLAIN, url, links })).toEqual({ hub: HUB, topic });
});

test.each([
  ['no link', PLAIN, undefined],
  ['a hub without the topic of the feed', PLAIN, `<${HUB}>; rel="hub"`],
  ['a topic with a password', PLAIN, `<${HUB}>; rel="hub", <https://ada:secret@blog.example/self>; rel="self"`],
  ['a topic with a user name', PLAIN, `<${HUB}>; rel="hub", <https://token@blog.example/self>; rel="self"`],
  ['a hub of another protocol', `${ATOM}<link rel="hub" href="javascript:alert(1)"/>${SELF}</feed>`, undefined],
  ['a huge hub', PLAIN, `<https://hub.example/${'a'.repeat(3_000)}>; rel="hub", <feed.xml>; rel=self`],
  ['a document that is no feed', '<html>', undefined],
  ['a document with too much markup', `${ATOM}<link rel="hub" href="${HUB}"/>${SELF}${'<x/>'.repeat(250_000)}</feed>`, undefined],
  ['a document with entities', `<!DOCTYPE feed [<!ENTITY a "a">]>${ATOM}<link rel="hub" href="${HUB}"/>${SELF}</feed>`, undefined],
  ['a broken header', PLAIN, '<<<<>;rel=hub,<'],
])('%s is no hub', (_name, text, links) => {
  expect(hubOf({ text, url, links })).toBeUndefined();
});

test('the topic of a feed is without the password of its address', async () => {
  const text = `${ATOM}<link rel="hub" href="${HUB}"/><link rel="self" href="/feed"/></feed>`;
  await using server = await servePages({ '/feed': (_, answer) => void answer.writeHead(200).end(text) });
  const address = new URL('/feed', server.url.replace('://', '://ada:secret@'));

  const found = await fetchFeed(address, { known: undefined, isAllowed: true, nowMs: 0, signal: undefined });

  expect(found === 'unchanged' ? undefined : hubOf(found)).toEqual({ hub: HUB, topic: `${server.url}/feed` });
});

test.each([
  'http://127.0.0.1:1/hub',
  'http://[::1]:1/hub',
  'http://169.254.169.254/latest',
  'http://localhost:1/hub',
  'file:///etc/passwd',
])('the hub %s of a feed is not asked', async (hub) => {
  const order = { mode: 'subscribe', topic: url.href, callback: 'https://fanfare.example/a', secret: 'a' } as const;
  await expect(askHub([])(hub, order, new AbortController().signal)).rejects.toThrow(/public internet/u);
});

test('a redirect of a hub is followed with the same request, but not to a private address', async () => {
  const orders: (readonly [path: string, body: string])[] = [];
  const redirectTo =
    (location: string, status = 307): RequestListener =>
    (_, answer) =>
      void answer.writeHead(status, { location }).end();
  await using server = await servePages({
    '/moved': redirectTo('/older'),
    '/older': redirectTo('/hub', 302),
    '/loop': redirectTo('/loop', 308),
    '/get': redirectTo('/hub', 303),
    '/inside': redirectTo('http://127.0.0.1:1/hub'),
    '/other': redirectTo('ftp://127.0.0.1/hub'),
    '/hub': (request, answer) =>
      void text(request).then((body) => {
        orders.push([request.method ?? '', body]);
        answer.writeHead(202).end();
      }),
  });
  const ask = (path: string) =>
    askHub([new URL(server.url).origin])(
      `${server.url}${path}`,
      { mode: 'subscribe', topic: url.href, callback: 'https://fanfare.example/a', secret: 'a' },
      new AbortController().signal,
    );

  await ask('/moved');
  expect(orders).toEqual([['POST', expect.stringContaining('hub.secret=a')]]);
  await expect(ask('/loop')).rejects.toThrow('it redirects more than 3 times');
  await expect(ask('/get')).rejects.toThrow('it answers with 303');
  await expect(ask('/inside')).rejects.toThrow(/public internet/u);
  await expect(ask('/other')).rejects.toThrow('it redirects to ftp://127.0.0.1, where the secret would not be encrypted');
  expect(orders).toHaveLength(1);
});
