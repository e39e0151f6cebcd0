import { fetch } from 'undici';
import { afterAll, expect, test } from 'vitest';
import { discordSignIn } from '#adapters/discord/sign-in.ts';
import { startSandbox } from '#sandbox/index.ts';
import { APPLICATION_ID, CLIENT_SECRET, GUILD_ID, SECOND_GUILD_ID } from '#sandbox/discord/identity.ts';
import { personOfDiscord, type DiscordRoles } from '#src/admin/access/discord-sign-in.ts';
import { systemClock } from '#src/clock.ts';
import { openSite } from '../open-site.ts';
import { Browser } from './browser.ts';

const sandbox = await startSandbox({ seed: 7 });
afterAll(() => sandbox[Symbol.asyncDispose]());
const apiUrl = sandbox.environment['DISCORD_API_URL'] ?? '';

async function openWith(
  roles: Partial<DiscordRoles>,
  options: { readonly clientSecret?: string; readonly servers?: readonly string[] } = {},
) {
  const signIn = discordSignIn({
    clientId: APPLICATION_ID,
    clientSecret: CLIENT_SECRET,
    servers: [GUILD_ID],
    apiUrl,
    clock: systemClock,
    ...options,
  });
  const openDiscord = () => Promise.resolve({ ...signIn, roles: { viewer: [], editor: [], admin: [], ...roles } });
  return openSite({ host: '0.0.0.0', allowedHosts: ['fanfare.example'], openDiscord });
}

/** Follows the sign-in of a browser to Discord, confirms as a member, and returns the address of the way back. */
async function confirm(browser: Browser, as: string): Promise<URL> {
  const away = (await browser.request('/sign-in/discord')).headers.get('location') ?? '';
  const page = await fetch(`${away}&as=${as}`, { redirect: 'manual' });
  return new URL(page.headers.get('location') ?? 'about:blank');
}

async function signInAs(browser: Browser, as: string): Promise<Response> {
  const back = await confirm(browser, as);
  return browser.request(`${back.pathname}${back.search}`);
}

/** The handles of the owner, a moderator and a member without a role. */
async function people(): Promise<readonly [string, string, string]> {
  const response = await fetch(`${apiUrl.replace('/api', '')}/oauth2/authorize?${await queryOfPage()}`);
  const handles = [...(await response.text()).matchAll(/as=([^"&]+)"/gu)].map(([, handle = '']) => handle);
  return [handles[0] ?? '', handles[1] ?? '', handles[2] ?? ''];
}

async function queryOfPage(): Promise<string> {
  const { routes } = await openWith({});
  const away = (await new Browser(routes).request('/sign-in/discord')).headers.get('location') ?? '';
  return new URL(away).search.slice(1);
}

const [owner, moderator, member] = await people();

test('members sign in with the highest role that they have', async () => {
  const { routes, access } = await openWith({ viewer: ['everyone'], editor: ['managers'], admin: ['administrators'] });
  const browsers = await Promise.all(
    [owner, moderator, member].map(async (handle) => {
      const browser = new Browser(routes);
      expect((await signInAs(browser, handle)).headers.get('location')).toBe('/');
      return browser;
    }),
  );

  expect((await access.people()).map(({ kind, role }) => `${kind} ${role}`).toSorted()).toEqual([
    'discord admin',
    'discord editor',
    'discord viewer',
  ]);
  for (const browser of browsers) expect((await browser.request('/overview')).status).toBe(200);
  expect(browsers.map(({ cookies }) => [...cookies.keys()])).toEqual([['fanfare'], ['fanfare'], ['fanfare']]);
});

test('the page of the sign-in has a button for Discord', async () => {
  const { routes } = await openWith({});

  expect(await (await new Browser(routes).request('/sign-in')).text()).toContain('href="/sign-in/discord"');
});

test('a user without a role does not sign in, and loses the session of a role that was removed', async () => {
  const { routes, access } = await openWith({ editor: ['managers'] });
  const [mine, other] = [new Browser(routes), new Browser(routes)];
  expect((await signInAs(other, member)).status).toBe(403);
  await signInAs(mine, moderator);
  const [person] = await access.people();

  await access.signInWithDiscord(
    { id: person?.id.replace('discord:', '') ?? '', name: 'x', memberships: [] },
    { roles: { viewer: [], editor: [], admin: [] }, address: '::1' },
  );

  expect((await mine.request('/overview')).status).toBe(303);
  expect(await access.people()).toEqual([]);
});

test('only listed servers count', async () => {
  const { routes } = await openWith({ admin: ['administrators'] }, { servers: [SECOND_GUILD_ID] });

  expect((await signInAs(new Browser(routes), moderator)).status).toBe(403);
});

test('an answer belongs to the browser that began the sign-in, and is valid once', async () => {
  const { routes } = await openWith({ viewer: ['everyone'] });
  const [attacker, victim] = [new Browser(routes), new Browser(routes)];
  const back = await confirm(attacker, owner);

  // A browser without a sign-in, or with another one: the code would sign the victim in as the attacker.
  expect((await victim.request(`${back.pathname}${back.search}`)).status).toBe(400);
  await victim.request('/sign-in/discord');
  expect((await victim.request(`${back.pathname}${back.search}`)).status).toBe(400);
  const cookie = attacker.cookies.get('fanfare-discord') ?? '';
  expect((await attacker.request(`${back.pathname}${back.search}`)).status).toBe(303);
  attacker.cookies.set('fanfare-discord', cookie);
  expect((await attacker.request(`${back.pathname}${back.search}`)).status).toBe(400);
});

test('a stolen code is useless without the proof key, and a cancelled sign-in is reported', async () => {
  const { routes } = await openWith({ viewer: ['everyone'] });
  const [owned, thief] = [new Browser(routes), new Browser(routes)];
  const code = (await confirm(owned, owner)).searchParams.get('code');
  const state = new URL((await thief.request('/sign-in/discord')).headers.get('location') ?? '').searchParams.get('state');

  expect((await thief.request(`/sign-in/discord/callback?code=${code}&state=${state}`)).status).toBe(400);
  await owned.request('/sign-in/discord');
  expect((await owned.request('/sign-in/discord/callback?error=access_denied&state=x')).status).toBe(400);
  expect([...owned.cookies.keys(), ...thief.cookies.keys()]).not.toContain('fanfare');
});

test('a wrong client secret and a Discord that does not answer are reported without a session', async () => {
  const { routes } = await openWith({ viewer: ['everyone'] }, { clientSecret: 'wrong' });

  expect((await signInAs(new Browser(routes), owner)).status).toBe(400);
});

test.for([
  [{ viewer: ['everyone'] }, 'viewer'],
  [{ viewer: ['everyone'], editor: ['7'] }, 'editor'],
  [{ editor: ['7'], admin: ['8'] }, 'editor'],
  [{ admin: ['managers'] }, 'admin'],
  [{ admin: ['administrators'], viewer: ['8'] }, undefined],
] as const satisfies readonly (readonly [Partial<DiscordRoles>, string | undefined])[])(
  '%j gives a manager with the role 7: %s',
  ([roles, role]) => {
    const user = { id: '1', name: 'Ada', memberships: [{ roles: ['7'], isAdministrator: false, canManageServer: true }] };

    expect(personOfDiscord(user, { viewer: [], editor: [], admin: [], ...roles })?.role).toBe(role);
  },
);
