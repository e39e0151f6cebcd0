import { describe, expect, test } from 'vitest';
import type { StatusView } from '#src/admin/queries/status-answer.ts';
import { formsIn } from '../../support/page-forms.ts';
import { shownOf, textOf } from '../../support/page-text.ts';
import { decision, delivery, minutesAgo, NOW, rule } from '../../support/view-records.ts';
import { Browser } from '../auth/browser.ts';
import { openSite } from '../open-site.ts';

const ATTACK = '</script><script>document.title="taken"</script><!--"\'><img src=x onerror=alert(1)>';

const account = { account: 'x', platform: 'x', sandbox: false, state: 'connected', isRefused: false } as const;
const problem = {
  severity: 'error',
  code: 'unknown-key',
  file: 'rules/a.yaml',
  line: 4,
  column: 3,
  path: 'when',
  message: 'unknown key evry',
  hint: 'Did you mean every?',
  excerpt: '  evry: 10s',
} as const;
const question = { delivery: 'q1', rule: 'vote', account: 'discord', name: 'Ada', text: 'Post it?', choices: ['send', 'drop'], at: NOW };
const liveStream = {
  key: 'twitch/7',
  name: 'Ada',
  url: 'https://twitch.test/ada',
  title: 'Ranked',
  game: 'Chess',
  viewers: 12_345,
  startedAt: minutesAgo(95),
  announcements: [
    {
      delivery: 'd7',
      rule: 'live-card',
      do: 'discord.put',
      account: 'discord',
      url: 'https://discord.test/7',
      at: minutesAgo(2),
      changes: 3,
    },
  ],
} as const;

interface Page {
  readonly html: string;
  readonly text: string;
}

async function pageOf(changes: Partial<StatusView> = {}, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
  const { routes, apiQueries } = await openSite();
  apiQueries.statusChanges = changes;
  const html = await (await routes.request('/overview', { headers })).text();
  return { html, text: textOf(html) };
}

describe('the overview', () => {
  test('says in one line that nothing needs a person', async () => {
    const { text, html } = await pageOf();

    expect(text).toContain('Running');
    expect(text).toContain('Needs you ✓ Nothing needs you.');
    expect(formsIn(html)).toEqual([]);
  });

  test('lists what needs a person, with the button for each', async () => {
    const { routes, apiQueries } = await openSite();
    apiQueries.deliveryList = [
      delivery('d1', { state: 'unknown', account: 'x', item: { key: 'twitch/7', name: 'Ada' }, message: 'x did not answer' }),
      delivery('d2', { state: 'failed', message: 'the text is too long' }),
      delivery('d3'),
    ];
    apiQueries.ruleList = [rule('loud', { paused: { at: NOW, by: 'ada (Discord)' } }), rule('fine')];
    apiQueries.statusChanges = { questions: [question] };

    const page = await (await routes.request('/overview')).text();

    expect(formsIn(page)).toEqual([
      ['resolveDelivery', { delivery: 'd1', resolution: 'sent' }],
      ['resolveDelivery', { delivery: 'd1', resolution: 'again' }],
      ['answerDelivery', { delivery: 'q1', choice: 'send' }],
      ['answerDelivery', { delivery: 'q1', choice: 'drop' }],
      ['resendDelivery', { delivery: 'd2' }],
      ['resumeRule', { rule: 'loud' }],
    ]);
    const text = textOf(page);
    expect(text).toMatch(
      /unknown .*x did not answer.*question Ada → discord Post it\?.*failed .*too long.*paused loud .*paused by ada \(Discord\)/u,
    );
    expect(text).not.toContain('Nothing needs you');
    expect(page).not.toContain('/deliveries/d3');
  });

  test.for([
    ['en', 'This stream is over.'],
    ['de', 'Dieser Stream ist vorbei.'],
  ] as const)('says that the stream of a question is over, and shows its text without Markdown, %s', async ([language, over]) => {
    const { text } = await pageOf(
      { questions: [{ ...question, text: String.raw`Announce **Ada**? one more \(lie\)`, isOver: true }] },
      { 'accept-language': language },
    );

    expect(text).toContain(`Announce Ada? one more (lie) ${over}`);
    expect((await pageOf({ questions: [question] })).text).not.toContain(over);
  });

  test('links to all questions and to all files with errors if there are more', async () => {
    const page = async (count: number) => {
      const { routes, apiQueries } = await openSite();
      apiQueries.statusChanges = {
        questions: [question],
        brokenFiles: [{ file: 'rules/a.yaml', isRunning: false, diagnostics: [] }],
        rules: { on: 1, paused: 0, broken: count },
        deliveries: { open: count, asked: count, sent: 0, failed: 0, unknown: 0 },
      };
      return (await routes.request('/overview')).text();
    };

    expect(textOf(await page(1))).not.toContain('All ');
    expect(textOf(await page(12))).toMatch(/Post it\?.* All 12 .*rules\/a\.yaml.* All 12 /u);
    for (const address of ['/deliveries?state=asked', '/rules?state=broken']) expect(await page(12)).toContain(`href="${address}"`);
  });

  test('shows what failed in the last 24 hours, also after a day of retries', async () => {
    const minutes = 25 * 60;
    const { routes, apiQueries } = await openSite();
    apiQueries.deliveryList = [
      delivery('d1', { state: 'failed', text: 'retried', createdAt: minutesAgo(minutes), settledAt: minutesAgo(5) }),
      delivery('d2', { state: 'failed', text: 'long ago', createdAt: minutesAgo(minutes), settledAt: minutesAgo(minutes) }),
    ];

    const text = textOf(await (await routes.request('/overview')).text());

    expect([text.includes('retried'), text.includes('long ago')]).toEqual([true, false]);
  });

  test('leads to the failures of earlier days', async () => {
    const { html, text } = await pageOf({
      deliveries: { open: 0, asked: 0, sent: 1, failed: 0, lastFailedAt: new Date('2026-11-17T09:00:00Z'), unknown: 0 },
    });

    expect(text).toContain('1 sent last failure: 17 Nov, 09:00 UTC');
    expect(html).toContain('href="/deliveries?state=failed"');
  });

  test('asks the API for failed and unknown deliveries only if there are some', async () => {
    const { routes, apiQueries } = await openSite();
    apiQueries.deliveries = () => Promise.reject(new Error('not needed'));
    apiQueries.statusChanges = { deliveries: { open: 0, asked: 0, sent: 1, failed: 0, unknown: 0 } };

    expect((await routes.request('/overview')).status).toBe(200);
  });

  test('shows at most ten deliveries of a state, and links to all', async () => {
    const { routes, apiQueries } = await openSite();
    apiQueries.deliveryList = Array.from({ length: 25 }, (_, index) => delivery(`d${index}`, { state: 'unknown' }));

    const page = await (await routes.request('/overview')).text();

    expect(page.match(/class="what"/gu)).toHaveLength(10);
    expect(page).toContain('<a href="/deliveries?state=unknown">All 25</a>');
  });

  test('tells a refused account from an outage, and says what to do', async () => {
    const failed = { ...account, state: 'failed', problem: 'x: the token is not valid' } as const;
    const { html, text } = await pageOf({
      accounts: [
        { ...failed, isRefused: true },
        { ...failed, account: 'mastodon_de', platform: 'mastodon', problem: 'mastodon: HTTP 503', since: minutesAgo(9) },
      ],
    });

    expect(text).toMatch(/refused x x: the token is not valid Sign in again, and check the account or with npx fanfare auth x/u);
    expect(html).toContain('<a href="/accounts">Sign in again, and check the account</a>');
    expect(text).toMatch(/outage mastodon_de on mastodon since 20 Nov, 17:51:00 UTC mastodon: HTTP 503 Fanfare repeats its requests/u);
  });

  test('names a webhook whose receiver accepts no events', async () => {
    const pageWith = async (isGone: boolean) => (await pageOf({ lateWebhooks: [{ webhook: 'pager', since: minutesAgo(9), isGone }] })).text;

    expect(await pageWith(false)).toMatch(/webhook pager since 20 Nov, 17:51:00 UTC .*23 hours/u);
    expect(await pageWith(true)).not.toContain('23 hours');
  });

  test('shows the position, the text and the hint of an error in a file, and whether the rule runs', async () => {
    const { text } = await pageOf({
      rules: { on: 1, paused: 0, broken: 2 },
      brokenFiles: [
        { file: 'rules/a.yaml', isRunning: true, diagnostics: [problem] },
        { file: 'rules/b.yaml', isRunning: false, diagnostics: [{ ...problem, file: 'rules/b.yaml' }] },
      ],
      channelProblems: [{ ...problem, severity: 'warning', message: '#live: the bot may not write there' }],
    });

    expect(text).toContain('rules/a.yaml:4:3 unknown key evry evry: 10s Did you mean every? The last version without errors runs.');
    expect(text).toContain('rules/b.yaml:4:3 unknown key evry evry: 10s Did you mean every? Its rule does not run.');
    expect(text).toContain('channel #live: the bot may not write there rules/a.yaml:4:3');
    expect(text).toContain('Rules 1 on, 2 files with errors');
  });

  test.for([
    [10, false],
    [11, true],
  ] as const)('says whether there are more than %i problems of channels', async ([count, hasMore]) => {
    const channelProblems = Array.from({ length: count }, (_, index) => ({ ...problem, message: `#c${index}: missing` }));
    const { html, text } = await pageOf({ channelProblems });

    expect([text.includes('#c9: missing'), text.includes('#c10: missing')]).toEqual([true, false]);
    expect(html.includes('<a href="/rules">More problems of channels, at their rules</a>')).toBe(hasMore);
  });

  test.for([
    [{ ready: true }, 'good', 'Running'],
    [{ ready: true, message: 'live-card could not be run: see the log' }, 'doubt', 'Running: live-card could not be run: see the log'],
    [{ ready: false, message: 'Discord is not connected yet' }, 'bad', 'Not ready: Discord is not connected yet'],
  ] as const)('the state of %j is %s', async ([readiness, tone, expected]) => {
    const { html, text } = await pageOf({ readiness });

    expect(html).toContain(`class="readiness ${tone}"`);
    expect(text).toContain(expected);
    expect(text.includes('Nothing needs you.')).toBe(tone === 'good');
  });

  test('a problem of an account that makes Fanfare not ready is listed once', async () => {
    const { text } = await pageOf({
      readiness: { ready: false, message: 'x: no' },
      accounts: [{ ...account, state: 'failed', problem: 'x: no', isRefused: true }],
    });

    const [, needs = ''] = /Needs you(.*)Live now/u.exec(text) ?? [];
    expect(needs.match(/x: no/gu)).toHaveLength(1);
  });

  test('lists live streams with links to the stream, its history and its announcements', async () => {
    const { html, text } = await pageOf({ live: [liveStream] });

    expect(text).toContain(
      'Ada Ranked Chess 12.3K viewers started 20 Nov, 16:25 UTC watch Ada discord.put → discord live-card 3 changes 20 Nov, 17:58 UTC open',
    );
    for (const address of ['/why?q=twitch%2F7', 'https://twitch.test/ada', '/deliveries/d7', '/rules/live-card', 'https://discord.test/7'])
      expect(html).toContain(`href="${address}"`);
  });

  test('shows next runs, delays, budgets, low rate limits, accounts and the version of the rules', async () => {
    const { html, text } = await pageOf({
      accounts: [account, { ...account, account: 'main', platform: 'discord', state: 'connecting' }],
      nextRuns: [{ rule: 'games/Go', at: minutesAgo(-2) }],
      delays: { count: 50, medianMs: 940, longestMs: 150_000 },
      budgets: [
        { account: 'x', spentUsd: 2, monthUsd: 10 },
        { account: 'y', spentUsd: 0.5 },
      ],
      rateLimits: [
        { account: 'x', leftRatio: 0.25 },
        { account: 'z', leftRatio: 0.9 },
      ],
      deliveries: { open: 1_234, asked: 0, sent: 5, failed: 0, unknown: 0 },
      rules: {
        on: 3,
        paused: 1,
        broken: 0,
        version: { number: 7, publishedAt: minutesAgo(15), by: 'ci <b>', note: '4f2c9ad', repeats: 5 },
      },
    });

    expect(html).toContain('href="/rules/games%2FGo"');
    for (const expected of [
      'games/Go 20 Nov, 18:02 UTC',
      '3 on, 1 paused version 7, published by ci &lt;b> , 20 Nov, 17:45:00 UTC repeats version 5 4f2c9ad',
      '1,234 waiting 5 sent',
      'median 0.9s, longest 2.5m (the last 50 deliveries)',
      'x : connected main on discord : connecting',
      'Budget of x $2.00 of $10.00 this month',
      'Budget of y $0.50 this month, without a limit',
      'Rate limit of x 25% left',
      'Fanfare 0.1.0 started 20 Nov, 18:00 UTC 80 MB of memory',
    ])
      expect(text).toContain(expected);
    expect(text).not.toContain('Rate limit of z');
  });

  test('the sandbox is named', async () => {
    const { text } = await pageOf({ accounts: [{ ...account, sandbox: true }] });

    expect(text).toContain('Sandbox: simulated platforms; nothing leaves this machine');
    expect((await pageOf({ accounts: [account] })).text).not.toContain('Sandbox:');
  });

  test.for<[what: string, status: Partial<StatusView>, steps: readonly string[]]>([
    ['nothing', {}, ['to do', 'to do', 'to do']],
    ['an account', { accounts: [account] }, ['done', 'to do', 'to do']],
    ['an account and a rule', { accounts: [account], rules: { on: 1, paused: 0, broken: 0 } }, ['done', 'done', 'to do']],
    ['a paused rule', { rules: { on: 1, paused: 1, broken: 0 } }, ['to do', 'to do', 'to do']],
    ['a message', { deliveries: { open: 0, asked: 0, sent: 1, failed: 0, unknown: 0 } }, []],
  ])('the first steps of an installation with %s', async ([, status, steps]) => {
    const { text } = await pageOf(status);

    const [, list] = /First steps(.*?)Needs you/u.exec(text) ?? [];
    expect([...(list ?? '').matchAll(/: (done|to do)/gu)].map(([, word]) => word)).toEqual(steps);
    expect(list === undefined).toBe(steps.length === 0);
  });

  test.for<[status: Partial<StatusView>, en: string, de: string]>([
    [{}, 'Set enabled: true in a file', 'enabled: true setzen'],
    [
      { rules: { on: 0, paused: 0, broken: 1 }, brokenFiles: [{ file: 'rules/a.yaml', isRunning: false, diagnostics: [] }] },
      'Correct the errors that are listed below.',
      'Die Fehler, die unten stehen, berichtigen.',
    ],
    [{ rules: { on: 1, paused: 1, broken: 0 } }, 'Resume a paused rule', 'Eine angehaltene Regel unten fortsetzen.'],
  ])('the first steps name what keeps the rules from running: %j', async ([status, en, de]) => {
    const [english, german] = await Promise.all([pageOf(status), pageOf(status, { 'accept-language': 'de' })]);

    const [ofStep, inGerman] = [
      /Switch a rule on(.*?)Send a message/u.exec(english.text)?.[1],
      /Eine Regel einschalten(.*?)Eine Nachricht senden/u.exec(german.text)?.[1],
    ];
    expect([ofStep, inGerman]).toEqual([expect.stringContaining(en), expect.stringContaining(de)]);
    expect(ofStep?.includes('enabled: true')).toBe(en.includes('enabled: true'));
  });

  test('while the database does not answer, shows what is known, without a wait', async () => {
    const { routes, apiQueries } = await openSite();
    apiQueries.databaseState = { lostAtMs: 1_000, code: 'ECONNREFUSED' };
    apiQueries.deliveries = () => new Promise<never>(() => undefined);
    apiQueries.statusChanges = {
      readiness: { ready: false, message: 'the database has not answered since 18:00' },
      rules: { on: 2, paused: 0, broken: 0 },
      deliveries: undefined,
      live: undefined,
      pausedRules: undefined,
      questions: undefined,
      budgets: undefined,
    };

    const answer = await routes.request('/overview');
    const text = textOf(await answer.text());

    expect(answer.status).toBe(200);
    expect(text).toContain('not ready the database has not answered since 18:00');
    expect(text).toContain('The database does not answer, so deliveries, pauses and live streams are unknown.');
    expect(text).toContain('Rules 2 on');
    expect(text).not.toMatch(/Live now|First steps/u);
  });

  test('is in the language of the reader', async () => {
    const { html, text } = await pageOf(
      {
        pausedRules: [{ rule: 'laut', paused: { at: NOW } }],
        live: [liveStream, { ...liveStream, key: 'twitch/8', viewers: 9436 }],
        delays: { count: 1, medianMs: 940, longestMs: 940 },
      },
      { 'accept-language': 'de-DE,de;q=0.9' },
    );

    expect(html).toContain('<html lang="de">');
    expect(html).toContain('<title>Übersicht · Fanfare</title>');
    for (const expected of [
      'Zu tun',
      'angehalten laut',
      'Automatisch angehalten',
      'Jetzt live',
      '12.345 Zuschauer',
      '9.436 Zuschauer',
      'Nächste Läufe',
      'meist 0,9',
    ])
      expect(text).toContain(expected);
    expect(text).not.toMatch(/paused|Needs|Health|viewers/u);
  });

  test('viewers see no buttons, editors and admins see them', async () => {
    const { routes, apiQueries, access } = await openSite({ host: '0.0.0.0', allowedHosts: ['fanfare.example'] });
    apiQueries.deliveryList = [delivery('d1', { state: 'unknown' }), delivery('d2', { state: 'failed' })];
    apiQueries.statusChanges = { questions: [question], pausedRules: [{ rule: 'loud', paused: { at: NOW } }] };

    for (const [role, count] of [
      ['viewer', 0],
      ['editor', 6],
      ['admin', 6],
    ] as const) {
      await access.addPerson({ name: role, role, password: 'correct horse battery' }, { name: 'root', via: 'cli', role: 'admin' });
      const browser = new Browser(routes, { address: '192.0.2.1' });
      await browser.signIn(role, 'correct horse battery');

      expect(formsIn(await (await browser.request('/overview')).text()), role).toHaveLength(count);
    }
  });

  test('texts of platforms and files stay texts', async () => {
    const { routes, apiQueries } = await openSite();
    apiQueries.deliveryList = [
      delivery(ATTACK, {
        state: 'failed',
        rule: ATTACK,
        item: { key: ATTACK, name: ATTACK },
        account: ATTACK,
        text: ATTACK,
        message: ATTACK,
        result: { url: 'javascript:alert(1)' },
      }),
    ];
    apiQueries.decisionList = [decision({ message: ATTACK })];
    const broken = { ...problem, file: ATTACK, message: ATTACK, hint: ATTACK, excerpt: ATTACK };
    apiQueries.statusChanges = {
      readiness: { ready: false, message: ATTACK },
      accounts: [{ ...account, account: ATTACK, platform: ATTACK, state: 'failed', problem: `${ATTACK}!`, isRefused: true }],
      brokenFiles: [{ file: ATTACK, isRunning: false, diagnostics: [broken] }],
      channelProblems: [broken],
      questions: [
        {
          ...question,
          delivery: ATTACK,
          rule: ATTACK,
          account: ATTACK,
          name: ATTACK,
          text: ATTACK,
          url: 'javascript:alert(1)',
          choices: [ATTACK],
        },
      ],
      pausedRules: [{ rule: ATTACK, about: ATTACK, paused: { at: NOW, by: ATTACK } }],
      nextRuns: [{ rule: ATTACK, at: NOW }],
      rateLimits: [{ account: ATTACK, leftRatio: 0 }],
      budgets: [{ account: ATTACK, spentUsd: 1, monthUsd: 2 }],
      rules: { on: 1, paused: 0, broken: 0, version: { number: 1, publishedAt: NOW, by: ATTACK, note: ATTACK } },
      live: [
        {
          ...liveStream,
          key: ATTACK,
          name: ATTACK,
          title: ATTACK,
          game: ATTACK,
          url: 'javascript:alert(1)',
          announcements: [{ delivery: ATTACK, rule: ATTACK, do: ATTACK, account: ATTACK, url: 'javascript:alert(1)', at: NOW, changes: 0 }],
        },
      ],
    };

    const page = await (await routes.request('/overview')).text();

    expect(page.match(/<script/gu)).toHaveLength(2);
    expect(page).not.toMatch(/<img src=x|<!--|href="javascript/u);
    expect(shownOf(page)).toMatchObject({ data: { status: { live: [{ name: ATTACK }] } } });
  });
});
