import { fetch } from 'undici';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '#sandbox/index.ts';
import { describe as describeAccount } from '#src/admin/accounts/account-actions.ts';
import type { SignInAccount } from '#src/admin/actions/account-actions.ts';
import type { CheckResult } from '#src/admin/doctor/check-result.ts';
import { readInPage } from '#src/admin/accounts/page-sign-in.ts';
import { signInTo } from '#src/app/open-sign-in.ts';
import { storedTokensIn } from '#src/app/stored-tokens.ts';
import { systemClock } from '#src/clock.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { createLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import { allowAccess } from '../support/allow-access.ts';
import { hasChromium, useChromium } from '../support/chromium.ts';
import { FakeApiQueries } from '../support/fake-api-queries.ts';
import { noOperations } from '../support/operations.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { minutesAgo } from '../support/view-records.ts';
import { ATTACK, flawsOf, openPage, PRESSES, SIZED_PRESSES, seriousFindings, type OpenedPage, type OpenPageOptions } from './open-page.ts';

/** An account of each method, with foreign texts. */
const HOSTILE: readonly SignInAccount[] = (['browser', 'password', 'credentials'] as const).map((method) => ({
  account: `${method} ${ATTACK}`,
  platform: ATTACK,
  method,
}));
const CHECKS: readonly CheckResult[] = [
  { about: 'the clock', state: 'good', what: 'differs by 0.2 s' },
  { about: ATTACK, state: 'warning', what: ATTACK, remedy: ATTACK },
  { about: 'mastodon', state: 'bad', what: 'is not signed in', remedy: ATTACK },
];

/** 30 days without the fifth one. */
const USAGE = Array.from({ length: 30 }, (_, index) => ({
  day: new Date(Date.parse('2026-10-22') + index * 86_400_000).toISOString().slice(0, 10),
  spentUsd: (index % 7) / 10,
  leastLeftRatio: 1 - index / 30,
})).filter((_, index) => index !== 4);

interface Opened extends OpenedPage {
  /** The app password of the account of Bluesky. */
  readonly password: string;
  readonly sandboxUrl: string;
  /** What the page requested: the addresses, and the keys for repeats. */
  readonly requests: readonly string[];
  /** The log lines and the log of actions. */
  logged(): Promise<string>;
  /** The actions with their outcomes, oldest first. */
  done(): Promise<readonly string[]>;
}

describe.runIf(hasChromium)('the accounts in a browser', () => {
  const browser = useChromium();

  async function open(path: string, options: OpenPageOptions = {}): Promise<Opened> {
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(temporaryFolder());
    const sandbox = stack.use(await startSandbox({}));
    const store = stack.use(await openStore({ clock: systemClock }));
    const { MASTODON_URL: url = '' } = sandbox.onRequest['mastodon'] ?? {};
    const { BLUESKY_APP_PASSWORD: password = '', ...bluesky } = sandbox.onRequest['bluesky'] ?? {};
    const twitch = Object.fromEntries(Object.entries(sandbox.environment).filter(([name]) => name.startsWith('TWITCH_')));
    const config = configOfEnvironment({ ...twitch, ...bluesky, MASTODON_URL: url, FANFARE_DATA: folder.path });
    const closing = new AbortController();
    stack.defer(() => closing.abort());
    const lines: string[] = [];
    const log = createLog({ level: 'debug', secrets: [], write: (line) => void lines.push(line), color: false });
    const operations = {
      ...noOperations,
      actions: { ...noOperations.actions, ...signInTo({ config, store, clock: systemClock, log, closing: closing.signal }) },
      accounts: () => Promise.resolve([...config.accounts.map(describeAccount), ...HOSTILE]),
      accountUsage: (account: string) => Promise.resolve(account === 'mastodon' || account.includes('password') ? USAGE : []),
      channelSignIn: (account: string) => readInPage(account, { tokensOf: storedTokensIn(store, config, log), clock: systemClock }),
      checks: () => Promise.resolve(CHECKS),
      auditLog: store.auditLog,
      repeatedRequests: store.repeatedRequests,
    };
    const apiQueries = new FakeApiQueries();
    const state = {
      platform: 'mastodon',
      sandbox: false,
      isRefused: true,
      state: 'failed',
      problem: ATTACK,
      since: minutesAgo(9),
    } as const;
    apiQueries.statusChanges = {
      accounts: ['mastodon', ...HOSTILE.map(({ account }) => account)].map((account) => ({ account, ...state })),
      budgets: [{ account: 'mastodon', spentUsd: 3.5, monthUsd: 10 }],
      rateLimits: [{ account: 'mastodon', leftRatio: 0.25 }],
    };
    const opened = stack.use(await openPage(browser(), path, { apiQueries, operations }, options));
    const requests: string[] = [];
    opened.page.on('request', (request) => requests.push(`${request.url()} ${request.headers()['idempotency-key'] ?? ''}`));
    const actions = async () => (await store.auditLog.list()).items.toReversed();
    const moved = stack.move();
    return {
      ...opened,
      password,
      sandboxUrl: sandbox.url,
      requests,
      logged: async () => lines.join('') + JSON.stringify(await actions()),
      done: async () => (await actions()).map(({ action, target, outcome }) => `${action} ${target} ${outcome}`),
      [Symbol.asyncDispose]: () => moved.disposeAsync(),
    };
  }

  test.for(['/accounts', '/accounts?check=yes'])('axe finds nothing serious, and nothing is wider than the window: %s', async (path) => {
    await using opened = await open(path);
    const { page } = opened;
    await page.getByRole('button', { name: 'Sign in (mastodon)' }).click();
    await page.getByRole('heading', { name: 'Sign in to mastodon' }).waitFor();

    expect(await flawsOf(page)).toEqual([]);
    expect(await page.title()).not.toBe('taken');
    expect(opened.errors).toEqual([]);
  });

  test.for([...PRESSES.map((one) => ({ locale: 'en-GB', ...one })), { locale: 'de', ...PRESSES[0] }])(
    'the last 30 days unfold, $how, $locale',
    async ({ press, locale }) => {
      await using opened = await open('/accounts', { locale });
      const { page } = opened;
      const isGerman = locale === 'de';
      const account = page.locator('li', { has: page.locator('bdi', { hasText: /^mastodon$/u }) });
      const bars = account.locator('svg.sparkline');
      expect(await bars.first().isVisible()).toBe(false);

      await press(account.locator('summary').first());

      await bars.first().waitFor();
      expect(await bars.count()).toBe(2);
      expect(await bars.first().locator('rect').count()).toBe(29);
      const spending = isGerman ? 'Ausgaben je Tag (UTC), höchstens 0,60\u00a0$' : 'Spending of each day (UTC), at most $0.60';
      await account.getByRole('img', { name: spending }).waitFor();
      await account
        .getByText(isGerman ? '0,10\u00a0$ ausgegeben' : '$0.10 spent')
        .first()
        .waitFor();
      expect(await account.locator('.usage-days li').count()).toBe(29);
      expect(await flawsOf(page)).toEqual([]);
      expect(opened.errors).toEqual([]);
    },
  );

  test('the last 30 days unfold without JavaScript', async () => {
    await using opened = await open('/accounts', { javaScriptEnabled: false });
    const { page } = opened;

    await page.locator('summary').first().click();

    expect(await page.getByRole('img', { name: 'Spending of each day (UTC), at most $0.60' }).count()).toBe(1);
  });

  test.for(SIZED_PRESSES)('an account signs in in a browser and out, $how, $size.width pixels wide', async ({ size, press }) => {
    await using opened = await open('/accounts', { size });
    const { page } = opened;

    await press(page.getByRole('button', { name: 'Sign in (mastodon)' }));
    const link = page.getByRole('link', { name: 'Open the page of the platform' });
    await link.waitFor();
    await page.locator('[data-answer]:focus').waitFor();
    const address = await allowAccess((await link.getAttribute('href')) ?? '');
    const field = page.locator('[data-answer]').getByLabel('Address of the last page');
    await field.fill(address.replace('state=', 'state=x'));
    await press(page.locator('[data-answer]').getByRole('button', { name: 'Finish the sign-in' }));
    await page.getByRole('alert').getByText('does not belong to this sign-in').waitFor();
    await field.fill(address);
    await press(page.locator('[data-answer]').getByRole('button', { name: 'Finish the sign-in' }));
    await page.getByText('signed in as @fanfare').waitFor();
    await link.waitFor({ state: 'detached' });

    const signOut = page.getByRole('button', { name: 'Sign out (mastodon)' });
    await press(signOut);
    await press(page.getByRole('dialog').getByRole('button', { name: 'Cancel' }));
    await press(signOut);
    await press(page.getByRole('dialog').getByRole('button', { name: 'Yes' }));
    await page.getByText('mastodon is signed out.').waitFor();

    expect(await opened.done()).toEqual([
      'signInAccount mastodon done',
      'confirmAccount mastodon refused',
      'confirmAccount mastodon done',
      'signOutAccount mastodon done',
    ]);
    const code = new URL(address).searchParams.get('code') ?? '?';
    await page.reload();
    for (const text of [...opened.requests, await page.content(), await opened.logged()]) expect(text).not.toContain(code);
  });

  test.for(PRESSES)('a sign-in in a browser is finished after the page was loaded again, $how', async ({ press }) => {
    await using opened = await open('/accounts');
    const { page } = opened;
    await press(page.getByRole('button', { name: 'Sign in (mastodon)' }));
    const link = page.getByRole('link', { name: 'Open the page of the platform' });
    const address = await allowAccess((await link.getAttribute('href')) ?? '');

    // A phone loads a page again that was in the background.
    await page.reload();
    await page.locator('#connection[data-state="live"]').waitFor();
    await press(page.locator('summary', { hasText: 'Finish the sign-in (mastodon)' }));
    await page.getByLabel('Address of the last page').and(page.locator(':visible')).fill(address);
    await press(page.getByRole('button', { name: 'Finish the sign-in' }).and(page.locator(':visible')));

    await page.getByText('signed in as @fanfare').waitFor();
    expect(await opened.done()).toEqual(['signInAccount mastodon done', 'confirmAccount mastodon done']);
  });

  // Such a press can come before the `close` event of the dialog.
  test.for(['the same', 'another'])('a press of %s button right after a question was cancelled asks its question', async (which) => {
    await using opened = await open('/accounts');
    const { page } = opened;
    const signOut = page.getByRole('button', { name: 'Sign out (mastodon)' });
    const first = which === 'the same' ? signOut : page.getByRole('button', { name: /^Sign out \(password/u });
    await signOut.evaluate((button) => (button.id = 'next'));
    await first.click();

    await page.evaluate(`(async () => {
      document.querySelector('#confirm button[autofocus]').click();
      for (let turn = 0; turn < 20; turn += 1) await undefined;
      document.querySelector('#next').click();
    })()`);
    await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click();
    await page.getByText('mastodon is signed out.').waitFor();

    expect(await opened.done()).toEqual(['signOutAccount mastodon unchanged']);
  });

  test.for(PRESSES)('a channel signs in with a code, $how', async ({ press }) => {
    await using opened = await open('/accounts');
    const { page, sandboxUrl } = opened;

    await press(page.getByRole('button', { name: 'Sign in to the channel (twitch)' }));
    await page.getByRole('link', { name: 'Open the page of the platform, sign in as the channel' }).waitFor();
    const code = await page.locator('[data-answer] strong code').textContent();
    await page.reload();
    await page.locator('[data-answer] strong code', { hasText: code ?? '' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    const body = JSON.stringify({ code, user: 'ada', scopes: [] });
    await fetch(`${sandboxUrl}/control/twitch/activate`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    await page.getByText('moderator:read:followers').waitFor();
    await page.locator('[data-answer] strong code').waitFor({ state: 'detached' });
    // The person is on the page of the platform, so a screen reader has to announce it.
    await page.getByRole('status').getByText('twitch: ada').waitFor();

    expect(await opened.done()).toEqual(['signInAccount twitch done']);
    expect(opened.errors).toEqual([]);
  });

  test.for([
    {
      locale: 'en-GB',
      button: 'Sign out of the channel (twitch)',
      yes: 'Yes',
      kept: 'Everything else goes on.',
      done: 'The channel of twitch is signed out.',
    },
    {
      locale: 'de',
      button: 'Kanal abmelden (twitch)',
      yes: 'Ja',
      kept: 'Alles andere läuft weiter.',
      done: 'Der Kanal von twitch ist abgemeldet.',
    },
  ])('the question before a channel is signed out says that the account stays, $locale', async ({ locale, button, yes, kept, done }) => {
    await using opened = await open('/accounts', { locale });
    const { page } = opened;

    await page.getByRole('button', { name: button }).click();
    await page.getByRole('dialog').getByText(kept).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: yes }).click();

    await page.getByText(done).waitFor();
    expect(await opened.done()).toEqual(['signOutAccount twitch unchanged']);
  });

  test.for(PRESSES)('an app password signs in, and is not kept, $how', async ({ press }) => {
    await using opened = await open('/accounts');
    const { page, password } = opened;
    const field = page.getByLabel('App password (bluesky)');
    const signIn = page.getByRole('button', { name: 'Sign in (bluesky)' });

    await field.fill('wron-gone-wron-gone');
    await press(signIn);
    await page.getByRole('alert').getByText('bluesky').waitFor();
    expect(await field.inputValue()).toBe('wron-gone-wron-gone');
    await field.fill(password);
    await press(signIn);
    await page.getByText('signed in as @').waitFor();

    expect(await field.inputValue()).toBe('');
    expect(page.url()).toMatch(/\/accounts$/u);
    for (const text of [...opened.requests, await page.content(), await opened.logged()]) {
      expect(text).not.toContain(password);
      expect(text).not.toContain('wron-gone');
    }
  });

  test.for([true, false])('the installation is checked on demand, with JavaScript: %s', async (javaScriptEnabled) => {
    await using opened = await open('/accounts', { javaScriptEnabled });
    const { page } = opened;
    expect(await page.getByText('differs by 0.2 s').count()).toBe(0);

    await page.getByRole('button', { name: 'Check the installation' }).press('Enter');
    await page.getByText('differs by 0.2 s').waitFor();

    expect(page.url()).toMatch(/\/accounts\?check=yes#checks$/u);
    expect(await page.locator('li', { hasText: 'is not signed in' }).count()).toBe(1);
    // A browser does not load an equal address with a fragment again.
    for (let round = 0; round < 2; round++) {
      const [again] = await Promise.all([
        page.waitForRequest(/\/accounts\?check=/u, { timeout: 5000 }),
        page.getByRole('button', { name: 'Check again' }).press('Enter'),
      ]);
      await again.response();
      await page.getByText('differs by 0.2 s').waitFor();
    }
    await page
      .locator('form.act')
      .first()
      .waitFor({ state: javaScriptEnabled ? 'visible' : 'hidden' });
  });

  test('the key of the accounts opens them', async () => {
    await using opened = await open('/settings');

    await opened.page.keyboard.press('a');

    await opened.page.waitForURL(/\/accounts$/u);

    expect(await opened.page.getByRole('heading', { level: 1 }).textContent()).toBe('Accounts');
  });
});
