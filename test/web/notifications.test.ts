import { once } from 'node:events';
import { connect } from 'node:net';
import { request } from 'undici';
import { expect, test } from 'vitest';
import type { Notifications } from '#src/admin/incoming-webhooks/receive-notifications.ts';
import type { NotificationRequest } from '#src/clients/operation/notification-request.ts';
import { createAccess } from '#src/admin/access/access.ts';
import { silentLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import { startWeb } from '#src/web/web.ts';
import { FakeApiQueries } from '../support/fake-api-queries.ts';
import { SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { noOperations } from '../support/operations.ts';

/** A server that other machines can reach, with an account that takes bodies of 1,000 bytes, and one whose path proves the sender. */
async function open(answer: Awaited<ReturnType<Notifications['receive']>> = { status: 204 }) {
  const clock = new ManualClock(SLOT_MS);
  const store = await openStore({ clock });
  const received: { readonly account: string; readonly request: NotificationRequest }[] = [];
  const web = await startWeb({
    host: '127.0.0.1',
    port: 0,
    allowedHosts: ['fanfare.example'],
    apiQueries: new FakeApiQueries(),
    operations: noOperations,
    openAccess: async () => createAccess({ store: await store.openAccess(), auditLog: store.auditLog, clock }),
    openNotifications: async () => ({
      maxBytes: (account) => ({ kick: 1_000, feed: 1_048_576 })[account],
      refuse: (account, { subscription }) =>
        Promise.resolve(
          account === 'feed' && subscription !== 'known' ? { status: 404, code: 'subscriptionNotFound', detail: 'None.' } : undefined,
        ),
      async receive(account, one) {
        received.push({ account, request: one });
        return answer;
      },
    }),
    clock,
    log: silentLog,
  });
  return {
    url: web.url,
    clock,
    received,
    async [Symbol.asyncDispose]() {
      await web[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

test('a request under any name reaches the receiver with its raw body, and needs no sign-in', async () => {
  await using server = await open();
  const body = Buffer.from([0, 255, 10, 13, 0xf0, 0x9f, 0x8e, 0x89]);
  const { statusCode } = await request(`${server.url}/hooks/notifications/kick/part?a=1&a=2`, {
    method: 'POST',
    headers: { 'X-Signature': 'Right', host: 'another.example', origin: 'https://another.example', 'sec-fetch-site': 'cross-site' },
    body,
  });
  expect(statusCode).toBe(204);
  const [one] = server.received;
  expect(one).toMatchObject({ account: 'kick', request: { method: 'POST', subscription: 'part' } });
  expect(Buffer.from(one?.request.body ?? [])).toEqual(body);
  expect(one?.request.header('x-signature')).toBe('Right');
  expect(one?.request.query.getAll('a')).toEqual(['1', '2']);
});

test('a challenge is answered as plain text, which no browser runs', async () => {
  await using server = await open({ status: 200, text: '<script>alert(1)</script>' });
  const answer = await request(`${server.url}/hooks/notifications/kick/part?hub.mode=subscribe`);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' });
  expect(await answer.body.text()).toBe('<script>alert(1)</script>');
  expect(server.received[0]?.request.method).toBe('GET');
});

test.each([
  ['an unknown account', { path: '/hooks/notifications/nobody', method: 'POST', body: 'a' }, 404],
  ['a body that is too large', { path: '/hooks/notifications/kick', method: 'POST', body: 'a'.repeat(1_001) }, 413],
  ['another method', { path: '/hooks/notifications/kick', method: 'PUT', body: 'a' }, 401],
] as const)('%s is refused', async (_name, { path, method, body }, status) => {
  await using server = await open();
  const headers = { host: 'fanfare.example' };
  expect((await request(`${server.url}${path}`, { method, body, headers })).statusCode).toBe(status);
  expect(server.received).toEqual([]);
});

test('a refusal has a code, and says when to send again', async () => {
  await using server = await open({ status: 429, code: 'tooManyRequests', detail: 'Too many.', retryAfterSeconds: 60 });
  const answer = await request(`${server.url}/hooks/notifications/kick`, { method: 'POST', body: '{}' });
  expect(answer.statusCode).toBe(429);
  expect(answer.headers['retry-after']).toBe('60');
  expect(await answer.body.json()).toMatchObject({ code: 'tooManyRequests', detail: 'Too many.' });
});

/** Senders of the beginning of a body. */
function slowSenders(server: Awaited<ReturnType<typeof open>>, path: string, count: number) {
  const { port } = new URL(server.url);
  const sockets = Array.from({ length: count }, () => connect(Number(port), '127.0.0.1'));
  for (const socket of sockets) socket.write(`POST ${path} HTTP/1.1\r\nHost: a.example\r\nContent-Length: 100\r\n\r\na`);
  const answers = sockets.map(async (socket) => String((await once(socket, 'data'))[0]).split('\r\n')[0]);
  for (const answer of answers) answer.catch(() => undefined); // a destroyed socket has none
  return { answers, [Symbol.dispose]: () => sockets.forEach((socket) => socket.destroy()) };
}

test('slow senders keep others of their account out for seconds, and those of other accounts not at all', async () => {
  await using server = await open();
  using slow = slowSenders(server, '/hooks/notifications/feed/known', 32);
  await expect.poll(() => server.clock.sleeping).toBeGreaterThanOrEqual(32);

  const waiting = request(`${server.url}/hooks/notifications/feed/known`, { method: 'POST', body: '{}' });
  expect((await request(`${server.url}/hooks/notifications/kick`, { method: 'POST', body: '{}' })).statusCode).toBe(204);
  expect(server.received.map(({ account }) => account)).toEqual(['kick']);
  await server.clock.advance(5_000);
  expect(new Set(await Promise.all(slow.answers))).toEqual(new Set(['HTTP/1.1 408 Request Timeout']));
  expect((await waiting).statusCode).toBe(204);
});

test('the first requests, which come together, share the memory of their account', async () => {
  await using server = await open();
  using slow = slowSenders(server, '/hooks/notifications/feed/known', 40);

  await expect.poll(() => server.clock.sleeping).toBeGreaterThanOrEqual(32);
  await server.clock.advance(5_000);
  expect(await Promise.race(slow.answers)).toBe('HTTP/1.1 408 Request Timeout');

  await expect.poll(() => server.clock.sleeping).toBe(8);
});

test('strangers whose path is unknown are refused before their body is read', async () => {
  await using server = await open();
  using slow = slowSenders(server, '/hooks/notifications/feed/guessed', 40);
  expect(new Set(await Promise.all(slow.answers))).toEqual(new Set(['HTTP/1.1 404 Not Found']));
  expect((await request(`${server.url}/hooks/notifications/feed/known`, { method: 'POST', body: '{}' })).statusCode).toBe(204);
});

test('above 1,000 waiting requests, senders are asked to send again later', async () => {
  await using server = await open();
  using slow = slowSenders(server, '/hooks/notifications/feed/known', 1_040);
  expect(await Promise.race(slow.answers)).toBe('HTTP/1.1 503 Service Unavailable');
});
