import { expect, test } from 'vitest';
import { openSite } from '../open-site.ts';

const VERSION = { number: 7, publishedAt: new Date('2026-11-20T17:45:00Z'), by: 'ci <b>', note: '4f2c9ad', repeats: 5 };

test('the page shows which version of the rules runs, and who published it', async () => {
  const { routes, views } = await openSite();
  views.version = VERSION;

  const page = await (await routes.request('/')).text();
  const text = page.replaceAll(/<[^>]+>/gu, '').replaceAll(/\s+/gu, ' ');

  expect(text).toMatch(/Version 7, published .* UTC by ci &lt;b&gt; \(repeats version 5\) 4f2c9ad/u);
});

test('the page of rules from a folder shows no version', async () => {
  const { routes } = await openSite();

  expect(await (await routes.request('/')).text()).not.toContain('data-key="version"');
});

test('the list of rules has the version', async () => {
  const { routes, views } = await openSite();
  expect(await (await routes.request('/api/rules')).json()).toEqual({ items: [] });
  views.version = VERSION;

  expect(await (await routes.request('/api/rules')).json()).toEqual({
    items: [],
    version: { number: 7, publishedAt: '2026-11-20T17:45:00.000Z', by: 'ci <b>', note: '4f2c9ad', repeats: 5 },
  });
});
