import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { LANGUAGES } from '#src/web/language.ts';
import { navigationBar } from '#src/web/page/navigation-bar.ts';
import { VIEW_PATHS } from '#src/web/views/paths.ts';
import { VIEW_LOADERS } from '#src/web/views/registry.ts';
import { SETTINGS_TEXTS } from '#src/web/views/texts/settings.ts';
import { fakeLists, livingList } from '../../support/fake-lists.ts';
import { noOperations } from '../../support/operations.ts';
import { openSandboxSite } from '../open-sandbox-site.ts';
import { openSite } from '../open-site.ts';

const MOST_BYTES = { en: 46_000, de: 56_000 };

test('the server has a route for each view', async () => {
  const apiQueries = await Promise.all(Object.values(VIEW_LOADERS).map((load) => load()));

  expect(apiQueries.map(({ path }) => path)).toEqual(Object.keys(VIEW_LOADERS));
  expect(Object.keys(VIEW_LOADERS).toSorted()).toEqual(Object.values<string>(VIEW_PATHS).toSorted());
});

test('the links of the navigation bar lead to pages, and each page marks its link', async () => {
  const { routes, apiQueries } = await openSite(await openSandboxSite());
  apiQueries.decisionList = [];
  const overview = await (await routes.request('/overview')).text();
  const links = [...overview.matchAll(/<nav class="navigation".*?<\/nav>/gsu)].flatMap(([bar]) =>
    [...bar.matchAll(/href="([^"]+)"/gu)].map(([, path = '']) => path),
  );

  expect(links.length).toBeGreaterThan(1);
  for (const path of links) {
    const page = await (await routes.request(path)).text();
    expect(page).toMatch(new RegExp(`<a href="${path}" aria-current="page">`, 'u'));
    expect(page.match(/aria-current="page"/gu)).toHaveLength(1);
  }
});

test('a page below another one marks the link of that page', async () => {
  const { routes } = await openSite({ operations: { ...noOperations, lists: fakeLists([livingList('team', {})]) } });

  const page = await (await routes.request('/lists/team')).text();

  expect([...page.matchAll(/<a href="([^"]+)" aria-current="true">/gu)].map(([, path]) => path)).toEqual(['/lists']);
});

test.each([
  ['/deliveries/gone', '<a href="/deliveries">Deliveries</a>'],
  ['/lists/gone', '<a href="/lists">Lists</a>'],
])('the page of a record that does not exist leads to its list: %s', async (path, link) => {
  const { routes } = await openSite({
    operations: { ...noOperations, findDelivery: () => Promise.resolve(undefined), lists: fakeLists([]) },
  });

  const answer = await routes.request(path);

  expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining(link)]);
});

test.each(Object.values(VIEW_PATHS))('the page %s marks one link of the navigation bar', async (path) => {
  const bar = await navigationBar(path, { language: 'en', hasSandbox: true });

  expect(bar.match(/aria-current=/gu)).toHaveLength(1);
});

test.for(LANGUAGES)(
  'the scripts of each view in the language %s are small, and made from the sources without a build',
  async (language) => {
    const { routes } = await openSite();
    const scriptOf = async (path: string): Promise<string> => {
      const answer = await routes.request(path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
      return answer.text();
    };

    const first = await scriptOf(`/views.${language}.js`);
    const parts = [...new Set([...first.matchAll(/\.\/(views\/[\w-]+\.js)/gu)].map(([, path = '']) => path))];
    const codes = new Map<string, string>();
    for (const part of parts) codes.set(part, await scriptOf(`/${part}`));
    const sizes = new Map([...codes].map(([part, code]) => [part, gzipSync(code).byteLength]));

    const [shared = '', ...others] = parts.filter((part) => part.includes('/shared-'));
    expect(others).toEqual([]);
    // The view of the simulated Discord loads one more script.
    expect(parts).toHaveLength(Object.keys(VIEW_LOADERS).length + 2);
    const ofAll = gzipSync(first).byteLength + (sizes.get(shared) ?? 0);
    sizes.delete(shared);
    expect([...sizes].filter(([, size]) => ofAll + size >= MOST_BYTES[language])).toEqual([]);
    const settings = codes.get(parts.find((part) => part.includes('/settings-')) ?? '') ?? '';
    expect(LANGUAGES.filter((one) => settings.includes(SETTINGS_TEXTS[one].title))).toEqual([language]);
    expect((await routes.request('/views/nothing-1.js')).status).toBe(404);
    expect((await routes.request('/views/..%2F..%2Fassets.js')).status).toBe(404);
  },
);
