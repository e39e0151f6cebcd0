import { expect, test } from 'vitest';
import { hashOf } from '#src/admin/access/secret.ts';
import { createLog } from '#src/log.ts';
import { textsOf } from '../../support/page-texts.ts';
import { openSite } from '../open-site.ts';
import { Browser } from './browser.ts';

const OPERATOR = { name: 'root', via: 'cli', role: 'admin' } as const;
const PASSWORD = 'correct horse battery';
const REMOTE = { host: '0.0.0.0', allowedHosts: ['fanfare.example'] } as const;
const PROXY = { address: '10.0.0.9', headers: { 'x-forwarded-for': '198.51.100.4', 'x-forwarded-proto': 'https' } };

async function openWith(options: Parameters<typeof openSite>[0] = {}) {
  const opened = await openSite({ ...REMOTE, ...options });
  const { store = expect.fail('the site has no store') } = opened;
  await opened.access.addPerson({ name: 'Ada', role: 'editor', password: PASSWORD }, OPERATOR);
  return { ...opened, store };
}

test('a browser without a session is sent to the sign-in, and back to the page after it', async () => {
  const { routes } = await openWith();
  const browser = new Browser(routes);

  const before = await browser.request('/overview?a=b&c=d');
  const signedIn = await browser.signIn('ADA ', PASSWORD);
  const page = await browser.request('/overview');

  expect([before.status, before.headers.get('location')]).toEqual([303, '/sign-in']);
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/overview?a=b&c=d']);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('Sign out everywhere');
  expect((await browser.request('/sign-in')).headers.get('location')).toBe('/');
});

test.for(['//evil.example/', '/\\evil.example', 'https://evil.example/', '/\t/evil.example'])(
  'a sign-in leads to no other server: %s',
  async (address) => {
    const { routes } = await openWith();
    const browser = new Browser(routes);
    browser.cookies.set('fanfare-opened', encodeURIComponent(address));
    expect((await browser.signIn('ada', PASSWORD)).headers.get('location')).toBe('/');
    expect(browser.cookies.has('fanfare-opened')).toBe(false);
  },
);

test('the cookie of a session is for this host only, and for HTTPS if a trusted proxy uses it', async () => {
  const { routes } = await openWith({ trustedProxies: ['10.0.0.0/8'] });
  const flags = async (options?: ConstructorParameters<typeof Browser>[1]) => {
    const [cookie = ''] = (await new Browser(routes, options).signIn('ada', PASSWORD)).headers.getSetCookie();
    return cookie.replace(/=[\w-]{43};/u, '=…;');
  };

  const plain = 'fanfare=…; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax';
  expect(await flags()).toBe(plain);
  expect(await flags(PROXY)).toBe('__Host-fanfare=…; Max-Age=604800; Path=/; HttpOnly; Secure; SameSite=Lax');
  expect(await flags({ ...PROXY, address: '192.0.2.1' })).toBe(plain);
});

test('each sign-in begins a new session and ends the one before', async () => {
  const { routes } = await openWith();
  const browser = new Browser(routes);
  await browser.signIn('ada', PASSWORD);
  const thief = new Browser(routes);
  for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
  const first = browser.cookies.get('fanfare');

  // The page of the sign-in sends signed-in browsers away, so the form comes from before.
  const other = new Browser(routes);
  await other.request('/sign-in');
  other.cookies.set('fanfare', first ?? '');
  const secret = other.cookies.get('fanfare-form') ?? '';
  await other.post('/sign-in', { csrf: hashOf(secret, 'form'), name: 'ada', password: PASSWORD });

  expect(other.cookies.get('fanfare')).not.toBe(first);
  expect((await thief.request('/overview')).status).toBe(303);
  expect((await other.request('/overview')).status).toBe(200);
});

test('a session ends by sign-out, by sign-out everywhere, by a new password and after a week', async () => {
  const { routes, access, clock } = await openWith();
  const [one, two] = [new Browser(routes), new Browser(routes)];
  const statuses = async () => [(await one.request('/overview')).status, (await two.request('/overview')).status];
  const both = async () => {
    await one.signIn('ada', PASSWORD);
    await two.signIn('ada', PASSWORD);
  };

  await both();
  await one.submit('/overview', {}, '/sign-out');
  expect(await statuses()).toEqual([303, 200]);
  await both();
  await one.submit('/overview', { everywhere: 'yes' }, '/sign-out');
  expect(await statuses()).toEqual([303, 303]);
  await both();
  await access.changePassword({ person: 'ada', password: PASSWORD }, OPERATOR);
  expect(await statuses()).toEqual([303, 303]);
  await both();
  await clock.advance(7 * 24 * 3_600_000);
  expect(await statuses()).toEqual([303, 303]);
});

test('a second sign-out, for example in another tab, ends at the sign-in', async () => {
  const { routes } = await openWith();
  const browser = new Browser(routes);
  await browser.signIn('ada', PASSWORD);
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/u.exec(await (await browser.request('/overview')).text()) ?? [];
  await browser.post('/sign-out', { csrf });

  const again = await browser.post('/sign-out', { csrf });

  expect([again.status, again.headers.get('location')]).toEqual([303, '/sign-in']);
});

test('1,000 wrong passwords are slowed down, and the right person still signs in from another address', async () => {
  const { routes, clock } = await openWith();
  const attacker = new Browser(routes, { address: '203.0.113.66' });
  const counts = new Map<number, number>();
  for (let attempt = 0; attempt < 1000; attempt++) {
    const { status } = await attacker.signIn('ada', `guess number ${attempt}`);
    counts.set(status, (counts.get(status) ?? 0) + 1);
    clock.set(clock.nowMs() + 1000);
  }

  // 10 at once, and one in each of the 16 minutes.
  expect(Object.fromEntries(counts)).toEqual({ 401: 26, 429: 974 });
  const limited = await attacker.signIn('ada', PASSWORD);
  expect(limited.status).toBe(429);
  // The password may be right.
  expect(await limited.text()).not.toContain('aria-invalid');
  expect((await new Browser(routes, { address: '192.0.2.7' }).signIn('ada', PASSWORD)).status).toBe(303);
});

test('many addresses that guess one password do not lock out a person who is signed in', async () => {
  const { routes, store } = await openWith();
  const ada = new Browser(routes);
  await ada.signIn('ada', PASSWORD);
  for (let attempt = 0; attempt < 100; attempt++)
    await (await store.openAccess()).attempts.take(hashOf('password:ada', 'attempt'), { burst: 100, intervalMs: 6_000 });

  const unknownBrowser = await new Browser(routes, { address: '203.0.113.66' }).signIn('ada', PASSWORD);
  expect([unknownBrowser.status, unknownBrowser.headers.get('retry-after')]).toEqual([429, '6']);
  expect((await new Browser(routes).signIn('ada', PASSWORD)).status).toBe(303);
});

test('a new password gives all attempts of its person back', async () => {
  const { routes, access, store } = await openWith();
  for (let attempt = 0; attempt < 100; attempt++)
    await (await store.openAccess()).attempts.take(hashOf('password:ada', 'attempt'), { burst: 100, intervalMs: 6_000 });
  const before = await new Browser(routes).signIn('ada', PASSWORD);

  await access.changePassword({ person: 'ada', password: PASSWORD }, OPERATOR);

  expect([before.status, (await new Browser(routes).signIn('ada', PASSWORD)).status]).toEqual([429, 303]);
});

test('with a trusted proxy, attempts count for the address of the browser, which a client cannot forge', async () => {
  const { routes } = await openWith({ trustedProxies: ['10.0.0.9'] });
  const guess = async (forwarded: string) =>
    new Browser(routes, { address: '10.0.0.9', headers: { 'x-forwarded-for': forwarded } }).signIn('ada', 'wrong password');

  for (let attempt = 0; attempt < 10; attempt++) await guess(`10.9.9.${attempt}, 203.0.113.66`);

  expect((await guess('1.2.3.4, 203.0.113.66')).status).toBe(429);
  expect((await guess('203.0.113.66, 198.51.100.4')).status).toBe(401);
});

test('nothing secret is stored or logged', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'trace', secrets: [], write: (line) => lines.push(line), color: false });
  const { routes, access, store } = await openWith({ log });
  const browser = new Browser(routes);
  await browser.signIn('ada', 'a wrong password');
  await browser.signIn('ada', PASSWORD);
  const { text } = await access.createToken({ name: 'ci', scope: 'read' }, OPERATOR);

  const rows = JSON.stringify([
    await (await store.openAccess()).people.passwordOf('password:ada'),
    await (await store.openAccess()).apiTokens.list(),
    (await store.auditLog.list()).items,
  ]);
  const all = rows + lines.join('');
  for (const secret of [PASSWORD, 'a wrong password', text, browser.cookies.get('fanfare') ?? '?']) expect(all).not.toContain(secret);
  expect(rows).toContain('$scrypt$');
  expect(lines.join('')).toContain('a sign-in was refused');
  expect((await store.auditLog.list()).items.map(({ action, by }) => [action, by.name])).toEqual([
    ['createToken', 'root'],
    ['signIn', 'Ada'],
    ['addPerson', 'root'],
  ]);
});

test('the first-run token creates one admin, once, within an hour', async () => {
  const { routes, access, clock } = await openSite(REMOTE);
  const create = (token: string, fields: Readonly<Record<string, string>> = {}) =>
    new Browser(routes).submit('/sign-in/first-run', { token, name: 'Ada', password: PASSWORD, ...fields });
  const expired = await access.offerFirstRun();
  await clock.advance(3_600_000);
  const offered = await access.offerFirstRun();
  const token = offered?.text ?? '';

  expect(await access.offerFirstRun()).toEqual({ text: undefined });
  expect((await create(expired?.text ?? '')).status).toBe(401);
  expect((await create('wrong')).status).toBe(401);
  expect((await create(token, { password: 'short' })).status).toBe(400);
  expect((await create(token, { name: '<script>' })).status).toBe(400);
  expect((await create(token)).status).toBe(303);
  expect((await create(token, { name: 'Eve' })).status).toBe(401);
  expect(await access.people()).toEqual([{ id: 'password:ada', name: 'Ada', kind: 'password', role: 'admin' }]);
  expect(await access.offerFirstRun()).toBeUndefined();
});

test.for([
  ['a short password', '/sign-in/first-run', { password: 'short' }, 'Das Passwort ist zu kurz', 'password'],
  ['an unusable name', '/sign-in/first-run', { name: '<script>' }, 'Den Namen nimmt Fanfare nicht', 'name'],
  ['a wrong token', '/sign-in/first-run', { token: 'wrong' }, 'Das Token ist nicht gültig', 'token'],
  ['a wrong password', '/sign-in', {}, 'Der Name oder das Passwort ist falsch', 'password'],
] as const)('a page in German says why %s is refused, and its field has the focus', async ([, path, fields, text, focused]) => {
  const { routes, access } = await openSite(REMOTE);
  const token = (await access.offerFirstRun())?.text ?? '';
  const browser = new Browser(routes, { headers: { 'accept-language': 'de' } });
  const typed = { token, name: 'Ada', password: PASSWORD, ...fields };
  const kept = path === '/sign-in' ? [typed.name] : [typed.token, typed.name.replace('<script>', '&lt;script&gt;')];

  const page = await (await browser.submit(path, typed)).text();

  const inputs = [...page.matchAll(/<input\s+name="(\w+)"[^>]*>/gu)];
  const focusedFields = inputs.filter(([field]) => field.includes('autofocus'));
  expect(page).toMatch(new RegExp(`<p class="bad" role="alert" id="problem">${text}`, 'u'));
  expect(focusedFields.map(([, name]) => name)).toEqual([focused]);
  expect(focusedFields[0]?.[0]).toContain('autofocus aria-invalid="true" aria-describedby="problem"');
  expect(inputs.flatMap(([field]) => /value="([^"]+)"/u.exec(field)?.[1] ?? [])).toEqual(kept);
});

test('a restart of the only process replaces the first-run token', async () => {
  const { routes, access } = await openSite(REMOTE);
  const create = (token = '') => new Browser(routes).submit('/sign-in/first-run', { token, name: 'Ada', password: PASSWORD });
  const first = await access.offerFirstRun({ isOnlyProcess: true });
  const second = await access.offerFirstRun({ isOnlyProcess: true });

  expect((await create(first?.text)).status).toBe(401);
  expect((await create(second?.text)).status).toBe(303);
});

test.for([
  ['without the token of the form', { csrf: '' }, {}, 403],
  ['with the token of another browser', { csrf: hashOf('another', 'form') }, {}, 403],
  ['from another website', {}, { origin: 'https://evil.example' }, 403],
  ['from a sandboxed frame', {}, { origin: 'null' }, 403],
  ['from a website that hides its origin', {}, { 'sec-fetch-site': 'cross-site' }, 403],
  ['as text', {}, { 'content-type': 'text/plain' }, 415],
  ['that is too large', { name: 'x'.repeat(20_000) }, {}, 413],
  ['of this page', {}, {}, 303],
] as const)('a sign-in %s is answered with its status', async ([, fields, headers, status]) => {
  const { routes } = await openWith();
  const browser = new Browser(routes);
  await browser.request('/sign-in');
  const csrf = hashOf(browser.cookies.get('fanfare-form') ?? '', 'form');

  expect((await browser.post('/sign-in', { csrf, name: 'ada', password: PASSWORD, ...fields }, headers)).status).toBe(status);
  expect(browser.cookies.has('fanfare')).toBe(status === 303);
});

test('the pages of the sign-in and of unknown addresses have no English text for German readers', async () => {
  const { routes } = await openWith();
  const requests: readonly (readonly [path: string, form?: Readonly<Record<string, string>>])[] = [
    ['/sign-in'],
    ['/sign-in', { name: 'ada', password: 'wrong' }],
    ['/sign-in/first-run'],
    ['/sign-in/first-run', { token: 'wrong', name: 'ada', password: 'another long password' }],
  ];

  const both = await Promise.all(
    ['en', 'de'].map(async (language) => {
      const browser = new Browser(routes, { headers: { 'accept-language': language } });
      const texts: string[] = [];
      for (const [path, form] of requests) {
        const answer = form ? await browser.submit(path, form) : await browser.request(path);
        texts.push(...textsOf(await answer.text()));
      }
      await browser.signIn('ada', PASSWORD);
      const nowhere = await browser.request('/nowhere');
      const page = await browser.request('/overview');
      const [, signOut = ''] = /<form class="sign-out"(.*?)<\/form>/su.exec(await page.text()) ?? [];
      return [...texts, ...textsOf(await nowhere.text()), ...textsOf(`<form ${signOut}`)];
    }),
  );

  const [english = [], german = []] = both;
  expect(german).toHaveLength(english.length);
  expect(german.length).toBeGreaterThan(20);
  const same = new Set(['Ada', 'Name', 'Token']);
  expect(german.filter((text) => english.includes(text) && !same.has(text))).toEqual([]);
});
