import { expect, onTestFinished, test } from 'vitest';
import { mastodon } from '#adapters/mastodon/index.ts';
import { startSandbox } from '#sandbox/index.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { signInTo } from '#src/app/open-sign-in.ts';
import { storedTokensIn } from '#src/app/stored-tokens.ts';
import { systemClock, type Clock } from '#src/clock.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { silentLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import { allowAccess } from '../../support/allow-access.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ADMIN = { name: 'ada', via: 'api', role: 'admin', origin: '192.0.2.7' } as const;
const NOW_MS = Date.parse('2026-11-20T18:00:00Z');

/** Two processes on one state, with an account of Mastodon that is not signed in, and one of Bluesky. */
async function openTwo(clock: Clock = systemClock) {
  const sandbox = await startSandbox({});
  const folder = temporaryFolder();
  const store = await openStore({ clock });
  onTestFinished(async () => {
    await store[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
    await sandbox[Symbol.asyncDispose]();
  });
  const { MASTODON_URL: url = '' } = sandbox.onRequest['mastodon'] ?? {};
  const { BLUESKY_APP_PASSWORD: password = '', ...bluesky } = sandbox.onRequest['bluesky'] ?? {};
  const { X_BEARER_TOKEN: _, ...x } = sandbox.onRequest['x'] ?? {};
  const config = configOfEnvironment({ ...bluesky, ...x, MASTODON_URL: url, FANFARE_DATA: folder.path });
  const [here, there] = [1, 2].map(() => signInTo({ config, store, clock, log: silentLog }));
  if (!here || !there) throw new Error('there are two processes');
  return { here, there, store, config, url, password };
}

test('a sign-in in a browser is begun by one process and finished by another, once', async () => {
  const { here, there, store, config, url } = await openTwo();
  const begun = await here.signInAccount({ account: 'mastodon', port: 8082 }, ADMIN);
  if (!('url' in begun)) throw new Error('it needs no browser');
  const address = await allowAccess(begun.url);
  const confirm = (typed: string) => there.confirmAccount({ account: 'mastodon', address: typed }, ADMIN);

  await expect(confirm(address.replace('state=', 'state=x'))).rejects.toThrow('does not belong to this sign-in');
  const both = await Promise.allSettled([confirm(address), confirm(address)]);
  // The running bot of another process uses the tokens, and stops to after the sign-out.
  const bot = new SocialAsync({ platform: mastodon({ url, tokens: storedTokensIn(store, config, silentLog)('mastodon') }) });
  const { handle } = await bot.getUserInfo();
  const signedOut = await there.signOutAccount({ account: 'mastodon' }, ADMIN);
  await there.signOutAccount({ account: 'mastodon' }, ADMIN);

  expect(both.map(({ status }) => status).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(['fulfilled', 'rejected']);
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'noSignIn' } });
  expect(both.find(({ status }) => status === 'fulfilled')).toMatchObject({
    value: { who: expect.stringContaining(`@${handle}`), missing: [] },
  });
  expect(signedOut).toEqual({ account: 'mastodon', platform: 'mastodon', method: 'browser' });
  await expect(bot.getUserInfo()).rejects.toMatchObject({ fault: 'unauthorized' });
  const { items } = await store.auditLog.list();
  expect(items.map(({ action, outcome, by }) => [action, outcome, by.origin]).toReversed()).toEqual([
    ['signInAccount', 'done', '192.0.2.7'],
    ['confirmAccount', 'refused', '192.0.2.7'],
    ['confirmAccount', 'done', '192.0.2.7'],
    ['confirmAccount', 'refused', '192.0.2.7'],
    ['signOutAccount', 'done', '192.0.2.7'],
    ['signOutAccount', 'unchanged', '192.0.2.7'],
  ]);
  const code = new URL(address).searchParams.get('code') ?? '?';
  expect(JSON.stringify(items)).not.toContain(code);
});

test('a sign-in in a browser is open for 10 minutes', async () => {
  const clock = new ManualClock(NOW_MS);
  const { here } = await openTwo(clock);
  const begun = await here.signInAccount({ account: 'mastodon', port: 8082 }, ADMIN);
  const address = await allowAccess('url' in begun ? begun.url : '');
  await clock.advance(10 * 60_000);

  await expect(here.confirmAccount({ account: 'mastodon', address }, ADMIN)).rejects.toMatchObject({ code: 'noSignIn' });
});

test('an app password signs in at once, and is in no log', async () => {
  const { here, store, password } = await openTwo();
  const signIn = (typed: string) => here.signInAccount({ account: 'bluesky', password: typed, port: 8082 }, ADMIN);

  await expect(signIn('wron-gone-wron-gone')).rejects.toMatchObject({ fault: 'unauthorized' });
  expect(await signIn(password)).toEqual({ who: expect.stringContaining('signed in as @') });
  expect(JSON.stringify((await store.auditLog.list()).items)).not.toMatch(new RegExp(`${password}|wron-gone`, 'u'));
});

test('an account that does not exist, one with credentials, and an editor are refused', async () => {
  const { here } = await openTwo();

  await expect(here.signInAccount({ account: 'none', port: 8082 }, ADMIN)).rejects.toMatchObject({ code: 'accountNotFound' });
  await expect(here.confirmAccount({ account: 'bluesky', address: 'x' }, ADMIN)).rejects.toMatchObject({ code: 'noSignIn' });
  await expect(here.signOutAccount({ account: 'mastodon' }, { ...ADMIN, role: 'editor' })).rejects.toThrow('ada needs the role admin');
});
