import { describe, expect, test } from 'vitest';
import { Browser } from './auth/browser.ts';
import { from, openSite } from './open-site.ts';

const PATHS = [
  '/',
  '/demo.js',
  '/overview',
  '/views.en.js',
  '/why',
  '/page.css',
  '/favicon.svg',
  '/healthz',
  '/metrics',
  '/api/rules',
  '/nowhere',
  '/api/nowhere',
];

test.for(PATHS)('%s forbids frames, content sniffing and foreign scripts', async (path) => {
  const { routes } = await openSite();

  const { headers } = await routes.request(path);

  expect(Object.fromEntries((headers.get('content-security-policy') ?? '').split('; ').map((part) => part.split(/ (.*)/s)))).toEqual({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'connect-src': "'self'",
    'img-src': "'self' https: data:",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  });
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('same-origin');
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('cache-control')).toMatch(/^no-(store|cache)$/);
});

test.for([
  'http://localhost:8080',
  'http://LOCALHOST',
  'http://127.0.0.1:9000',
  'http://127.8.8.8',
  'http://[::1]:8080',
  'http://fanfare.localhost',
])('a server on loopback answers to %s', async (origin) => {
  const { routes } = await openSite({ host: '127.0.0.1' });

  expect((await routes.request(`${origin}/api/rules`)).status).toBe(200);
});

test.for([
  'http://evil.example',
  'http://127.0.0.1.evil.example',
  'http://localhost.evil.example:8080',
  'http://192.168.0.7',
  'http://0.0.0.0',
])('a server on loopback rejects a page that came as %s', async (origin) => {
  for (const host of ['127.0.0.1', 'localhost', '::1']) {
    const { routes } = await openSite({ host });

    const answer = await routes.request(`${origin}/api/rules`);

    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('localhost');
  }
});

test.for(['0.0.0.0', '::', '192.168.0.7'])(
  'a server on %s asks under names of the loopback and allowed names for a sign-in, and refuses others',
  async (host) => {
    const { routes } = await openSite({ host, allowedHosts: ['fanfare.example', '10.0.0.5', '[fd00::5]'] });
    const statuses = async (origins: readonly string[]): Promise<readonly number[]> =>
      Promise.all(origins.map(async (origin) => (await routes.request(`${origin}/api/messages`)).status));

    expect(
      await statuses(['http://localhost:8080', 'http://127.0.0.1', 'http://[::1]', 'https://FANFARE.example', 'http://10.0.0.5:8080']),
    ).toEqual(Array(5).fill(401));
    expect(await statuses(['http://[fd00::5]:8080'])).toEqual([401]);
    expect(
      await statuses([
        'http://evil.example',
        'http://a.fanfare.example',
        'http://fanfare.example.evil.example',
        'http://0.0.0.0',
        'http://10.0.0.6',
      ]),
    ).toEqual(Array(5).fill(403));
  },
);

test('a server on an address asks for a sign-in under that address', async () => {
  const { routes } = await openSite({ host: '192.168.0.7' });

  expect((await routes.request('http://192.168.0.7:8080/api/rules')).status).toBe(401);
});

test('an unknown address answers with a page that links to the main page', async () => {
  const { routes } = await openSite();

  const answer = await routes.request('/nowhere');

  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-type')).toContain('text/html');
  expect(await answer.text()).toContain('<a href="/">');
});

test.for(['POST', 'PUT', 'DELETE'])('%s changes nothing at any address', async (method) => {
  const { routes } = await openSite();

  const headers = { 'content-type': 'application/json' };
  for (const path of PATHS) {
    const isRead = path === '/api/rules';
    expect((await routes.request(path, { method, headers })).status).toBe(isRead ? 405 : 404);
  }
});

describe('a page of another website', () => {
  const READS = ['/api/streamers?name=ada', '/api/checks', '/accounts?check=yes', '/lists/team?add=ada', '/metrics'];
  const statuses = async (headers: Readonly<Record<string, string>>, paths: readonly string[] = READS): Promise<ReadonlySet<number>> => {
    const { routes } = await openSite({ host: '127.0.0.1' });
    return new Set(await Promise.all(paths.map(async (path) => (await routes.request(path, { headers })).status)));
  };

  test.for(['cross-site', 'same-site'])('embeds no answer (%s)', async (site) => {
    for (const dest of ['image', 'script', 'empty', 'iframe'])
      expect(await statuses({ 'sec-fetch-site': site, 'sec-fetch-dest': dest })).toEqual(new Set([403]));
  });

  test('has links to pages, and the icon', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };

    expect(await statuses(headers, ['/overview', '/accounts'])).toEqual(new Set([200]));
    expect(await statuses({ ...headers, 'sec-fetch-dest': 'image' }, ['/favicon.svg', '/healthz'])).toEqual(new Set([200]));
  });
});

describe('a probe that asks under the address of a pod', () => {
  test.for(['http://10.42.0.17:8080', 'http://fanfare-web:8080', 'http://[fd00::17]:8080'])('is answered at %s', async (origin) => {
    const { routes, apiQueries } = await openSite({ host: '0.0.0.0', allowedHosts: ['fanfare.example'] });

    expect((await routes.request(`${origin}/healthz`)).status).toBe(200);
    expect((await routes.request(`${origin}/readyz`)).status).toBe(200);
    apiQueries.readiness = { ready: false, message: 'the rule valorant-top could not be run: see the log' };
    expect((await routes.request(`${origin}/readyz`)).status).toBe(503);
  });

  test('learns nothing beside the state', async () => {
    const { routes, apiQueries } = await openSite();
    apiQueries.readiness = { ready: false, message: 'the rule valorant-top could not be run: see the log' };

    const foreign = await routes.request('http://evil.example/readyz');
    const local = await routes.request('http://localhost:8080/readyz');

    expect(await foreign.json()).toEqual({ ready: false });
    expect(await local.json()).toEqual(apiQueries.readiness);
    expect(foreign.headers.get('cache-control')).toBe('no-store');
  });

  test('learns the reason on this machine, or with a session or a token', async () => {
    const { routes, apiQueries, access } = await openSite({ host: '0.0.0.0', allowedHosts: ['fanfare.example'] });
    apiQueries.readiness = { ready: false, message: 'the rule valorant-top could not be run: see the log' };
    const operator = { name: 'root', via: 'cli', role: 'admin' } as const;
    await access.addPerson({ name: 'Ada', role: 'viewer', password: 'correct horse battery' }, operator);
    const browser = new Browser(routes);
    await browser.signIn('ada', 'correct horse battery');
    const { text: token } = await access.createToken({ name: 'ci', scope: 'read' }, operator);
    const { text: metrics } = await access.createToken({ name: 'prometheus', scope: 'metrics' }, operator);
    const at = async (origin: string, headers: Readonly<Record<string, string>> = {}, address = '192.0.2.7') => {
      const answer = await routes.request(`${origin}/readyz`, { headers }, from(address));
      return [answer.status, Object.keys(Object(await answer.json()))];
    };
    const [without, whole] = [
      [503, ['ready']],
      [503, ['ready', 'message']],
    ];
    const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
    const cookie = `fanfare=${browser.cookies.get('fanfare')}`;

    expect(await at('http://fanfare.example')).toEqual(without);
    expect(await at('http://fanfare.example', { accept: 'text/html' })).toEqual(without);
    expect(await at('http://fanfare.example', bearer(`${token}x`))).toEqual(without);
    expect(await at('http://fanfare.example', bearer(metrics))).toEqual(without);
    expect(await at('http://localhost')).toEqual(without);
    expect(await at('http://localhost', { 'x-forwarded-for': '192.0.2.7' }, '127.0.0.1')).toEqual(without);
    expect(await at('http://evil.example', bearer(token))).toEqual(without);
    expect(await at('http://10.42.0.17:8080', {}, '127.0.0.1')).toEqual(without);

    expect(await at('http://localhost', {}, '::ffff:127.0.0.1')).toEqual(whole);
    expect(await at('http://127.0.0.1:8080', {}, '127.0.0.1')).toEqual(whole);
    expect(await at('http://fanfare.example', bearer(token))).toEqual(whole);
    expect(await at('http://fanfare.example', { cookie })).toEqual(whole);
  });

  test('gets the state while the sign-in does not work', async () => {
    const broken = { useToken: () => Promise.reject(new Error('the database does not answer')) };
    const { routes, apiQueries, access } = await openSite({ host: '0.0.0.0', allowedHosts: ['fanfare.example'] });
    apiQueries.readiness = { ready: false, message: 'the database does not answer' };
    Object.assign(access, broken);

    const answer = await routes.request('http://fanfare.example/readyz', { headers: { authorization: 'Bearer a-token' } });

    expect([answer.status, await answer.json()]).toEqual([503, { ready: false }]);
  });

  test('does not get the metrics, which name rules and accounts', async () => {
    const { routes } = await openSite({ host: '0.0.0.0', allowedHosts: ['fanfare.example'] });

    expect((await routes.request('http://10.42.0.17:8080/metrics')).status).toBe(403);
    expect((await routes.request('http://fanfare.example:8080/metrics')).status).toBe(401);
  });
});
