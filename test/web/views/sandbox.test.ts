import { expect, test } from 'vitest';
import { formsIn } from '../../support/page-forms.ts';
import { shownOf, textOf } from '../../support/page-text.ts';
import { delivery } from '../../support/view-records.ts';
import { Browser } from '../auth/browser.ts';
import { openSandboxSite } from '../open-sandbox-site.ts';
import { openSite } from '../open-site.ts';

const ATTACK = '</script><script>document.title="taken"</script><img src=x onerror=alert(1)>';

/** The different writes of the forms: the operation, and what it does or whom it concerns. */
function writesIn(page: string): ReadonlySet<string> {
  return new Set(
    formsIn(page).map(([operation, input]) => {
      const { do: order, platform, speed, forwardMs }: Readonly<Record<string, string | number | undefined>> = { ...input };
      return [operation, ...[order, platform, speed, forwardMs].flatMap((value) => (value === undefined ? [] : [String(value)]))].join(' ');
    }),
  );
}

test('shows streamers, deliveries, faults and the time', async () => {
  const { sandbox, sandboxOrigin, operations } = await openSandboxSite();
  const nowMs = sandbox.clock.nowMs();
  sandbox.world.order({ do: 'goLive', user: 'ada', game: 'Chess', title: 'Rook endgames', viewers: 12_000 }, nowMs);
  sandbox.world.order({ do: 'end', user: 'grace' }, nowMs);
  sandbox.faults.add({ platform: 'discord', kind: 'resetAfter', route: '/messages', times: 1 });
  const { routes, apiQueries } = await openSite({ sandboxOrigin, operations });
  apiQueries.deliveryList = [delivery('d1', { item: { key: 'twitch/1', name: 'Ada' }, text: 'Ada is live!' })];

  const page = await (await routes.request('/sandbox')).text();

  const text = textOf(page);
  expect(text).toMatch(/Ada live Rook endgames Chess 12,000 viewers started 20 Nov, 18:00 UTC/u);
  expect(text).toMatch(/Grace offline/u);
  expect(text).toContain('social.createPost → sandbox Ada Ada is live!');
  expect(text).toContain('discord : do it, but lose the answer on paths with /messages for 1 more request');
  expect(text).toContain('Now 20 Nov, 18:00:00 UTC Speed as the real time');
  expect(page).toContain('<a href="/sandbox" aria-current="page">Sandbox</a>');
});

test('is in German for German readers', async () => {
  const { routes } = await openSite(await openSandboxSite());

  const text = textOf(await (await routes.request('/sandbox', { headers: { 'accept-language': 'de' } })).text());

  for (const part of [
    'Was Fanfare getan hat',
    'Eine Plattform stören',
    'Es gibt keine Störung.',
    'Vorspringen: 1 Minute',
    'Artikel veröffentlichen',
  ])
    expect(text).toContain(part);
});

test('searches and pages', async () => {
  const { sandbox, ...options } = await openSandboxSite();
  sandbox.world.order({ do: 'goLive', user: 'ada' }, sandbox.clock.nowMs());
  const { routes } = await openSite(options);
  const handlesAt = async (path: string): Promise<readonly string[]> => {
    const page = await (await routes.request(path)).text();
    const { data } = shownOf(page) as { readonly data: { readonly streamers: readonly { readonly user: { readonly handle: string } }[] } }; // the data of the view
    return data.streamers.map(({ user }) => user.handle);
  };

  const first = await (await routes.request('/sandbox')).text();
  const [, more = ''] = /href="([^"]*)" rel="next"/u.exec(first.replaceAll('&amp;', '&')) ?? [];
  const handles = await handlesAt('/sandbox');

  expect(handles).toHaveLength(8);
  expect(await handlesAt(more)).toHaveLength(8);
  expect((await handlesAt(more)).some((handle) => handles.includes(handle))).toBe(false);
  expect(await handlesAt('/sandbox?q=ADA&state=live')).toContain('ada');
  expect(await handlesAt('/sandbox?q=ada&state=offline')).not.toContain('ada');
  expect(await handlesAt('/sandbox?state=wrong&cursor=wrong')).toEqual(handles);
  expect(textOf(await (await routes.request('/sandbox?q=nobody%20at%20all')).text())).toContain('No streamer matches this search.');
});

test('a role has the buttons that it may press', async () => {
  const { sandbox, ...options } = await openSandboxSite();
  sandbox.world.order({ do: 'goLive', user: 'ada' }, sandbox.clock.nowMs());
  sandbox.world.order({ do: 'end', user: 'grace' }, sandbox.clock.nowMs());
  sandbox.faults.add({ platform: 'twitch', kind: 'status' });
  sandbox.faults.add({ platform: 'discord', kind: 'status' });
  const { routes, access } = await openSite({ ...options, host: '0.0.0.0', allowedHosts: ['fanfare.example'] });
  const writesOf = async (role: 'viewer' | 'editor' | 'admin'): Promise<ReadonlySet<string>> => {
    await access.addPerson({ name: role, role, password: 'correct horse battery' }, { name: 'root', via: 'cli', role: 'admin' });
    const browser = new Browser(routes, { address: '192.0.2.1' });
    await browser.signIn(role, 'correct horse battery');
    return writesIn(await (await browser.request('/sandbox')).text());
  };
  const ofEditors = [
    'changeSandboxWorld goLive',
    'changeSandboxWorld changeGame',
    'changeSandboxWorld setViewers',
    'changeSandboxWorld end',
    'addSandboxFault',
    'endSandboxFaults twitch',
    'endSandboxFaults discord',
    'endSandboxFaults',
    'publishSandboxArticle',
  ];

  expect(await writesOf('viewer')).toEqual(new Set());
  expect(await writesOf('editor')).toEqual(new Set(ofEditors));
  const ofAdmins = await writesOf('admin');
  expect(ofAdmins).toEqual(
    new Set([
      ...ofEditors,
      ...[1, 5, 20].map((speed) => `moveSandboxClock ${speed}`),
      ...[60_000, 600_000, 3_600_000, 86_400_000].map((ms) => `moveSandboxClock ${ms}`),
    ]),
  );
});

test('a clock that is not shared has no buttons', async () => {
  const { routes } = await openSite(await openSandboxSite({ isClockShared: false }));

  const page = await (await routes.request('/sandbox')).text();

  expect(textOf(page)).toContain('This clock cannot be moved');
  expect([...writesIn(page)].filter((write) => write.startsWith('moveSandboxClock'))).toEqual([]);
});

test('texts of platforms stay texts', async () => {
  const { sandbox, ...options } = await openSandboxSite();
  sandbox.world.order({ do: 'goLive', user: 'ada', title: ATTACK }, sandbox.clock.nowMs());
  sandbox.faults.add({ platform: 'discord', kind: 'status', route: ATTACK });
  const { routes, apiQueries } = await openSite(options);
  apiQueries.deliveryList = [delivery('d1', { text: ATTACK, item: { key: 'twitch/1', name: ATTACK }, account: ATTACK, do: ATTACK })];

  const page = await (await routes.request(`/sandbox?q=${encodeURIComponent('"><img src=x>')}`)).text();
  const all = await (await routes.request('/sandbox')).text();

  for (const html of [page, all]) {
    expect(html.match(/<script/gu)).toHaveLength(2);
    expect(html).not.toMatch(/<img src=x/u);
  }
  expect(all).toContain('&lt;/script>&lt;script>');
});

test('with real accounts, there is no view and no link to it', async () => {
  const { routes } = await openSite();

  expect((await routes.request('/sandbox')).status).toBe(404);
  for (const path of ['/why', '/deliveries']) expect(await (await routes.request(path)).text()).not.toContain('href="/sandbox"');
});

test('a sandbox that does not answer is a problem', async () => {
  const { routes } = await openSite({ sandboxOrigin: 'http://127.0.0.1:1' });

  expect((await routes.request('/sandbox')).status).toBe(503);
});
