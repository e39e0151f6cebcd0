import { describe, expect, test } from 'vitest';
import type { Operations } from '#src/web/api/operations.ts';
import { createApiClient } from '#src/web/client/client.ts';
import { list } from '#src/web/views/list.ts';
import { fakeLists, livingList } from '../../support/fake-lists.ts';
import { fakeStreaming } from '../../support/fake-streaming.ts';
import { noOperations } from '../../support/operations.ts';
import { formsIn } from '../../support/page-forms.ts';
import { shownOf, textOf } from '../../support/page-text.ts';
import { check } from '../../support/rule-language.ts';
import { minutesAgo } from '../../support/view-records.ts';
import { Browser } from '../auth/browser.ts';
import { openSite } from '../open-site.ts';

const ATTACK = '</script><script>document.title="taken"</script><!--"\'><img src=x onerror=alert(1)>';
const SERVER = '1202584131993600001';

const RULES = [
  'id: watcher\nwhen: { every: 1m, people: team }\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n',
  'id: reader\nwhen: { every: 1h }\nif: size(lists.team) > 0\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n',
].flatMap((source) => check(source, { lists: { team: null } }).rules);

const TEAM = livingList('team', {
  ada: { twitch: 'ada', name: 'Ada L', userIds: { twitch: 'twitch-ada' } },
  grace: { kick: 'grace', color: 3 },
});
const FILE = { ...livingList('partners', { alan: {} }), kind: 'file' as const, file: 'lists/partners.yaml' };
const CHANGE = {
  id: 'c1',
  at: minutesAgo(5),
  by: { name: 'bob', via: 'discord' as const },
  list: 'team',
  before: { ada: null, eve: { twitch: 'eve' }, grace: {} },
  after: { ada: { twitch: 'ada' }, eve: null, grace: { color: 3 } },
};

function operationsOf(over: Partial<Operations> = {}): Operations {
  return {
    ...noOperations,
    servers: () => Promise.resolve([{ id: SERVER, name: 'Chess Club', roles: {}, joinedAt: minutesAgo(9) }]),
    lists: fakeLists([TEAM, FILE, livingList('followed', { ada: {} }, SERVER)], [CHANGE]),
    loadedRules: { now: { rules: RULES }, isOn: ({ id }) => id !== 'reader' },
    streaming: fakeStreaming({ twitch: ['ada', 'Lin'], kick: ['lin'] }),
    ...over,
  };
}

async function pageOf(path: string, over?: Partial<Operations>, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const { routes } = await openSite({ operations: operationsOf(over) });
  return (await routes.request(path, { headers })).text();
}

describe('the view of all lists', () => {
  test('names each list with its rules and with who can change it', async () => {
    const page = await pageOf('/lists');

    expect(textOf(page)).toContain('team edited here 2 entries Watched by watcher Read by reader (off)');
    expect(textOf(page)).toContain('partners file 1 entry lists/partners.yaml No loaded rule reads it.');
    expect(textOf(page)).toContain('followed edited here 1 entry Discord server Chess Club');
    for (const address of ['/lists/team', `/lists/followed?server=${SERVER}`, '/rules/watcher'])
      expect(page).toContain(`href="${address}"`);
  });

  test('is in the language of the reader', async () => {
    const text = textOf(await pageOf('/lists', {}, { 'accept-language': 'de' }));

    expect(text).toContain('team hier bearbeitet 2 Einträge Beobachtet von watcher Gelesen von reader (aus)');
  });

  test('has pages', async () => {
    const many = Array.from({ length: 120 }, (_, index) => livingList(`l${index}`, { ada: {} }));
    const lists = fakeLists(many);

    expect((await pageOf('/lists', { lists })).match(/class="what"/gu)).toHaveLength(50);
    const last = await pageOf('/lists?from=100', { lists });
    expect(last.match(/class="what"/gu)).toHaveLength(20);
    expect(last).not.toContain('rel="next"');
    expect((await pageOf('/lists?from=-1', { lists })).match(/class="what"/gu)).toHaveLength(50);
  });
});

describe('the view of a list', () => {
  test('shows its entries with links to their histories, and its changes', async () => {
    const page = await pageOf('/lists/team');
    const text = textOf(page);

    expect(text).toContain('Ada L ada twitch: ada why? Ada L');
    expect(text).toContain('grace kick: grace color: 3 why? grace');
    expect(text).not.toContain('userIds');
    expect(text).toContain('added: ada; removed: eve; changed: grace by bob 20 Nov, 17:55 UTC');
    expect(page).toContain('href="/why?q=Ada+L"');
  });

  test('names the first entries of a large change, and leaves its fields out of the document', async () => {
    const after = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`e${index}`, { note: 'imported' }]));
    const before = Object.fromEntries(Object.keys(after).map((id) => [id, null]));

    const page = await pageOf('/lists/team', { lists: fakeLists([TEAM], [{ ...CHANGE, before, after }]) });

    expect(textOf(page)).toContain('added: e0, e1, e2, e3, e4 and 995 more by bob');
    expect(page).not.toContain('imported');
  });

  test('shows its changes also after newer changes of lists of servers with the same name', async () => {
    const ofServer = Array.from({ length: 20 }, (_, index) => ({ ...CHANGE, id: `s${index}`, server: SERVER }));
    const forms = formsIn(await pageOf('/lists/team', { lists: fakeLists([TEAM], [...ofServer, CHANGE]) }));

    expect(forms.filter(([operation]) => operation === 'undoListChange')).toEqual([['undoListChange', { change: 'c1' }]]);
  });

  test('removes each entry, takes changes back, and adds other entries', async () => {
    const forms = formsIn(await pageOf('/lists/team'));

    expect(forms).toEqual([
      ['addListEntries', { list: 'team', entries: [{ fields: {} }] }],
      ['removeListEntries', { list: 'team', entries: ['ada'] }],
      ['removeListEntries', { list: 'team', entries: ['grace'] }],
      ['undoListChange', { change: 'c1' }],
      ['deleteList', { list: 'team' }],
    ]);
  });

  test('finds people on all platforms, with their pictures', async () => {
    const page = await pageOf('/lists/team?add=lin%20ada%20nobody');

    expect(textOf(page)).toContain(
      'Lin twitch Lin twitch Add Lin (twitch) to team lin kick lin kick Add lin (kick) to team Add Lin with all channels',
    );
    expect(textOf(page)).toContain('ada twitch ada twitch in the list');
    expect(textOf(page)).toContain('No platform has the name nobody. Similar names: twitch.tv/ada twitch.tv/Lin kick.com/lin');
    expect(page).toContain('src="https://pictures.test/Lin.png"');
    expect(
      formsIn(page).filter(([operation, input]) => operation === 'addListEntries' && JSON.stringify(input).includes('userIds')),
    ).toEqual([
      [
        'addListEntries',
        { list: 'team', entries: [{ id: 'lin', fields: { twitch: 'Lin', userIds: { twitch: 'twitch-Lin' }, name: 'Lin' } }] },
      ],
      ['addListEntries', { list: 'team', entries: [{ id: 'lin', fields: { kick: 'lin', userIds: { kick: 'kick-lin' }, name: 'lin' } }] }],
      [
        'addListEntries',
        {
          list: 'team',
          entries: [
            { id: 'lin', fields: { twitch: 'Lin', kick: 'lin', userIds: { twitch: 'twitch-Lin', kick: 'kick-lin' }, name: 'Lin' } },
          ],
        },
      ],
    ]);
  });

  test('searches no platform again for a reader who sees the result', async () => {
    const address = { parameters: { list: 'team' }, query: { add: 'lin' } };
    const calls: string[] = [];
    const { routes } = await openSite({ operations: operationsOf() });
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const request = new Request(input, init);
      calls.push(new URL(request.url).pathname);
      return routes.request(request);
    };
    const client = createApiClient({ url: 'http://localhost', fetch });

    const first = await list.load(client, address, 'en');
    const again = await list.load(client, address, 'en', { data: first, isActedOn: true });

    expect(again).toEqual(first);
    expect(first).toMatchObject({ search: { streamers: [{ handle: 'Lin' }, { handle: 'lin' }] } });
    expect(calls.filter((path) => path === '/api/streamers')).toHaveLength(1);
  });

  test('finds ten people by long links', async () => {
    const handles = Array.from({ length: 10 }, (_, index) => `${'n'.repeat(24)}${index}`);
    const links = handles.map((handle) => `https://www.twitch.tv/${handle}?referrer=raid`);
    const page = await pageOf(`/lists/team?add=${encodeURIComponent(links.join(' '))}`, { streaming: fakeStreaming({ twitch: handles }) });

    const [, shown = ''] = /<ul class="found">(.*?)<\/ul>/su.exec(page) ?? [];
    expect(handles.filter((handle) => shown.includes(handle))).toEqual(handles);
    // A browser cuts pasted text to this length without a word.
    expect(Number(/name="add"[^>]*maxlength="(\d+)"/u.exec(page)?.[1])).toBeGreaterThan(links.join(' ').length);
  });

  test('says on the page of the list that a search has too many names, and keeps the names', async () => {
    const names = Array.from({ length: 11 }, (_, index) => `name${index}`).join(' ');

    const page = await pageOf(`/lists/team?add=${encodeURIComponent(names)}`);

    expect(textOf(page)).toContain('Search for at most 10 names at once.');
    expect(page).toContain(`value="${names}"`);
    expect(textOf(page)).toContain('2 entries');
  });

  test('finds a renamed person in the list, and adds another person who has the old name now', async () => {
    const lists = fakeLists([livingList('team', { old: { twitch: 'old', userIds: { twitch: 'twitch-new' } } })]);
    const streaming = fakeStreaming({ twitch: ['old', 'new'] });

    const page = await pageOf('/lists/team?add=twitch.tv/old%20twitch.tv/new', { lists, streaming });

    expect(textOf(page)).toContain('new twitch new twitch in the list');
    expect(
      formsIn(page).flatMap(([operation, input]) =>
        operation === 'addListEntries' && JSON.stringify(input).includes('userIds') ? [input] : [],
      ),
    ).toMatchObject([{ entries: [{ id: 'old-twitch', fields: { twitch: 'old', userIds: { twitch: 'twitch-old' } } }] }]);
  });

  test('says that a platform does not answer', async () => {
    const page = await pageOf('/lists/team?add=ada', { streaming: fakeStreaming({ twitch: undefined }) });

    expect(textOf(page)).toContain('ada could not be searched, because twitch does not answer.');
  });

  test('a list in a file says so, and has no forms', async () => {
    const page = await pageOf('/lists/partners');

    expect(textOf(page)).toContain('This list is in the file lists/partners.yaml. To change it, edit the file.');
    expect(formsIn(page)).toEqual([]);
    expect(textOf(page)).not.toContain('Changes');
  });

  test('a list of a server keeps its server', async () => {
    const page = await pageOf(`/lists/followed?server=${SERVER}`);

    expect(page).toContain('<title>List followed: Chess Club · Fanfare</title>');
    expect(textOf(page)).toContain('Discord server Chess Club');
    expect(formsIn(page)).toContainEqual(['removeListEntries', { list: 'followed', server: SERVER, entries: ['ada'] }]);
    expect(page).toContain(`<input type="hidden" name="server" value="${SERVER}"/>`);
  });

  test.for(['?add=ada', '?q=ada', '?q='])('the same search loads the page again: %s', async (query) => {
    expect(await pageOf(`/lists/team${query}`)).toContain('<input type="hidden" name="again" value="yes"/>');
    expect(await pageOf(`/lists/team${query}&again=yes`)).not.toContain('name="again"');
  });

  test.for([
    ['?q=GRACE', ['grace']],
    ['?q=ada%20l', ['ada']],
    ['?q=nobody', []],
    ['?from=1', ['grace']],
    ['?from=x', ['ada', 'grace']],
  ] as const)('shows the entries of a page: %s', async ([query, expected]) => {
    const shown = shownOf(await pageOf(`/lists/team${query}`)) as {
      readonly data: { readonly entries: readonly { readonly id: string }[] };
    }; // the data of the view

    expect(shown.data.entries.map(({ id }) => id)).toEqual(expected);
  });

  test('the document has one page of a long list', async () => {
    const entries = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`p${index}`, { twitch: `p${index}` }]));
    const page = await pageOf('/lists/team', { lists: fakeLists([livingList('team', entries)]) });

    expect(page.match(/class="entry"/gu)).toHaveLength(50);
    expect(textOf(page)).toContain('1000 entries');
    expect(page).toContain('href="/lists/team?from=50" rel="next"');
    expect(page.length).toBeLessThan(60_000);
  });

  test('a deleted list has its changes, which bring it back', async () => {
    const page = await pageOf('/lists/team', { lists: fakeLists([], [CHANGE]) });

    expect(formsIn(page)).toEqual([['undoListChange', { change: 'c1' }]]);
    expect(textOf(page)).not.toContain('0 entries');
  });

  test('an unknown list is not found, and a wrong name is a problem', async () => {
    const { routes } = await openSite({ operations: operationsOf() });

    expect((await routes.request('/lists/nowhere')).status).toBe(404);
    expect((await routes.request('/lists/NO-NAME')).status).toBe(400);
  });

  test('viewers see no forms and cause no search, editors do', async () => {
    const { routes, access } = await openSite({ host: '0.0.0.0', allowedHosts: ['fanfare.example'], operations: operationsOf() });
    for (const [role, forms, hasSearch] of [
      ['viewer', 0, false],
      ['editor', 6, true],
    ] as const) {
      await access.addPerson({ name: role, role, password: 'correct horse battery' }, { name: 'root', via: 'cli', role: 'admin' });
      const browser = new Browser(routes, { address: '192.0.2.1' });
      await browser.signIn(role, 'correct horse battery');
      const page = await (await browser.request('/lists/team?add=twitch.tv/lin')).text();

      expect(formsIn(page), role).toHaveLength(forms);
      expect(page.includes('pictures.test'), role).toBe(hasSearch);
      expect(formsIn(await (await browser.request('/lists')).text()), role).toHaveLength(hasSearch ? 1 : 0);
    }
  });

  test('texts of platforms, files and people stay texts', async () => {
    const entries = { [ATTACK]: { name: ATTACK, x: ATTACK } };
    const change = { ...CHANGE, by: { name: ATTACK, via: 'api' as const }, before: {}, after: { [ATTACK]: { x: 1 } } };
    const broken = { ...FILE, file: ATTACK, source: { watch: ATTACK, account: ATTACK, with: {}, problem: ATTACK } };
    const lists = fakeLists([livingList('team', entries), broken], [change]);
    const streaming = fakeStreaming({ [ATTACK]: ['ada'] });

    for (const path of ['/lists', '/lists/team?add=ada', `/lists/team?q=${encodeURIComponent(ATTACK)}`, '/lists/partners']) {
      const page = await pageOf(path, { lists, streaming });
      expect(page.match(/<script/gu), path).toHaveLength(2);
      expect(page, path).not.toMatch(/<img src=x|<!--|href="javascript/u);
    }
  });
});
