import { describe, expect, test } from 'vitest';
import type { DeliveryState } from '#src/admin/queries/records.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import { DELIVERIES_TEXTS } from '#src/web/views/texts/deliveries.ts';
import { noOperations } from '../../support/operations.ts';
import { formsIn, type PageForm } from '../../support/page-forms.ts';
import { shownOf, textOf } from '../../support/page-text.ts';
import { storedDelivery } from '../../support/stored-delivery.ts';
import { delivery, minutesAgo, NOW } from '../../support/view-records.ts';
import { Browser } from '../auth/browser.ts';
import { openSite } from '../open-site.ts';

const ATTACK = '</script><script>document.title="taken"</script><!--"\'><img src=x onerror=alert(1)>';

function openDelivery(found: Delivery | undefined) {
  return openSite({ operations: { ...noOperations, findDelivery: () => Promise.resolve(found) } });
}

async function pageOf(path: string, found: Delivery | undefined, language = 'en'): Promise<string> {
  const { routes } = await openDelivery(found);
  return (await routes.request(path, { headers: { 'accept-language': language } })).text();
}

const FORMS: Readonly<Record<DeliveryState, readonly PageForm[]>> = {
  pending: [],
  sending: [],
  asked: ['send', 'drop'].map((choice) => ['answerDelivery', { delivery: 'd1', choice }] as const),
  sent: [],
  skipped: [],
  failed: [['resendDelivery', { delivery: 'd1' }]],
  unknown: [
    ['resolveDelivery', { delivery: 'd1', resolution: 'sent' }],
    ['resolveDelivery', { delivery: 'd1', resolution: 'again' }],
  ],
};

describe('the view Deliveries', () => {
  test('lists deliveries with links to each of them, its item and its rule', async () => {
    const { routes, apiQueries } = await openSite();
    apiQueries.deliveryList = [
      delivery('-a/b', { item: { key: 'twitch/1', name: 'Ada' }, rule: 'games/Go', text: 'Ada is live', attempts: 3 }),
    ];

    const page = await (await routes.request('/deliveries')).text();

    expect(textOf(page)).toContain('sent social.createPost → sandbox Ada is live Ada games/Go 3 attempts 20 Nov, 17:57 UTC open');
    for (const address of ['/deliveries/-a%2Fb', '/why?q=twitch%2F1', '/rules/games%2FGo', 'https://example.test/posts/p1'])
      expect(page).toContain(`href="${address}"`);
  });

  test('a step that only read is not called sent', async () => {
    const { routes, apiQueries } = await openSite();
    apiQueries.deliveryList = [delivery('d1', { do: 'social.getPosts', isRead: true })];

    expect(textOf(await (await routes.request('/deliveries')).text())).toContain('read social.getPosts → sandbox');
  });

  test.for([
    ['state=failed', ['d2']],
    ['rule=chess', ['d3']],
    ['account=x', ['d3']],
    ['text=hello', ['d1']],
    ['state=wrong&text=%20!%20', ['d1', 'd2', 'd3']],
    ['state=failed&rule=chess', []],
  ] as const)('shows what the filters find: %s', async ([query, expected]) => {
    const { routes, apiQueries } = await openSite();
    apiQueries.deliveryList = [
      delivery('d1', { text: 'hello' }),
      delivery('d2', { state: 'failed' }),
      delivery('d3', { rule: 'chess', account: 'x' }),
    ];

    const page = await (await routes.request(`/deliveries?${query}`)).text();

    expect([...page.matchAll(/class="what" href="\/deliveries\/(\w+)"/gu)].map(([, id]) => id)).toEqual(expected);
    expect(page.includes('No delivery matches these filters.')).toBe(expected.length === 0);
  });

  test('shows that the stream of a failed announcement is over', async () => {
    const { routes, apiQueries } = await openSite();
    apiQueries.deliveryList = [delivery('d1', { state: 'failed', isOver: true }), delivery('d2', { state: 'failed' })];

    const page = textOf(await (await routes.request('/deliveries')).text());

    expect(page.split(DELIVERIES_TEXTS.en.isOver)).toHaveLength(2);
  });

  test('names the channels of equal messages', async () => {
    const { routes, apiQueries } = await openSite();
    const [live, news] = ['live', 'news'].map((channel) => delivery(channel, { do: 'discord.send', account: 'discord', channel }));
    apiQueries.deliveryList = [live, news].flatMap((one) => one ?? []);

    const page = textOf(await (await routes.request('/deliveries')).text());

    for (const name of ['#live', '#news']) expect(page).toContain(`discord.send → discord ${name}`);
    const found = storedDelivery({ do: 'discord.send', account: 'discord', params: { channel: 'news' } });
    expect(await pageOf('/deliveries/d1', found)).toMatch(/<title>[^<]*discord\.send → discord #news · Fanfare<\/title>/u);
  });

  test('the pages, the export and the form keep the filters', async () => {
    const { routes, apiQueries } = await openSite();
    apiQueries.deliveryList = Array.from({ length: 60 }, (_, index) => delivery(`d${index}`, { rule: 'a&b' }));

    const first = await (await routes.request('/deliveries?rule=a%26b&state=sent&text=')).text();
    const [, older = ''] = /href="([^"]*)" rel="next"/u.exec(first.replaceAll('&amp;', '&')) ?? [];
    const second = await (await routes.request(older)).text();

    expect(older).toBe('/deliveries?state=sent&rule=a%26b&cursor=50');
    expect(first).toContain('<title>Deliveries: sent, a&amp;b · Fanfare</title>');
    expect(first).toContain('href="/api/deliveries/export?state=sent&amp;rule=a%26b"');
    expect(first).toMatch(/<option (?=[^>]*value="sent")[^>]*\bselected\b/u);
    expect([first.match(/class="what"/gu), second.match(/class="what"/gu)].map((rows) => rows?.length)).toEqual([50, 10]);
    expect(second).toContain('<a href="/deliveries?state=sent&amp;rule=a%26b">Newest</a>');
    expect(second).not.toContain('rel="next"');
  });

  test('the document has no more of the record of a platform than its address', async () => {
    const { routes, apiQueries } = await openSite();
    apiQueries.deliveryList = [
      delivery('d1', { result: { url: 'https://x.test/1', raw: 'a long record' }, texts: [{ parameter: 'text', text: 'only here' }] }),
    ];

    const page = await (await routes.request('/deliveries')).text();

    expect(page).toContain('href="https://x.test/1"');
    expect(page).not.toMatch(/a long record|only here/u);
  });

  test.each([
    ['/deliveries?state=failed&rule=a%26b&cursor=wrong', '/deliveries?state=failed&amp;rule=a%26b'],
    ['/deliveries?cursor=wrong', '/deliveries'],
  ])('an old cursor links to the first page with the same filters: %s', async (path, first) => {
    const { routes } = await openSite();

    const page = await (await routes.request(path, { headers: { 'accept-language': 'de' } })).text();

    expect(page).toContain('Diese Seite der Liste gibt es nicht mehr.');
    expect(page).toContain(`href="${first}"`);
  });

  test('an old cursor is a problem', async () => {
    const { routes } = await openSite();

    expect((await routes.request('/deliveries?cursor=wrong')).status).toBe(400);
  });

  test('viewers see no buttons, editors and admins see them', async () => {
    const operations = { ...noOperations, findDelivery: () => Promise.resolve(storedDelivery({ state: 'unknown' })) };
    const { routes, apiQueries, access } = await openSite({ host: '0.0.0.0', allowedHosts: ['fanfare.example'], operations });
    apiQueries.deliveryList = [delivery('d1', { state: 'unknown' })];
    for (const [role, expected] of [
      ['viewer', []],
      ['editor', FORMS.unknown],
      ['admin', FORMS.unknown],
    ] as const) {
      await access.addPerson({ name: role, role, password: 'correct horse battery' }, { name: 'root', via: 'cli', role: 'admin' });
      const browser = new Browser(routes, { address: '192.0.2.1' });
      await browser.signIn(role, 'correct horse battery');

      for (const path of ['/deliveries', '/deliveries/d1'])
        expect(formsIn(await (await browser.request(path)).text()), `${role} ${path}`).toEqual(expected);
    }
  });
});

describe('the view of a delivery', () => {
  test.for([
    ['discord.send', 'content', 'bed (lie) (https://twitch.tv/ada__live)'],
    ['social.createPost', 'text', '**bed \\(lie\\)** (https://twitch.tv/ada__live)__'],
  ] as const)('shows the text of %s as its readers see it', async ([verb, parameter, expected]) => {
    const page = await pageOf(
      '/deliveries/d1',
      storedDelivery({ do: verb, params: { [parameter]: '**bed \\(lie\\)** (https://twitch.tv/ada__live)__' } }),
    );

    expect(textOf(page)).toContain(`Content ${parameter} ${expected} Open`);
  });

  test('shows the content, the attempts and the origin', async () => {
    const page = await pageOf(
      '/deliveries/d1',
      storedDelivery({
        item: { key: 'twitch/1', name: 'Ada' },
        resends: [{ by: 'ada (Discord)', atMs: NOW.getTime(), failure: 'too long' }],
      }),
    );

    const text = textOf(page);
    expect(page).toContain('<title>Ada: social.createPost → x · Fanfare</title>');
    expect(text).toContain('Ada : social.createPost → x sent Content text Ada is live Open it on the platform');
    expect(text).toContain(
      '2 attempts Decided 20 Nov, 17:55:00 UTC First attempt 20 Nov, 17:56:00 UTC Last attempt 20 Nov, 17:57:00 UTC Confirmed by the platform 20 Nov, 17:58:00 UTC',
    );
    expect(text).toContain('Sent again 20 Nov, 18:00:00 UTC by ada (Discord) , after: too long');
    expect(text).toContain('Rule top Item Ada (why?) Step post');
  });

  test.each([
    ['en', 'Rule top Step 2 of finally'],
    ['de', 'Regel top Schritt 2 von finally'],
  ])('a step without an id has its section and its position from 1: %s', async (language, expected) => {
    const page = await pageOf('/deliveries/d1', storedDelivery({ section: 'finally', step: '1' }), language);

    expect(textOf(page)).toContain(expected);
  });

  test.for(Object.entries(FORMS))('%s has the buttons that can act on it', async ([state, expected]) => {
    const page = await pageOf('/deliveries/d1', storedDelivery({ state: state as DeliveryState, params: { choices: ['send', 'drop'] } })); // a key of the table

    expect(formsIn(page)).toEqual(expected);
  });

  test.for([true, false])('a question and its row say whether its stream is over: %s', async (isOver) => {
    const asked = { ...storedDelivery({ state: 'asked', params: { choices: ['send'] } }), ...(isOver && { isOver }) };
    const { routes, apiQueries } = await openDelivery(asked);
    apiQueries.deliveryList = [delivery('d1', { state: 'asked', choices: ['send'], ...(isOver && { isOver }) })];

    for (const path of ['/deliveries', '/deliveries/d1'])
      expect((await (await routes.request(path)).text()).includes(DELIVERIES_TEXTS.en.isOver)).toBe(isOver);
  });

  test('an unknown delivery shows what was searched beside the buttons', async () => {
    const page = await pageOf(
      '/deliveries/d1',
      storedDelivery({ state: 'unknown', sentAt: undefined, lostAt: minutesAgo(3), message: 'x was searched: nothing was found' }),
    );

    expect(textOf(page)).toContain(
      'An attempt ended without an answer: 20 Nov, 17:57:00 UTC . x was searched: nothing was found It was sent',
    );
  });

  test('a failed delivery shows the answer of the platform', async () => {
    const page = await pageOf(
      '/deliveries/d1',
      storedDelivery({ state: 'failed', sentAt: undefined, error: { fault: 'rejected', message: 'X refused it.' } }),
    );

    expect(textOf(page)).toContain('Last answer rejected X refused it.');
  });

  test('an unknown id is not found', async () => {
    const { routes } = await openDelivery(undefined);

    const answer = await routes.request('/deliveries/nowhere');

    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('There is no delivery nowhere.')]);
  });

  test('texts of platforms and files stay texts', async () => {
    const page = await pageOf(
      '/deliveries/d1',
      storedDelivery({
        id: ATTACK,
        rule: ATTACK,
        item: { key: ATTACK, name: ATTACK },
        do: ATTACK,
        account: ATTACK,
        step: ATTACK,
        episode: ATTACK,
        state: 'failed',
        params: { text: ATTACK },
        error: { fault: 'rejected', message: ATTACK },
        result: { url: 'javascript:alert(1)' },
        resends: [{ by: ATTACK, atMs: 0, failure: ATTACK }],
      }),
    );

    expect(page.match(/<script/gu)).toHaveLength(2);
    expect(page).not.toMatch(/<img src=x|<!--|href="javascript/u);
    expect(shownOf(page)).toMatchObject({ data: { id: ATTACK, message: ATTACK } });
  });
});
