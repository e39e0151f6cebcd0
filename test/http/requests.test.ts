import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { httpClient } from '#src/http/client.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { scriptHttp } from '../support/script-http.ts';

const clock = new ManualClock();

test('a request has its query, its headers, a User-Agent and the headers of the client', async () => {
  await using server = await scriptHttp([['GET /api/things?first=100&id=1&id=2&q=a+b%26c', { json: { ok: true } }]]);
  await using client = httpClient({
    platform: 'demo',
    baseUrl: `${server.url}/api/`,
    clock,
    headers: { 'Client-Id': 'abc', Accept: '*/*' },
  });

  const response = await client.request({
    path: '/things',
    query: { first: 100, id: ['1', '2'], after: undefined, none: [], q: 'a b&c' },
    headers: { authorization: 'Bearer t' },
  });

  expect(response.json(z.object({ ok: z.boolean() }))).toEqual({ ok: true });
  expect(server.seen[0]?.headers).toMatchObject({
    'user-agent': expect.stringMatching(/^Fanfare/),
    'client-id': 'abc',
    accept: '*/*',
    authorization: 'Bearer t',
  });
});

test.for([
  [{ json: { text: 'hi' } }, 'application/json', '{"text":"hi"}'],
  [{ form: { text: 'a b', other: '&' } }, 'application/x-www-form-urlencoded', 'text=a+b&other=%26'],
  [{ body: 'plain', headers: { 'content-type': 'text/plain' } }, 'text/plain', 'plain'],
] as const)('a body is sent as %s', async ([content, type, body]) => {
  await using server = await scriptHttp([['POST /things', { status: 204 }]]);
  await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock });

  const response = await client.request({ method: 'POST', path: '/things', ...content });

  expect(response.status).toBe(204);
  expect(server.seen[0]).toMatchObject({ body, headers: { 'content-type': type } });
});

test('a rejected JSON body without parameters is an error like any other', async () => {
  await using server = await scriptHttp([['POST /things', { status: 400, json: { error: 'no' } }]]);
  await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock });

  await expect(client.request({ path: '/things', method: 'POST', body: 'null' })).rejects.toMatchObject({ fault: 'rejected' });
});

test('a response in many pieces is read completely, including characters of several bytes', async () => {
  const text = '{"text":"' + '\u{1f3ae} größer '.repeat(40_000) + '"}';
  await using server = await scriptHttp([['GET /things', { text }]]);
  await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock });

  const response = await client.request({ path: '/things' });

  expect(response.text === text).toBe(true);
});

test('a response of 8 MiB is read, and a larger one fails, with any pieces', async () => {
  const pieces = Array.from({ length: 8 }, () => Buffer.alloc(1024 * 1024, 'a'));
  const server = createServer((request, response) => {
    for (const piece of pieces) response.write(piece);
    response.end(request.url === '/large' ? 'a' : '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  await using client = httpClient({ platform: 'demo', baseUrl: `http://127.0.0.1:${port}`, clock });

  expect((await client.request({ path: '/whole' })).text).toHaveLength(8 * 1024 * 1024);
  await expect(client.request({ path: '/large', method: 'POST' })).rejects.toThrow('it is too large for a response of an API');
  server.closeAllConnections();
  server.close();
});

test('a byte order mark is removed', async () => {
  await using server = await scriptHttp([['GET /things', { text: '\ufeff{"ok":true}' }]]);
  await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock });

  const response = await client.request({ path: '/things' });

  expect(response.json(z.object({ ok: z.boolean() }))).toEqual({ ok: true });
});

test('an informational response is not the response', async () => {
  const server = createServer((_request, response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' }, () => response.end('{"ok":true}'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await using client = httpClient({ platform: 'demo', baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, clock }); // it listens on a port

  const response = await client.request({ path: '/things' });

  expect(response).toMatchObject({ status: 200, text: '{"ok":true}' });
  server.closeAllConnections();
  server.close();
});

test('connections are reused', async () => {
  const paths = ['/a', '/b', '/c', '/d', '/e', '/f'];
  await using server = await scriptHttp(paths.map((path) => [`GET ${path}`, { json: {} }] as const));
  await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock });

  for (const path of paths) await client.request({ path });

  expect(new Set(server.seen.map(({ port }) => port)).size).toBeLessThan(3);
});

test('reads reuse connections that their server closes soon, and writes do not', async () => {
  const reply = { json: {}, headers: { connection: 'keep-alive', 'keep-alive': 'timeout=2' } };
  const all = (['GET', 'POST'] as const).flatMap((method) => ['/a', '/b', '/c', '/d'].map((path) => ({ method, path })));
  await using server = await scriptHttp(all.map(({ method, path }) => [`${method} ${path}`, reply] as const));
  await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock });

  for (const one of all) await client.request(one);

  const ports = server.seen.map(({ port }) => port);
  expect(new Set(ports.slice(0, 4)).size).toBeLessThan(3);
  expect(new Set(ports.slice(4)).size).toBe(4);
});
