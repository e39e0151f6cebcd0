import { describe, expect, test } from 'vitest';
import type { RuleDetails } from '#src/admin/queries/rule-details.ts';
import type { RuleView } from '#src/admin/queries/records.ts';
import { noOperations } from '../../support/operations.ts';
import { formsIn } from '../../support/page-forms.ts';
import { textOf } from '../../support/page-text.ts';
import { decision, delivery, episode, minutesAgo, NOW, rule, ruleDetails } from '../../support/view-records.ts';
import { Browser } from '../auth/browser.ts';
import { openSite } from '../open-site.ts';

const ATTACK = '</script><script>document.title="taken"</script><!--"\'><img src=x onerror=alert(1)>';
const ID = 'games/Go';
const PATH = '/rules/games%2FGo';

function operationsOf(found: RuleView | undefined, details: Partial<RuleDetails> = {}) {
  const queries = {
    ...noOperations.queries,
    revision: () => Promise.resolve('r1'),
    views: () => Promise.resolve(found ? [found] : []),
    details: () => Promise.resolve(found && ruleDetails(found.id, details)),
  };
  return { ...noOperations, queries };
}

async function openRule(found: RuleView | undefined, details: Partial<RuleDetails> = {}) {
  const opened = await openSite({ operations: operationsOf(found, details) });
  opened.apiQueries.decisionList = [
    decision({ rule: ID, outcome: 'suppressed', item: 'twitch/7', message: 'quiet hours' }),
    decision({ rule: ID, outcome: 'fired', message: 'entered', at: minutesAgo(9) }),
    decision({ rule: 'other', message: 'of another rule' }),
  ];
  opened.apiQueries.deliveryList = [delivery('d1', { rule: ID, text: 'Ada is live' }), delivery('d2', { rule: 'other' })];
  return opened;
}

async function pageOf(found: RuleView | undefined, path = PATH): Promise<string> {
  const { routes } = await openRule(found);
  return (await routes.request(path)).text();
}

/** The operations of the buttons that change the rule. */
function buttonsIn(page: string): readonly string[] {
  return formsIn(page)
    .filter(([name]) => !TRIAL.includes(name))
    .map(([name]) => name);
}

const TRIAL: readonly string[] = ['previewRule', 'testRule', 'replayRule'];

describe('the view of a rule', () => {
  test('shows its schedule, its decisions and its deliveries with links', async () => {
    const page = await pageOf(rule(ID));

    const text = textOf(page);
    expect(text).toContain(
      'games/Go on Announces streams that enter the top five of VALORANT. every 10s next 20 Nov, 18:00 UTC rules/games/Go.yaml',
    );
    expect(text).toContain('20 Nov, 17:59:00 UTC suppressed quiet hours why? twitch/7 20 Nov, 17:51:00 UTC fired entered');
    expect(text).toContain('20 Nov, 17:57:00 UTC sent social.createPost → sandbox Ada is live');
    expect(text).not.toContain('of another rule');
    for (const address of ['/why?q=twitch%2F7', '/deliveries/d1', '/deliveries?rule=games%2FGo'])
      expect(page).toContain(`href="${address}"`);
  });

  test('says what it does, and shows its next runs, its YAML and its episodes', async () => {
    const page = await pageOf(rule(ID));

    const text = textOf(page);
    expect(text).toContain('every 10s: reads streaming.getTopStreams through twitch and announces: entered.');
    expect(text).toContain('When it announces: discord.send through discord → live');
    expect(text).toContain('During the episode: discord.edit through discord, every 60s');
    expect(text).toMatch(/Next runs \(Europe\/Berlin\) Friday,? 20 November 2026 at 19:00:08/u);
    expect(text).toContain('YAML id: games/Go');
    expect(page).not.toMatch(/style=/u);
  });

  test('shows its episodes as a chart, and the same in words', async () => {
    const { routes, apiQueries } = await openRule(rule(ID));
    const nowMs = NOW.getTime();
    const phases = { firstSeenMs: nowMs - 600_000, openedMs: nowMs - 540_000 };
    apiQueries.episodeList = [
      episode('1', { ...phases, phase: 'pending', openedMs: undefined, announced: false, lastSeenMs: nowMs - 480_000 }),
      episode('2', { ...phases, announced: false, suppressedBy: { kind: 'alreadyInList' } }),
      episode('3', { ...phases, phase: 'closing', missingSinceMs: nowMs - 60_000, lastSeenMs: nowMs - 120_000 }),
      episode('4', { ...phases, phase: 'closed', closedMs: nowMs, missingSinceMs: nowMs - 3000 }),
    ];

    const page = await (await routes.request(PATH)).text();

    const text = textOf(page);
    expect(text).toContain('waiting Ada waits for confirmation waited 2m');
    // The time of the first poll with the item, as in the chart, and not the earlier start of the stream.
    expect(text).toContain('20 Nov, 17:50:00 UTC not announced Ada open it was already in the list waited 1m open 9m');
    expect(text).toContain('announced Ada gone, in its time of grace: it ends unless the item comes back waited 1m open 8m grace 1m');
    expect(text).toContain('announced Ada ended: 20 Nov, 18:00:00 UTC waited 1m open 8m 57s grace 3s');
    const [, chart = ''] = /<svg class="episodes"[^>]*preserveAspectRatio[^>]*>(.*?)<\/svg>/su.exec(page) ?? [];
    expect([...chart.matchAll(/class="(\w+)"/gu)].map(([, kind]) => kind).join(' ')).toBe(
      'waiting waiting suppressed waiting open grace waiting open grace',
    );
  });

  test.each([false, 'sandbox'] as const)('says how to run a rule with enabled: %s', async (enabled) => {
    const page = await pageOf(rule(ID, { enabled, on: false }));

    expect(textOf(page)).toContain(`Its file says enabled: ${enabled} . To run the rule, write there: enabled: true`);
  });

  test('has pages of episodes, also of a deleted rule', async () => {
    const { routes, apiQueries } = await openRule(undefined);
    apiQueries.episodeList = Array.from({ length: 30 }, (_, index) => episode(`e${index}`));

    const first = await (await routes.request(PATH)).text();
    const second = await (await routes.request(`${PATH}?episodes=20`)).text();

    expect(first).toContain(`href="${PATH}?episodes=20#episodes" rel="next"`);
    expect(second.match(/href="\/why\?q=twitch%2Fe\d+"/gu)).toHaveLength(10);
    expect(second).toContain(`<a href="${PATH}#episodes">Newest episodes</a>`);
  });

  test('readers of German get German texts', async () => {
    const { routes } = await openRule(rule(ID, { paused: { at: NOW, by: 'ada' } }));

    const text = textOf(await (await routes.request(PATH, { headers: { 'accept-language': 'de' } })).text());

    for (const expected of ['angehalten', 'ada hat sie angehalten:', 'Wenn sie meldet:', 'Entscheidungen', 'unterdrückt', 'Zustellungen'])
      expect(text).toContain(expected);
  });

  test('shows only decisions with an outcome', async () => {
    const text = textOf(await pageOf(rule(ID), `${PATH}?outcome=fired`));

    expect(text).toContain('fired entered');
    expect(text).not.toContain('quiet hours');
    expect(textOf(await pageOf(rule(ID), `${PATH}?outcome=wrong`))).toContain('quiet hours');
    const found = await pageOf(rule(ID), `${PATH}?text=quiet`);
    expect(textOf(found)).toContain('suppressed quiet hours');
    expect(textOf(found)).not.toContain('fired entered');
    expect(found).toContain('value="quiet"');
    expect(textOf(await pageOf(rule(ID), `${PATH}?text=nobody`))).toContain('No decision matches these filters.');
  });

  test('the same filter loads the page again', async () => {
    const again = '<input type="hidden" name="again" value="yes"/>';

    expect(await pageOf(rule(ID), `${PATH}?text=&outcome=`)).toContain(again);
    expect(await pageOf(rule(ID), `${PATH}?again=yes&text=&outcome=`)).not.toContain(again);
  });

  test('the next page of decisions keeps the outcome', async () => {
    const { routes, apiQueries } = await openRule(rule(ID));
    apiQueries.decisionList = Array.from({ length: 60 }, () => decision({ rule: ID, outcome: 'fired' }));

    const page = await (await routes.request(`${PATH}?outcome=fired`)).text();

    expect(page).toContain(`href="${PATH}?outcome=fired&amp;cursor=50#decisions" rel="next"`);
  });

  test.for([
    ['on', {}, ['runRule', 'pauseRule', 'pauseRule']],
    ['on', { plannedPauses: [{ by: 'ada', at: NOW, from: NOW }] }, ['runRule', 'pauseRule', 'resumeRule', 'pauseRule']],
    ['paused', { paused: { at: NOW, by: 'ada (Discord)' } }, ['resumeRule', 'pauseRule']],
    ['off', { on: false }, []],
  ] as const)('a rule that is %s has the buttons that can act on it', async ([word, changes, expected]) => {
    const page = await pageOf(rule(ID, changes));

    expect(buttonsIn(page)).toEqual(expected);
    expect(textOf(page)).toContain(`games/Go ${word} `);
  });

  test('names the person who paused it, and the errors of its file', async () => {
    const diagnostic = {
      severity: 'error',
      code: 'x',
      file: 'rules/go.yaml',
      line: 4,
      column: 3,
      path: '',
      message: 'unknown key',
      hint: 'Did you mean every?',
      excerpt: '',
    } as const;
    const text = textOf(
      await pageOf(rule(ID, { paused: { at: NOW, by: 'ada (Discord)', until: NOW }, file: 'rules/go.yaml', diagnostics: [diagnostic] })),
    );

    expect(text).toContain('ada (Discord) paused it: 20 Nov, 18:00:00 UTC , until 20 Nov, 18:00:00 UTC');
    expect(text).toContain('error: rules/go.yaml:4:3 unknown key (Did you mean every?)');
  });

  test('shows who planned which pauses', async () => {
    const later = new Date(NOW.getTime() + 86_400_000);
    const plannedPauses = [
      { by: 'ada (Discord)', at: NOW, from: NOW, until: later },
      { by: 'grace (page)', at: NOW, from: later },
    ];
    const text = textOf(await pageOf(rule(ID, { plannedPauses })));

    expect(text).toContain('ada (Discord) planned a pause from 20 Nov, 18:00:00 UTC until 21 Nov, 18:00:00 UTC');
    expect(text).toContain('grace (page) planned a pause from 21 Nov, 18:00:00 UTC until a person resumes the rule');
  });

  test('a deleted rule keeps its history, without buttons', async () => {
    const page = await pageOf(undefined);

    expect(textOf(page)).toContain('games/Go deleted No loaded rule has this id');
    expect(textOf(page)).toContain('quiet hours');
    expect(buttonsIn(page)).toEqual([]);
  });

  test.for([
    ['en', 'Fanfare removed it: 20 Nov, 18:00:00 UTC . It last ran: 20 Nov, 17:51:00 UTC .'],
    ['de', 'Fanfare entfernte sie: 20. Nov., 18:00:00 UTC . Sie lief zuletzt: 20. Nov., 17:51:00 UTC .'],
  ] as const)('a deleted rule shows since when it is gone: %s', async ([language, expected]) => {
    const operations = operationsOf(undefined);
    const gone = () => Promise.resolve([{ id: ID, goneAt: NOW, lastRunAt: minutesAgo(9) }]);
    const { routes, apiQueries } = await openSite({ operations: { ...operations, queries: { ...operations.queries, gone } } });
    apiQueries.decisionList = [decision({ rule: ID })];

    const page = await (await routes.request(PATH, { headers: { 'accept-language': language } })).text();

    expect(textOf(page)).toContain(expected);
  });

  test.for([
    ['en', 'games/Go broken The file of this rule has errors, so the rule does not run. Files with errors'],
    ['de', 'games/Go fehlerhaft Die Datei dieser Regel hat Fehler, deshalb läuft die Regel nicht. Dateien mit Fehlern'],
  ] as const)('a rule whose file has errors shows them: %s', async ([language, expected]) => {
    for (const file of ['rules/games/Go.yaml', 'rules/games.yaml']) {
      const operations = operationsOf(undefined);
      const error = {
        severity: 'error',
        code: 'unknown-key',
        message: 'unknown key: evry',
        file,
        line: 7,
        column: 3,
        path: 'when',
        excerpt: '',
      } as const;
      const broken = () => [{ id: 'Go.yaml', file, enabled: true, on: false, diagnostics: [error] }];
      const { routes } = await openSite({ operations: { ...operations, queries: { ...operations.queries, broken } } });

      const answer = await routes.request(PATH, { headers: { 'accept-language': language } });

      const page = await answer.text();
      expect([answer.status, textOf(page)]).toEqual([200, expect.stringContaining(expected)]);
      expect(textOf(page)).toContain(`${file}:7:3 when: unknown key: evry`);
      expect(page).toContain('href="/rules?state=broken"');
      expect(buttonsIn(page)).toEqual([]);
      expect((await routes.request('/rules/Other')).status).toBe(404);
    }
  });

  test('an id without a rule and a history is not found', async () => {
    const { routes } = await openSite({ operations: operationsOf(undefined) });

    const answer = await routes.request('/rules/nowhere');

    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('There is no rule nowhere.')]);
    const german = await (await routes.request('/rules/nowhere', { headers: { 'accept-language': 'de' } })).text();
    expect(german).toContain('Diese Regel gibt es nicht');
    expect(german).not.toContain('There is no rule');
    // The links are no part of the sentence before them, and no part of each other.
    expect(german.match(/<p class="links">.*<\/p>/u)?.[0]).toBe(
      '<p class="links"><a href="/rules">Regeln</a> · <a href="/">Zu Fanfare</a></p>',
    );
    const unknown = await (await routes.request('/nowhere')).text();
    expect(unknown).toContain('<p class="links"><a href="/">Go to Fanfare</a></p>');
  });

  test('viewers see no buttons', async () => {
    const { routes, access } = await openSite({ host: '0.0.0.0', allowedHosts: ['fanfare.example'], operations: operationsOf(rule(ID)) });
    for (const [role, count] of [
      ['viewer', 0],
      ['editor', 3],
      ['admin', 3],
    ] as const) {
      await access.addPerson({ name: role, role, password: 'correct horse battery' }, { name: 'root', via: 'cli', role: 'admin' });
      const browser = new Browser(routes, { address: '192.0.2.1' });
      await browser.signIn(role, 'correct horse battery');

      expect(buttonsIn(await (await browser.request(PATH)).text()), role).toHaveLength(count);
    }
  });

  test('texts of files and platforms stay texts', async () => {
    const { routes, apiQueries } = await openRule(
      rule(ATTACK, { about: ATTACK, file: ATTACK, schedule: ATTACK, paused: { at: NOW, by: ATTACK } }),
      {
        source: ATTACK,
        watches: { operation: ATTACK, accounts: [ATTACK], changes: [ATTACK] },
        steps: [{ section: 'then', do: ATTACK, accounts: [ATTACK], channel: ATTACK }],
      },
    );
    const item = { owner: { displayName: ATTACK } };
    apiQueries.episodeList = [episode(ATTACK, { key: ATTACK, item, announced: false, suppressedBy: ATTACK })];
    apiQueries.decisionList = [decision({ rule: ATTACK, item: ATTACK, message: ATTACK })];
    apiQueries.deliveryList = [delivery('d1', { rule: ATTACK, do: ATTACK, account: ATTACK, text: ATTACK })];

    const page = await (await routes.request(`/rules/${encodeURIComponent(ATTACK)}`)).text();

    expect(page.match(/<script/gu)).toHaveLength(2);
    expect(page).not.toMatch(/<img src=x|<!--/u);
  });
});
