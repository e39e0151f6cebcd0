import { describe, expect, test } from 'vitest';
import type { RuleView } from '#src/admin/queries/records.ts';
import { textOf } from '../../support/page-text.ts';
import { minutesAgo, NOW, rule, settledDecision } from '../../support/view-records.ts';
import { Browser } from '../auth/browser.ts';
import { openSite } from '../open-site.ts';

const ATTACK = '</script><script>document.title="taken"</script><!--"\'><img src=x onerror=alert(1)>';

function broken(file: string, message = 'unknown key'): RuleView {
  const diagnostic = {
    severity: 'error',
    code: 'x',
    file,
    line: 4,
    column: 3,
    path: '',
    message,
    hint: 'Did you mean every?',
    excerpt: '',
  };
  return { id: file, file, enabled: true, on: false, diagnostics: [{ ...diagnostic, severity: 'error' }] };
}

async function pageOf(ruleList: readonly RuleView[], path = '/rules', headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const { routes, apiQueries } = await openSite();
  apiQueries.ruleList = ruleList;
  return (await routes.request(path, { headers })).text();
}

function idsIn(page: string): readonly string[] {
  return [...page.matchAll(/<th class="name"[^>]*>\s*(?:<a[^>]*>)?<bdi>([^<]*)<\/bdi>/gu)].map(([, id = '']) => id);
}

function selectable(page: string): readonly string[] {
  return [...page.matchAll(/name="rule" value="([^"]*)"/gu)].map(([, id = '']) => id);
}

describe('the list of rules', () => {
  test('shows the state, the last decision, the next run and the announcements of each rule', async () => {
    const page = await pageOf([
      rule('games/Go', {
        lastDecision: settledDecision({ outcome: 'suppressed', message: 'quiet hours' }),
        announcements: [0, 0, 1, 0, 2, 0, 4],
        undelivered: { failed: 2, unknown: 1 },
      }),
    ]);

    const text = textOf(page);
    expect(text).toContain('games/Go Announces streams that enter the top five of VALORANT.');
    expect(text).toContain('on, failing 2 failed in the last 24 hours, 1 unknown');
    expect(text).toContain('suppressed 20 Nov, 17:59 UTC quiet hours');
    expect(text).toContain('Next run 20 Nov, 18:00 UTC Announced, 7 days:');
    expect(page).toContain('aria-label="7 announcements in 7 days. By day, the oldest first: 0, 0, 1, 0, 2, 0, 4."');
    expect(page).toContain('href="/rules/games%2FGo"');
    expect(page).not.toMatch(/style=/u);
  });

  test('a file with errors has its errors and no link, and cannot be selected', async () => {
    const page = await pageOf([broken('raid.yaml'), rule('a')]);

    expect(textOf(page)).toContain('raid.yaml raid.yaml:4:3 unknown key (Did you mean every?) broken');
    expect(idsIn(page)).toEqual(['a', 'raid.yaml']);
    expect(page).not.toContain('href="/rules/raid.yaml"');
    expect(selectable(page)).toEqual(['a']);
  });

  test.for([
    ['paused', { paused: { at: NOW, by: 'ada (Discord)', until: NOW } }, 'paused by ada (Discord) , until 20 Nov, 18:00:00 UTC'],
    ['paused by its limit', { paused: { at: NOW } }, 'paused automatically, because it announced too often'],
    ['off', { on: false, nextRunAt: undefined, lastDecision: undefined }, 'off'],
    ['new', { lastDecision: undefined }, 'on none yet'],
    [
      'not sent',
      { lastUndelivered: 2, lastDecision: settledDecision({ outcome: 'fired', message: 'x' }) },
      'fired 20 Nov, 17:59 UTC 2 not sent x',
    ],
    [
      'withdrawn by a pause',
      { lastDecision: settledDecision({ outcome: 'fired', message: 'x', stop: { message: 'grace paused the rule' } }) },
      'fired 20 Nov, 17:59 UTC x; messages were withdrawn: grace paused the rule',
    ],
    ['not counted', { announcements: [] }, 'not counted yet'],
  ] as const)('a rule that is %s says so', async ([, changes, expected]) => {
    expect(textOf(await pageOf([rule('a', changes)]))).toContain(expected);
  });

  test('a page has 100 rules, and links to the others that keep the filters', async () => {
    const ruleList = Array.from({ length: 250 }, (_, index) => rule(`rule-${String(index).padStart(3, '0')}`));

    const second = await pageOf(ruleList, '/rules?text=rule&state=on&page=2');

    expect(idsIn(second)).toEqual(ruleList.slice(100, 200).map(({ id }) => id));
    expect(textOf(second)).toContain('Page 2 of 3 · 250 rules');
    expect(second).toContain('href="/rules?text=rule&amp;state=on" rel="prev"');
    expect(second).toContain('href="/rules?text=rule&amp;state=on&amp;page=3" rel="next"');
    expect(textOf(await pageOf(ruleList, '/rules?page=3'))).toContain('First Previous Page 3 of 3');
  });

  test('a search and a state select rules', async () => {
    const ruleList = [rule('a1'), rule('a2', { paused: { at: NOW, by: 'ada' } }), rule('b')];

    const found = await pageOf(ruleList, '/rules?text=%20a%20&state=paused');

    expect(idsIn(found)).toEqual(['a2']);
    expect(textOf(found)).toContain('1 of 3 rules');
    expect(found).toMatch(/<option value="paused" selected>/u);
    expect(found).toContain('value="a"');
    expect(textOf(await pageOf(ruleList, '/rules?text=nowhere'))).toContain('No rule matches these filters. 0 of 3 rules');
  });

  test.for(['?state=wrong', '?page=0', '?page=-1', '?page=1.5', '?page=99', '?text=', '?text=%20', '?other=1', '?text=%ED%A0%80'])(
    '%s shows a page',
    async (query) => {
      const { routes, apiQueries } = await openSite();
      apiQueries.ruleList = [rule('a')];

      expect((await routes.request(`/rules${query}`)).status).toBe(200);
    },
  );

  test('a list without a rule that can be selected has no buttons for selected rules', async () => {
    expect(await pageOf([rule('a', { on: false }), broken('raid.yaml')])).not.toContain('data-bulk');
    expect(await pageOf([rule('a', { on: false }), rule('b')])).toContain('data-bulk');
  });

  test('without rules, it says how to add one', async () => {
    expect(textOf(await pageOf([]))).toContain('No rules yet. Put a YAML file into the rules folder.');
  });

  test('readers of German get German texts', async () => {
    const page = await pageOf([rule('a', { announcements: [1], paused: { at: NOW, by: 'ada' } })], '/rules?state=paused&text=%20a', {
      'accept-language': 'de',
    });

    expect(textOf(page)).toContain('Regeln Name oder Text');
    expect(textOf(page)).toContain('angehalten von ada');
    expect(page).toContain('1 Meldung in 7 Tagen');
    expect(page).toContain('<title>Regeln: angehalten, a · Fanfare</title>');
  });

  test('viewers cannot select rules', async () => {
    const { routes, access, apiQueries } = await openSite({ host: '0.0.0.0', allowedHosts: ['fanfare.example'] });
    apiQueries.ruleList = [rule('a')];
    for (const [role, expected] of [
      ['viewer', []],
      ['editor', ['a']],
    ] as const) {
      await access.addPerson({ name: role, role, password: 'correct horse battery' }, { name: 'root', via: 'cli', role: 'admin' });
      const browser = new Browser(routes, { address: '192.0.2.1' });
      await browser.signIn(role, 'correct horse battery');
      const page = await (await browser.request('/rules')).text();

      expect(selectable(page), role).toEqual(expected);
      expect(page.includes('data-bulk'), role).toBe(role === 'editor');
    }
  });

  test('texts of files and platforms stay texts', async () => {
    const page = await pageOf([
      rule(ATTACK, {
        about: ATTACK,
        file: ATTACK,
        paused: { at: NOW, by: ATTACK },
        lastDecision: settledDecision({ message: ATTACK, rule: ATTACK }),
      }),
      broken(ATTACK, ATTACK),
    ]);

    expect(page.match(/<script/gu)).toHaveLength(2);
    expect(page).not.toMatch(/<img src=x|<!--/u);
    expect(await pageOf([], `/rules?text=${encodeURIComponent(ATTACK)}`)).not.toMatch(/<img src=x|<!--/u);
  });

  test('the document has only what the list shows', async () => {
    const details = { secret: 'x'.repeat(1000) };
    const page = await pageOf([rule('a', { lastDecision: settledDecision({ details, at: minutesAgo(1) }) })]);

    expect(page).not.toContain(details.secret);
  });
});
