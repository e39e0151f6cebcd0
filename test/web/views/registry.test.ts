import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { VIEW_PATHS } from '#src/web/views/paths.ts';
import { VIEWS } from '#src/web/views/registry.ts';
import { openSandboxSite } from '../open-sandbox-site.ts';
import { openSite } from '../open-site.ts';

const MOST_BYTES = 60_000;

test('the server has a route for each view', () => {
  expect(VIEWS.map(({ path }) => path).toSorted()).toEqual(Object.values<string>(VIEW_PATHS).toSorted());
});

test('the links of the navigation bar lead to pages, and each page marks its link', async () => {
  const { routes, views } = await openSite(await openSandboxSite());
  views.decisionList = [];
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

test('the script of the views is small, and is made from the sources if there is no build', async () => {
  const { routes } = await openSite();

  const answer = await routes.request('/views.js');
  const script = await answer.text();

  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect(gzipSync(script).byteLength).toBeLessThan(MOST_BYTES);
  expect(script).not.toMatch(/\bimport\b\s*["'{]/u);
});
