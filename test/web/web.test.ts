import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { request } from 'undici';
import { ConfigError } from '#src/errors.ts';
import { createAccess, type Access } from '#src/admin/access/access.ts';
import { silentLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import { startWeb, type WebOptions } from '#src/web/web.ts';
import { FakeApiQueries } from '../support/fake-api-queries.ts';
import { noOperations } from '../support/operations.ts';
import { ManualClock } from '../support/manual-clock.ts';

async function openAccess(): Promise<Access> {
  const store = await openStore();
  return createAccess({ store: await store.openAccess(), auditLog: store.auditLog, clock: new ManualClock() });
}

const options = (changes: Partial<WebOptions> = {}): WebOptions => ({
  host: '127.0.0.1',
  port: 0,
  apiQueries: new FakeApiQueries(),
  operations: noOperations,
  clock: new ManualClock(),
  log: silentLog,
  openAccess,
  ...changes,
});

test.for(['127.0.0.1', 'localhost', '::1', '0.0.0.0'])('the server answers at the address that it reports for %s', async (host) => {
  await using web = await startWeb(options({ host }));

  const { statusCode, headers } = await request(`${web.url}/healthz`);

  expect(statusCode).toBe(200);
  // Longer than any proxy keeps an idle connection, for example Caddy 120 s and Google Cloud 600 s.
  expect(headers['keep-alive']).toBe('timeout=620');
});

test('the server checks the name in the Host header', async () => {
  await using web = await startWeb(options());

  const { statusCode, body } = await request(`${web.url}/api/rules`, { headers: { host: 'evil.example' } });

  expect(statusCode).toBe(403);
  expect(await body.text()).toContain('localhost');
});

test.for([
  // nginx decodes slashes first, reads /hooks/a/api/rules, and forwards the request as it came.
  '/hooks%2fa%2fb/../api/rules',
  '/hooks/../api/rules',
  '/hooks/%2e%2E/api/rules',
  '/api/rules/live%2f..%2f..%2f..%2fhooks',
  '/hooks/./../api/rules',
  '/api/rules/..',
  '/hooks%5c..%5c../api/rules',
  'http://localhost/api/rules',
])('a path that a proxy can read as another one is refused: %s', async (path) => {
  await using web = await startWeb(options());
  const { host, port } = new URL(web.url);
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
  let received = '';
  socket.on('data', (text: string) => void (received += text));

  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  await once(socket, 'close');

  expect(received.split('\r\n')[0]).toBe('HTTP/1.1 400 Bad Request');
});

test.for(['/api/rules?text=a/../b', '/api/rules/live-card%2Fa..b', '/api/rules/.well..known'])(
  'a path with dots in a name or in its query is answered: %s',
  async (path) => {
    await using web = await startWeb(options());

    const { statusCode, body } = await request(web.url + path);
    await body.dump();

    expect(statusCode).not.toBe(400);
  },
);

test('a request as nginx forwards it without further settings is not one of this machine', async () => {
  await using web = await startWeb(options());
  const { host, port } = new URL(web.url);
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
  let received = '';
  socket.on('data', (text: string) => void (received += text));

  socket.write(`GET /api/rules HTTP/1.0\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  await once(socket, 'close');

  expect(received).toContain('"code":"proxyNotAllowed"');
});

test.each([
  ['https://fanfare.example/overview', 403],
  ['http://localhost:1234/overview', 200],
])('a request of a page at %s is answered with %d, because a proxy may replace its host', async (referer, status) => {
  await using web = await startWeb(options());

  const answer = await request(`${web.url}/api/rules`, { headers: { referer, 'sec-fetch-site': 'same-origin' } });

  expect(answer.statusCode).toBe(status);
});

test('a port that is in use is a configuration error', async () => {
  await using first = await startWeb(options());
  const port = Number(new URL(first.url).port);

  const second = startWeb(options({ port }));

  await expect(second).rejects.toThrow(
    new ConfigError(`port ${port} is already in use by another program, or by a second Fanfare`, {
      file: 'PORT',
      hint: 'end that program, or set PORT to a free port',
    }),
  );
});

test.for([
  ['a host name that does not exist', 'nobody.invalid', 'this machine does not have the address nobody.invalid'],
  ['a link-local address', 'fe80::1', 'the address fe80::1 needs the name of its interface'],
] as const)('%s is a configuration error', async ([, host, message]) => {
  await expect(startWeb(options({ host }))).rejects.toMatchObject({ name: 'ConfigError', file: 'HOST', message });
});

test('the signal stops the server', async () => {
  const stopping = new AbortController();
  await using web = await startWeb(options({ signal: stopping.signal }));
  await (await request(`${web.url}/healthz`)).body.dump();

  stopping.abort();
  await web[Symbol.asyncDispose]();

  await expect(request(`${web.url}/healthz`)).rejects.toThrow('ECONNREFUSED');
});

test.for(['before its first request', 'after a request'])('a connection %s does not delay the end', async (state) => {
  await using web = await startWeb(options());
  const { port } = new URL(web.url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  if (state === 'after a request') {
    socket.write(`GET /healthz HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
    await once(socket, 'data');
  }
  // The server has accepted the connection when it answers a later one.
  await request(`${web.url}/healthz`);

  // The clock stands still, so the longest wait for open requests does not end.
  await expect(web[Symbol.asyncDispose]()).resolves.toBeUndefined();

  socket.destroy();
});

test('the answers end their connections while very many are open', async () => {
  await using web = await startWeb(options());
  const { port } = new URL(web.url);
  const others = Array.from({ length: 500 }, () => connect(Number(port), '127.0.0.1'));
  await Promise.all(others.map((socket) => once(socket, 'connect')));

  const { headers } = await request(`${web.url}/healthz`);

  expect(headers['connection']).toBe('close');
  for (const socket of others) socket.destroy();
});

test('a connection with a body that is too large takes the next request', async () => {
  await using web = await startWeb(options({ takeInteraction: () => ({ status: 202 }) }));
  const { host, port } = new URL(web.url);
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
  let received = '';
  socket.on('data', (text: string) => void (received += text));
  const length = 4 * 1024 * 1024;

  socket.write(`POST /discord/interactions HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(length)}`);
  socket.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  await once(socket, 'close');

  expect(received.match(/HTTP\/1\.1 \d+/gu)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
});

test('an aborted signal prevents the start', async () => {
  await expect(startWeb(options({ signal: AbortSignal.abort(new Error('stopped')) }))).rejects.toThrow('stopped');
});

test('a server that other machines can reach requires a sign-in, even on this machine', async () => {
  await using web = await startWeb(options({ host: '0.0.0.0' }));

  const { statusCode, headers } = await request(`${web.url}/api/rules`);

  expect([statusCode, headers['www-authenticate']]).toEqual([401, 'Bearer']);
});

test('a server that other machines can reach does not start without a sign-in', async () => {
  await expect(startWeb(options({ host: '0.0.0.0', openAccess: undefined }))).rejects.toThrow('needs a sign-in');
});
