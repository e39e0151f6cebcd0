import { describe, expect, test } from 'vitest';
import { discordSignIn } from '#adapters/discord/sign-in.ts';
import { systemClock } from '#src/clock.ts';
import type { TokenScope } from '#src/admin/actions/people.ts';
import { silentLog } from '#src/log.ts';
import { createApi } from '#src/web/api/api.ts';
import { noOperations } from '../../support/operations.ts';
import { openSite } from '../open-site.ts';
import { Browser } from './browser.ts';

/**
 * Who may send a request to each route, from another machine: everyone, scrapers of metrics, or people and tokens with a role. A form
 * comes from a page of the sign-in.
 */
const ROUTES: Readonly<Record<string, 'everyone' | 'form' | 'metrics' | 'viewer' | 'editor' | 'admin'>> = {
  'POST /discord/interactions': 'everyone',
  'POST /hooks/:name': 'everyone',
  'GET /hooks/notifications/:account': 'everyone',
  'POST /hooks/notifications/:account': 'everyone',
  'GET /hooks/notifications/:account/:subscription': 'everyone',
  'POST /hooks/notifications/:account/:subscription': 'everyone',
  'GET /healthz': 'everyone',
  'GET /readyz': 'everyone',
  'GET /page.css': 'everyone',
  'GET /demo.js': 'everyone',
  'GET /favicon.svg': 'everyone',
  'GET /views.en.js': 'everyone',
  'GET /views.de.js': 'everyone',
  'GET /views/:part': 'everyone',
  'GET /sign-in': 'everyone',
  'POST /sign-in': 'form',
  'GET /sign-in/first-run': 'everyone',
  'POST /sign-in/first-run': 'form',
  'GET /sign-in/discord': 'everyone',
  'GET /sign-in/discord/callback': 'everyone',
  'POST /sign-out': 'form',
  'GET /metrics': 'metrics',
  'GET /': 'viewer',
  'GET /overview': 'viewer',
  'GET /demo': 'viewer',
  'GET /demo/:part': 'viewer',
  'GET /why': 'viewer',
  'GET /rules': 'viewer',
  'GET /rules/:rule': 'viewer',
  'GET /accounts': 'viewer',
  'GET /settings': 'viewer',
  'GET /audit': 'viewer',
  'GET /language': 'viewer',
  'GET /lists': 'viewer',
  'GET /lists/:list': 'viewer',
  'GET /deliveries': 'viewer',
  'GET /deliveries/:delivery': 'viewer',
  'GET /posts': 'viewer',
  'GET /sandbox': 'viewer',
  'GET /sandbox/discord': 'viewer',
  'GET /sandbox-pictures/*': 'viewer',
  'GET /api/actions': 'viewer',
  'GET /api/rules/:rule': 'viewer',
  'GET /api/rules/:rule/explanation': 'viewer',
  'GET /api/rules/:rule/episodes': 'viewer',
  'POST /api/rules/:rule/test': 'viewer',
  'POST /api/rules/:rule/preview': 'editor',
  'POST /api/rules/:rule/replay': 'editor',
  'POST /api/rules/:rule/pause': 'editor',
  'POST /api/rules/:rule/resume': 'editor',
  'POST /api/rules/:rule/run': 'editor',
  'POST /api/rules/:rule/announce-item': 'editor',
  'POST /api/rules/:rule/set-value': 'editor',
  'POST /api/deliveries/:delivery/resend': 'editor',
  'POST /api/deliveries/:delivery/resolve': 'editor',
  'POST /api/deliveries/:delivery/answer': 'editor',
  'POST /api/deliveries/:delivery/mute-item': 'editor',
  'GET /api/versions': 'viewer',
  'POST /api/versions': 'editor',
  'POST /api/versions/:version/roll-back': 'editor',
  'POST /api/rules/:rule/delete': 'editor',
  'GET /api/lists': 'viewer',
  'GET /api/lists/:list': 'viewer',
  'GET /api/lists/:list/export': 'viewer',
  'POST /api/lists/:list/entries': 'editor',
  'PATCH /api/lists/:list/entries/:entry': 'editor',
  'DELETE /api/lists/:list': 'editor',
  'DELETE /api/lists/:list/entries': 'editor',
  'POST /api/lists/:list/import': 'editor',
  'GET /api/streamers': 'editor',
  'GET /api/list-changes': 'viewer',
  'POST /api/list-changes/:change/undo': 'editor',
  'GET /api/servers': 'viewer',
  'POST /api/servers/:server/configure': 'editor',
  'GET /api/waiting-posts': 'editor',
  'POST /api/waiting-posts/:post/edit': 'editor',
  'POST /api/waiting-posts/:post/move': 'editor',
  'POST /api/waiting-posts/:post/cancel': 'editor',
  'GET /api/accounts': 'viewer',
  'GET /api/accounts/:account/usage': 'viewer',
  'GET /api/accounts/:account/sign-in': 'admin',
  'POST /api/accounts/:account/sign-in': 'admin',
  'POST /api/accounts/:account/confirm': 'admin',
  'POST /api/accounts/:account/sign-out': 'admin',
  'GET /api/session': 'viewer',
  'GET /api/status': 'viewer',
  'GET /api/about': 'viewer',
  'GET /api/checks': 'admin',
  'GET /api/people': 'admin',
  'POST /api/people': 'admin',
  'PATCH /api/people/:person': 'admin',
  'POST /api/people/:person/change-password': 'admin',
  'POST /api/people/:person/remove': 'admin',
  'POST /api/people/:person/sign-out': 'admin',
  'GET /api/tokens': 'admin',
  'POST /api/tokens': 'admin',
  'POST /api/tokens/:token/revoke': 'admin',
  'GET /api/decisions': 'viewer',
  'GET /api/deliveries': 'viewer',
  'GET /api/explanations': 'viewer',
  'GET /api/deliveries/export': 'viewer',
  'GET /api/deliveries/:delivery': 'viewer',
  'GET /api/rules': 'viewer',
  'GET /api/live': 'editor',
  'GET /api/posts': 'editor',
  'GET /api/messages': 'editor',
  'GET /api/events': 'viewer',
  'GET /api/openapi.json': 'viewer',
  'GET /api/sandbox': 'viewer',
  'GET /api/sandbox/streamers': 'viewer',
  'POST /api/sandbox/world': 'editor',
  'POST /api/sandbox/articles': 'editor',
  'POST /api/sandbox/faults': 'editor',
  'DELETE /api/sandbox/faults': 'editor',
  'POST /api/sandbox/clock': 'admin',
  'GET /api/sandbox/discord': 'admin',
  'POST /api/sandbox/discord/interactions': 'admin',
  'POST /api/sandbox/discord/messages': 'admin',
};

const OPERATOR = { name: 'root', via: 'cli', role: 'admin' } as const;
const PASSWORD = 'correct horse battery';
const HOUR_MS = 3_600_000;
const ORIGIN = 'http://fanfare.example';
const ROLES = ['viewer', 'editor', 'admin'] as const;
const SCOPES: readonly TokenScope[] = ['metrics', 'read', 'write', 'admin'];
const NEEDED = { metrics: 'metrics', viewer: 'read', editor: 'write', admin: 'admin' } as const;

const discord = discordSignIn({ clientId: '1', clientSecret: 'x', servers: [], apiUrl: 'http://127.0.0.1:1', clock: systemClock });
const { routes, apiQueries, access, clock } = await openSite({
  host: '0.0.0.0',
  allowedHosts: ['fanfare.example'],
  sandboxOrigin: 'http://127.0.0.1:1',
  takeInteraction: () => ({ status: 401, code: 'notSigned', detail: 'It is not signed.' }),
  openDiscord: () => Promise.resolve({ ...discord, roles: { viewer: [], editor: [], admin: [] } }),
});

/** The credentials of each kind. */
const tokens = Object.fromEntries(
  await Promise.all(SCOPES.map(async (scope) => [scope, (await access.createToken({ name: scope, scope }, OPERATOR)).text] as const)),
);
const revoked = await access.createToken({ name: 'revoked', scope: 'admin' }, OPERATOR);
await access.revokeToken({ token: revoked.token.id }, OPERATOR);
const expired = await access.createToken({ name: 'expired', scope: 'admin', expiresAt: new Date(clock.nowMs() + HOUR_MS) }, OPERATOR);
const [old, ...sessions] = await Promise.all(
  ['viewer', ...ROLES].map(async (role, index) => {
    const name = `${role}${index}`;
    await access.addPerson({ name, role: ROLES.find((one) => one === role) ?? 'viewer', password: PASSWORD }, OPERATOR);
    const browser = new Browser(routes, { address: `192.0.2.${index}` });
    await browser.signIn(name, PASSWORD);
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/u.exec(await (await browser.request('/overview')).text()) ?? [];
    return { role, cookie: `fanfare=${browser.cookies.get('fanfare')}`, csrf };
  }),
);
const admin = sessions.find(({ role }) => role === 'admin') ?? expect.fail('no admin could sign in');
await access.removePerson({ person: 'viewer0' }, OPERATOR);
await clock.advance(HOUR_MS);

type Headers = Readonly<Record<string, string>>;
const bearer = (token = ''): Headers => ({ authorization: `Bearer ${token}` });
const json = { 'content-type': 'application/json' };

/** Sends a request, and returns its status. Ends the answer, because a stream of events has no end. */
async function statusOf(route: string, headers: Headers = {}, origin = ORIGIN): Promise<number> {
  const [method = '', path = ''] = route.split(' ');
  const url = origin + path.replaceAll(/:\w+(?:\{[^}]+\})?|\*/gu, 'x');
  const stopping = new AbortController();
  const body = method === 'GET' ? {} : { body: '{}', headers: { ...json, ...headers } };
  const response = await routes.request(url, { method, headers, signal: stopping.signal, ...body });
  stopping.abort();
  await response.body?.cancel();
  return response.status;
}

const { routes: api } = createApi({
  ...noOperations,
  apiQueries,
  clock,
  log: silentLog,
  sandboxOrigin: 'http://127.0.0.1:1',
  closing: new AbortController().signal,
});
const all = [...routes.routes, ...api.routes].filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`);
const isServed = (status: number): boolean => status !== 401 && status !== 403;
const protectedRoutes = Object.entries(ROUTES).flatMap(([route, who]) =>
  who === 'everyone' || who === 'form' ? [] : [[route, who] as const],
);
const forms = Object.entries(ROUTES).filter(([, who]) => who === 'form');
const writes = protectedRoutes.filter(([route]) => !route.startsWith('GET '));

test('every route has a row, and every row has a route', () => {
  expect(new Set(all)).toEqual(new Set(Object.keys(ROUTES)));
});

describe.for(protectedRoutes)('%s, for %s,', ([route, who]) => {
  test('refuses requests without valid credentials', async () => {
    const tampered = `${tokens['admin']?.slice(0, -2)}${tokens['admin']?.endsWith('AA') ? 'BB' : 'AA'}`;
    const wrong: readonly Headers[] = [
      {},
      { authorization: `Basic ${btoa(`ada:${PASSWORD}`)}` },
      bearer(revoked.text),
      bearer(expired.text),
      bearer(tampered),
      bearer(admin.cookie.split('=')[1]),
      { cookie: old?.cookie ?? '', 'x-csrf-token': old?.csrf ?? '' },
      { cookie: `${admin.cookie}x`, 'x-csrf-token': admin.csrf },
      { cookie: `fanfare=${tokens['admin']}`, 'x-csrf-token': admin.csrf },
      // A wrong token is not replaced by a session.
      { ...bearer(revoked.text), cookie: admin.cookie, 'x-csrf-token': admin.csrf },
    ];
    for (const headers of wrong) expect([headers, await statusOf(route, headers)]).toEqual([headers, 401]);
  });

  test('refuses a role that is too low, and serves the role', async () => {
    const needed = SCOPES.findIndex((scope) => scope === NEEDED[who]);
    for (const [index, scope] of SCOPES.entries()) expect(isServed(await statusOf(route, bearer(tokens[scope])))).toBe(index >= needed);
    for (const [index, { cookie, csrf }] of sessions.entries())
      expect(isServed(await statusOf(route, { cookie, 'x-csrf-token': csrf }))).toBe(index + 1 >= needed);
  });

  test('refuses another host name', async () => {
    for (const origin of ['http://evil.example', 'http://fanfare.example.evil.example'])
      expect(await statusOf(route, bearer(tokens['admin']), origin)).toBe(403);
  });
});

test('writes of a session need its token', async () => {
  const { cookie, csrf } = admin;
  const wrong: readonly Headers[] = [
    {},
    { 'x-csrf-token': '' },
    { 'x-csrf-token': `${csrf}x` },
    { 'x-csrf-token': sessions[0]?.csrf ?? '' },
  ];
  for (const [route] of writes) for (const headers of wrong) expect(await statusOf(route, { cookie, ...headers })).toBe(403);
});

test('writes with a token need JSON', async () => {
  for (const [route] of writes) {
    expect(await statusOf(route, { ...bearer(tokens['admin']), 'content-type': 'text/plain' })).toBe(415);
    expect(await statusOf(route, { ...bearer(tokens['admin']), 'content-type': 'multipart/form-data' })).toBe(415);
  }
});

test('writes and forms of other websites are refused', async () => {
  const valid = { cookie: admin.cookie, 'x-csrf-token': admin.csrf };
  for (const route of [...writes, ...forms].map(([name]) => name)) {
    for (const origin of ['https://evil.example', 'http://fanfare.example:8080', 'null'])
      expect([route, await statusOf(route, { ...valid, origin })]).toEqual([route, 403]);
    for (const site of ['cross-site', 'same-site']) expect(await statusOf(route, { ...valid, 'sec-fetch-site': site })).toBe(403);
  }
});

/** Sends an endless body, and returns how much of it was read. */
async function bytesReadBy(route: string, headers: Headers): Promise<number> {
  const [method = '', path = ''] = route.split(' ');
  const chunk = new Uint8Array(16 * 1024).fill(120);
  let bytes = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      bytes += chunk.length;
      if (bytes > 4 * 1024 * 1024) controller.close();
      else controller.enqueue(chunk);
    },
  });
  const { status } = await routes.request(ORIGIN + path.replaceAll(/:\w+/gu, 'x'), { method, body, duplex: 'half', headers });
  expect([route, status < 400]).toEqual([route, false]);
  return bytes;
}

test('no route reads much of a body before it knows the sender, and no form is large', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const small = 64 * 1024;

  for (const [route, who] of Object.entries(ROUTES).filter(([name]) => !name.startsWith('GET '))) {
    const largest = who === 'everyone' ? 2 * 1024 * 1024 : small;
    expect([route, await bytesReadBy(route, who === 'form' ? form : json)]).toEqual([route, expect.toSatisfy((n) => n <= largest)]);
  }
  for (const [route] of forms)
    expect([route, await bytesReadBy(route, { ...form, cookie: admin.cookie })]).toEqual([route, expect.toSatisfy((n) => n <= small)]);
});

test('a server on the loopback refuses other hosts, proxies, other websites and forms', async () => {
  const local = await openSite({ host: '127.0.0.1', sandboxOrigin: 'http://127.0.0.1:1' });
  const send = async (route: string, headers: Headers, host = 'localhost:8080') => {
    const [method = '', path = ''] = route.split(' ');
    const response = await local.routes.request(`http://${host}${path}`, { method, headers });
    await response.body?.cancel();
    return response.status;
  };

  for (const [route] of protectedRoutes) {
    expect([401, 403]).not.toContain(await send(route, json));
    expect(await send(route, json, 'evil.example')).toBe(403);
    expect(await send(route, { ...json, 'x-forwarded-for': '192.0.2.7' })).toBe(403);
  }
  for (const route of [...writes.map(([name]) => name), 'POST /api/nowhere']) {
    expect(await send(route, { ...json, origin: 'http://localhost:9000' })).toBe(403);
    expect(await send(route, { ...json, 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await send(route, { 'content-type': 'text/plain' })).toBe(415);
    expect(await send(route, {})).toBe(415);
  }
});

test('a server on the loopback with a proxy has people on the machine as admins, and others sign in', async () => {
  const { routes: proxied } = await openSite({ host: '127.0.0.1', allowedHosts: ['fanfare.example'] });
  const status = async (url: string, headers: Headers = {}) => (await proxied.request(url, { headers })).status;

  expect(await status('http://localhost:8080/api/rules')).toBe(200);
  expect(await status('http://localhost:8080/api/rules', { 'x-forwarded-for': '192.0.2.7' })).toBe(401);
  expect(await status('https://fanfare.example/api/rules')).toBe(401);
});
