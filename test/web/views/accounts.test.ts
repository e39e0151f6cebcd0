import { describe, expect, test } from 'vitest';
import type { CheckResult } from '#src/admin/doctor/check-result.ts';
import type { SignInAccount } from '#src/admin/actions/account-actions.ts';
import type { StatusView } from '#src/admin/queries/status-answer.ts';
import type { Operations } from '#src/web/api/operations.ts';
import { createApiClient } from '#src/web/client/client.ts';
import { accounts } from '#src/web/views/accounts.ts';
import { formsIn } from '../../support/page-forms.ts';
import { noOperations } from '../../support/operations.ts';
import { shownOf, textOf } from '../../support/page-text.ts';
import { minutesAgo } from '../../support/view-records.ts';
import { Browser } from '../auth/browser.ts';
import { openSite } from '../open-site.ts';

const ATTACK = '</script><script>document.title="taken"</script><!--"\'><img src=x onerror=alert(1)>';
const PASSWORD = 'correct horse battery';
const ACCOUNTS: readonly SignInAccount[] = [
  { account: 'news', platform: 'mastodon', method: 'browser' },
  { account: 'bluesky', platform: 'bluesky', method: 'password' },
  { account: 'twitch', platform: 'twitch', method: 'credentials', channel: true },
];
const CHECKS: readonly CheckResult[] = [
  { about: 'the clock', state: 'good', what: 'differs by 0.2 s' },
  { about: 'news', state: 'bad', what: 'the access was revoked', remedy: 'Run: fanfare auth news' },
];
const STATUS: Partial<StatusView> = {
  accounts: [
    {
      account: 'news',
      platform: 'mastodon',
      sandbox: false,
      state: 'failed',
      problem: 'The token is invalid.',
      isRefused: true,
      since: minutesAgo(9),
    },
    { account: 'bluesky', platform: 'bluesky', sandbox: false, state: 'connecting', isRefused: false },
    { account: 'twitch', platform: 'twitch', sandbox: true, state: 'connected', isRefused: false },
  ],
  budgets: [{ account: 'news', spentUsd: 3.5, monthUsd: 10 }],
  rateLimits: [{ account: 'bluesky', leftRatio: 0.25 }],
};

interface PageOptions {
  readonly over?: Partial<Operations>;
  readonly status?: Partial<StatusView>;
  readonly language?: string;
}

async function pageOf(path: string, { over = {}, status = STATUS, language = 'en' }: PageOptions = {}): Promise<string> {
  const operations = { ...noOperations, accounts: () => Promise.resolve(ACCOUNTS), checks: () => Promise.resolve(CHECKS), ...over };
  const { routes, apiQueries } = await openSite({ operations });
  apiQueries.statusChanges = status;
  return (await routes.request(path, { headers: { 'accept-language': language } })).text();
}

test('the checks run again after an action, and not after a new connection', async () => {
  const address = { parameters: {}, query: { check: 'yes' } };
  let runs = 0;
  const checks = () => Promise.resolve([{ about: 'news', state: 'good', what: `run ${(runs += 1)}` }] as const);
  const { routes } = await openSite({ operations: { ...noOperations, accounts: () => Promise.resolve(ACCOUNTS), checks } });
  const client = createApiClient({ url: 'http://localhost', fetch: async (input, init) => routes.request(new Request(input, init)) });

  const first = await accounts.load(client, address, 'en');
  const connected = await accounts.load(client, address, 'en', { data: first, isActedOn: false });
  const acted = await accounts.load(client, address, 'en', { data: connected, isActedOn: true });

  expect([first, connected, acted].map((one) => one.checks?.map(({ message }) => message))).toEqual([['run 1'], ['run 1'], ['run 2']]);
});

describe('the accounts', () => {
  test('show their platform, state, problem, budget and limits', async () => {
    const text = textOf(await pageOf('/accounts'));

    expect(text).toMatch(
      /news refused mastodon signs in in a browser since .* \$3\.50 of \$10\.00 this month The token is invalid\. Sign in/u,
    );
    expect(text).toMatch(/bluesky connecting bluesky signs in with an app password 25% of the rate limits left/u);
    expect(text).toMatch(/twitch connected twitch signs in with credentials of the configuration simulated by the sandbox Check/u);
  });

  test('are in German for German readers', async () => {
    const text = textOf(await pageOf('/accounts?check=yes', { language: 'de' }));

    expect(text).toMatch(/^Konten .*news abgelehnt mastodon .*3,50\s\$ von 10,00\s\$ in diesem Monat/u);
    expect(text).toContain('Fehler the access was revoked Abhilfe: Run: fanfare auth news');
  });

  const DAYS = [
    { day: '2026-11-18', leastLeftRatio: 0.5 },
    { day: '2026-11-20', spentUsd: 0.005, leastLeftRatio: 0.12 },
    { day: '2026-11-21', spentUsd: 0.5 },
  ];
  const accountUsage = (account: string) => Promise.resolve(account === 'news' ? DAYS : []);

  test.for([
    [
      'en',
      /Last 30 days \(news\) Spending of each day \(UTC\), at most \$0\.50 .*Smallest rest of the rate limits of each day \(UTC\), at least 12% .*21 Nov \$0\.50 spent 20 Nov \$0\.005 spent 12% of the limits left 18 Nov 50% of the limits left/u,
    ],
    [
      'de',
      /Die letzten 30 Tage \(news\) Ausgaben je Tag \(UTC\), höchstens 0,50\s\$ .*Kleinster Rest der Ratenlimits je Tag \(UTC\), mindestens 12\s% .*21\. Nov\.? 0,50\s\$ ausgegeben 20\. Nov\.? 0,005\s\$ ausgegeben 12\s% der Limits übrig 18\. Nov\.? 50\s% der Limits übrig/u,
    ],
  ] as const)('show the last days of accounts that have some, as bars and as texts, in %s', async ([language, text]) => {
    const page = await pageOf('/accounts', { over: { accountUsage }, language });

    expect(textOf(page)).toMatch(text);
    expect(page.match(/<summary>(?:Last 30 days|Die letzten 30 Tage)/gu)).toHaveLength(1);
    const [spending = '', limits = ''] = page.match(/<svg class="sparkline".*?<\/svg>/gsu) ?? [];
    const heights = (svg: string) =>
      [...svg.matchAll(/<rect[^>]* x="(\d+)"[^>]* height="(\d+)"/gu)].map(([, x, height]) => `${x} ${height}`);
    expect(heights(spending)).toEqual(['252 1', '261 20']);
    expect(heights(limits)).toEqual(['234 10', '252 2']);
  });

  test('are shown without the last days while the database does not answer', async () => {
    const lost = { ...STATUS, budgets: undefined };

    const page = await pageOf('/accounts', { over: { accountUsage: () => Promise.reject(new Error('no connection')) }, status: lost });

    expect(textOf(page)).toContain('The token is invalid.');
    expect(page).not.toContain('<summary>Last 30 days');
  });

  test('without spending, and with all limits used up, have bars too', async () => {
    const days = [{ day: '2026-11-20', spentUsd: 0, leastLeftRatio: 0 }, { day: '2026-11-21' }];

    const page = await pageOf('/accounts', { over: { accountUsage: () => Promise.resolve(days) } });

    expect(textOf(page)).toContain('20 Nov $0.00 spent 0% of the limits left');
    expect(page).not.toMatch(/\bNaN\b/u);
    expect(page).not.toContain('21 Nov');
  });

  test('have a field for the app password that browsers do not fill with the password of the page', async () => {
    const [field = ''] = /<input[^>]* type="password"[^>]*>/u.exec(await pageOf('/accounts')) ?? [];

    // Browsers ignore `off` in such a field.
    expect(field).toContain('autocomplete="new-password"');
  });

  test('have the forms of their method, and the forms have no secret', async () => {
    expect(formsIn(await pageOf('/accounts'))).toEqual([
      ['signInAccount', { account: 'news' }],
      ['signOutAccount', { account: 'news' }],
      ['confirmAccount', { account: 'news' }],
      ['signInAccount', { account: 'bluesky' }],
      ['signOutAccount', { account: 'bluesky' }],
      ['signInAccount', { account: 'twitch' }],
      ['signInAccount', { account: 'twitch', channel: true }],
      ['signOutAccount', { account: 'twitch' }],
    ]);
  });

  test('a form sends nothing in an address, even without the script', async () => {
    const forms = [...(await pageOf('/accounts')).matchAll(/<form [^>]*data-operation[^>]*>/gu)].map(([form]) => form);

    expect(forms).toHaveLength(8);
    expect(forms.filter((form) => !form.includes('method="post"'))).toEqual([]);
  });

  test.for([
    ['en', 'Sign in to the channel of twitch Code: CODE7', 'Waits for the confirmation. The code expires at'],
    ['de', 'Anmeldung des Kanals: twitch Code: CODE7', 'Wartet auf die Bestätigung. Der Code läuft ab um'],
  ] as const)('show the code of a sign-in to a channel that waits, in %s', async ([language, code, waits]) => {
    const url = 'https://www.twitch.tv/activate?device-code=CODE7';
    const signIn = { state: 'waiting', code: 'CODE7', url, expiresAt: minutesAgo(-9), scopes: [{ name: ATTACK, why: ATTACK }] } as const;
    const channelSignIn = (account: string) => Promise.resolve(account === 'twitch' ? signIn : undefined);

    const page = await pageOf('/accounts', { over: { channelSignIn }, language });

    expect(textOf(page)).toContain(code);
    expect(textOf(page)).toContain(waits);
    expect(page).toContain(`href="${url}"`);
    expect(page).not.toContain('<img src=x');
  });

  test('show no code that has expired, and no earlier sign-in', async () => {
    const signIn = { code: 'CODE7', url: 'https://example.test/', expiresAt: minutesAgo(1), scopes: [] };
    for (const state of ['expired', 'done', 'failed'] as const)
      expect(await pageOf('/accounts', { over: { channelSignIn: () => Promise.resolve({ ...signIn, state }) } })).not.toContain('CODE7');
  });

  test('are checked on demand only', async () => {
    let count = 0;
    const checks = () => (count++, Promise.resolve(CHECKS));

    const first = textOf(await pageOf('/accounts', { over: { checks } }));
    expect([count, first.includes('revoked')]).toEqual([0, false]);
    await pageOf('/accounts?check=no', { over: { checks } });
    expect(count).toBe(0);
    const checked = textOf(await pageOf('/accounts?check=yes', { over: { checks } }));
    expect(count).toBe(1);
    expect(checked).toMatch(/The token is invalid\. error the access was revoked Remedy: Run: fanfare auth news Sign in/u);
    expect(checked).toMatch(/Check again good the clock : differs by 0\.2 s$/u);
  });

  test.for(['viewer', 'editor', 'admin'] as const)('a %s sees what the role allows', async (role) => {
    let count = 0;
    const checks = () => (count++, Promise.resolve(CHECKS));
    const operations = { ...noOperations, accounts: () => Promise.resolve(ACCOUNTS), checks };
    const { routes, access, apiQueries } = await openSite({ host: '0.0.0.0', allowedHosts: ['fanfare.example'], operations });
    apiQueries.statusChanges = STATUS;
    await access.addPerson({ name: 'reader', role, password: PASSWORD }, { name: 'root', via: 'cli', role: 'admin' });
    const browser = new Browser(routes, { address: '192.0.2.1' });
    await browser.signIn('reader', PASSWORD);

    const page = await (await browser.request('/accounts?check=yes')).text();

    expect(textOf(page)).toContain('The token is invalid.');
    expect(textOf(page).includes('Only the role admin')).toBe(role !== 'admin');
    expect(formsIn(page).length > 0).toBe(role === 'admin');
    expect(page.includes('name="check"')).toBe(role === 'admin');
    expect(page.includes('differs by')).toBe(role === 'admin');
    expect(count).toBe(role === 'admin' ? 1 : 0);
  });

  test('names, problems and checks stay texts', async () => {
    const page = await pageOf('/accounts?check=yes', {
      over: {
        accounts: () => Promise.resolve([{ account: ATTACK, platform: ATTACK, method: 'password' }]),
        checks: () => Promise.resolve([ATTACK, 'x'].map((about) => ({ about, state: 'bad', what: ATTACK, remedy: ATTACK }))),
      },
      status: { accounts: [{ account: ATTACK, platform: ATTACK, sandbox: false, state: 'failed', problem: ATTACK, isRefused: false }] },
    });

    expect(page.match(/<script/gu)).toHaveLength(2);
    expect(page).not.toMatch(/<img src=x|<!--/u);
    expect(shownOf(page)).toMatchObject({ data: { accounts: [{ account: ATTACK, problem: ATTACK }] } });
  });

  test('without accounts, the page names the command that adds one', async () => {
    const page = await pageOf('/accounts', { over: { accounts: () => Promise.resolve([]) }, status: {} });

    expect(textOf(page)).toContain('There are no accounts. This command adds one: npx fanfare auth');
  });
});

test('GET /api/checks answers with the checks', async () => {
  const checks = JSON.parse(await pageOf('/api/checks'));

  expect(checks).toEqual({
    items: [
      { about: 'the clock', state: 'good', message: 'differs by 0.2 s' },
      { about: 'news', state: 'bad', message: 'the access was revoked', remedy: 'Run: fanfare auth news' },
    ],
  });
});
