import { describe, expect, test } from 'vitest';
import type { ItemExplanation } from '#src/admin/queries/explain-item.ts';
import { Refused } from '#src/errors.ts';
import { addressOfItem } from '#src/web/views/addresses.ts';
import { decisionAbout, explanationOf } from '../../support/item-explanation.ts';
import { shownOf, textOf } from '../../support/page-text.ts';
import { noOperations } from '../../support/operations.ts';
import { decision, delivery, minutesAgo } from '../../support/view-records.ts';
import { Browser } from '../auth/browser.ts';
import { openSite } from '../open-site.ts';

const explainItem = (name: string): Promise<ItemExplanation> => Promise.resolve(explanationOf(name));

function openWhy(explain: (name: string) => Promise<ItemExplanation> = explainItem) {
  return openSite({ operations: { ...noOperations, queries: { ...noOperations.queries, explainItem: explain } } });
}

describe('the view Why', () => {
  test('shows the history of a name in all rules without a script', async () => {
    const { routes, apiQueries } = await openWhy();
    apiQueries.deliveryList = [
      delivery('d1', {
        rule: 'top',
        item: { key: 'twitch/1202584', name: 'Ada' },
        text: 'Ada is live',
        createdAt: minutesAgo(4),
        sentAt: minutesAgo(4),
      }),
    ];

    const answer = await routes.request('/why?q=Ada');
    const page = await answer.text();

    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(page).toContain('<title>Why: Ada · Fanfare</title>');
    expect(textOf(page)).toContain(
      'top on has seen it streaming.getTopStreams an episode is open 20 Nov, 17:56:00 UTC announced social.createPost through sandbox: “Ada is live” open it on the platform 20 Nov, 17:55:00 UTC suppressed cooldown 20 Nov, 17:30:00 UTC began Ada',
    );
    expect(textOf(page)).toContain(
      'old deleted Deleted or renamed 20 Nov, 17:00 UTC ran last 20 Nov, 16:59 UTC 20 Nov, 16:30:00 UTC suppressed cooldown',
    );
    expect(textOf(page)).toContain('1 rule watches a list without Ada clips streaming.getClips (off) (paused)');
    expect(page).toContain('<a href="https://example.test/posts/p1" target="_blank" rel="noopener noreferrer">open');
  });

  test('finds what the link of a delivery names, also an entry of a feed with a long key', async () => {
    const searched: string[] = [];
    const { routes } = await openWhy((name) => (searched.push(name), explainItem(name)));
    const key = `https://news.example/${'a'.repeat(479)}`;

    const page = await (await routes.request(addressOfItem(key))).text();

    expect(searched).toEqual([key]);
    expect(Number(/name="q"[^>]*maxlength="(\d+)"/u.exec(page)?.[1])).toBe(key.length);
  });

  test('shows a searched key as the name that is stored with it', async () => {
    const { routes } = await openWhy();

    const page = await (await routes.request(addressOfItem('twitch/1202584'))).text();

    expect(page).toContain('<title>Why: Ada · Fanfare</title>');
    expect(textOf(page)).toContain('Why: Ada');
  });

  test('gives the script the data that it rendered', async () => {
    const { routes } = await openWhy();

    const page = await (await routes.request('/why?q=Ada')).text();

    expect(shownOf(page)).toMatchObject({
      path: '/why',
      address: { query: { q: 'Ada' } },
      reader: { canAct: true },
      data: { found: { name: 'Ada', keys: ['twitch/1202584'] } },
    });
  });

  test('shows the last suppressed announcements before a search, with links to their items', async () => {
    const { routes, apiQueries } = await openWhy();
    apiQueries.decisionList = [
      decision({
        outcome: 'suppressed',
        item: 'twitch/7',
        message: 'quiet hours',
        reason: { kind: 'noLongerNew', name: 'Grace & Co' } as never,
      }),
      decision({ outcome: 'suppressed', message: 'the first poll' }),
      decision({ outcome: 'fired', message: 'entered' }),
    ];

    const page = await (await routes.request('/why')).text();

    expect(page).toContain('<a href="/why?q=twitch%2F7"><bdi>Grace &amp; Co</bdi></a>: </span><span>quiet hours</span>');
    expect(textOf(page)).toContain('the first poll');
    expect(textOf(page)).not.toContain('entered');
  });

  test('says what to do about a name that no rule has seen', async () => {
    const { routes } = await openWhy((name) => Promise.resolve(explanationOf(name, { keys: [], rules: [], gone: [] })));

    expect(textOf(await (await routes.request('/why?q=nobody')).text())).toContain(
      'No rule has seen nobody No rule names this streamer or item',
    );
  });

  test.for([
    [{ on: false }, 'The rule is off, so it announces nothing.'],
    [{ isPaused: true }, 'The rule is paused, so it announces nothing new.'],
    [
      { belowTake: { atMs: minutesAgo(1).getTime(), place: 7, take: 5 } },
      'It was #7 of the list 20 Nov, 17:59 UTC , and the rule counts the first 5 ( take ).',
    ],
  ] as const)('names what suppresses every announcement: %j', async ([state, expected]) => {
    const { routes } = await openWhy((name) => {
      const { rules, ...rest } = explanationOf(name);
      return Promise.resolve({ ...rest, rules: rules.map((rule) => ({ ...rule, ...state })) });
    });

    expect(textOf(await (await routes.request('/why?q=Ada')).text())).toContain(expected);
  });

  test('texts of platforms, files and addresses stay texts', async () => {
    const attack = '</script><script>document.title="taken"</script><!--"\'><img src=x onerror=alert(1)>';
    const { routes, apiQueries } = await openWhy((name) => {
      const { rules, gone, others } = explanationOf(name);
      return Promise.resolve({
        name,
        keys: [attack],
        rules: rules.map((rule) => ({ ...rule, id: attack, verb: attack, decisions: [decisionAbout(1, { message: attack })] })),
        gone: gone.map((rule) => ({ ...rule, id: attack })),
        others: others.map((rule) => ({ ...rule, id: attack, verb: attack })),
      });
    });
    apiQueries.deliveryList = [
      delivery('d1', {
        rule: attack,
        item: { key: attack, name: attack },
        text: attack,
        do: attack,
        account: attack,
        message: attack,
        result: { url: 'javascript:alert(1)' },
      }),
    ];

    const page = await (await routes.request(`/why?q=${encodeURIComponent(attack)}`)).text();

    expect(page.match(/<script/gu)).toHaveLength(2);
    expect(page).not.toMatch(/<img src=x|<!--|href="javascript/u);
    expect(shownOf(page)).toMatchObject({ data: { found: { name: attack, others: [{ id: attack }] } } });
  });

  test('a problem of the API is the answer of the page', async () => {
    const { routes } = await openWhy(() => Promise.reject(new Refused('notPossible', 'It is <b>not</b> possible.')));

    const answer = await routes.request('/why?q=Ada');

    expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('It is &lt;b&gt;not&lt;/b&gt; possible.')]);
  });

  test('a lost database is a problem at once', async () => {
    const { routes, apiQueries } = await openWhy();
    apiQueries.databaseState = { lostAtMs: 0 };

    const answer = await routes.request('/why?q=Ada');

    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('The database does not answer')]);
  });

  test('every role reads it, and people without a session sign in', async () => {
    const { routes, access } = await openSite({
      host: '0.0.0.0',
      allowedHosts: ['fanfare.example'],
      operations: { ...noOperations, queries: { ...noOperations.queries, explainItem } },
    });
    const stranger = new Browser(routes, { address: '192.0.2.9' });
    expect((await stranger.request('/why?q=Ada')).status).not.toBe(200);
    for (const [role, canAct] of [
      ['viewer', false],
      ['editor', true],
      ['admin', true],
    ] as const) {
      await access.addPerson({ name: role, role, password: 'correct horse battery' }, { name: 'root', via: 'cli', role: 'admin' });
      const browser = new Browser(routes, { address: '192.0.2.1' });
      await browser.signIn(role, 'correct horse battery');
      const page = await (await browser.request('/why?q=Ada')).text();

      expect(shownOf(page), role).toMatchObject({ reader: { canAct }, data: { found: { name: 'Ada' } } });
      expect(page, role).toContain('Sign out everywhere');
    }
  });
});
