import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openSite } from './open-site.ts';

const GZIP = { 'Accept-Encoding': 'gzip, br' };

test.for(['/overview', '/page.css', '/demo.js', '/views.en.js'])('%s is compressed for browsers that read it', async (path) => {
  const { routes } = await openSite();

  const plain = await routes.request(path);
  const answer = await routes.request(path, { headers: GZIP });

  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(answer.headers.get('Content-Encoding')).toBe('gzip');
  expect(answer.headers.get('Vary')).toContain('Accept-Encoding');
  expect(plain.headers.get('Content-Encoding')).toBeNull();
  expect(gunzipSync(bytes).byteLength).toBe((await plain.arrayBuffer()).byteLength);
});

test('a page that another site opens is not compressed, because its length would show secrets', async () => {
  const { routes } = await openSite();

  const answer = await routes.request('/why', { headers: { ...GZIP, 'Sec-Fetch-Site': 'cross-site' } });

  expect([answer.status, answer.headers.get('Content-Encoding')]).toEqual([200, null]);
});

test('answers of the API are not compressed', async () => {
  const { routes } = await openSite();

  const answer = await routes.request('/api/status', { headers: GZIP });

  expect([answer.status, answer.headers.get('Content-Encoding')]).toEqual([200, null]);
});

test('a browser keeps its copy of a style or a script as long as it is current', async () => {
  const { routes } = await openSite();
  const first = await routes.request('/page.css', { headers: GZIP });
  const tag = first.headers.get('ETag') ?? '';

  const same = await routes.request('/page.css', { headers: { ...GZIP, 'If-None-Match': tag } });
  const other = await routes.request('/page.css', { headers: { ...GZIP, 'If-None-Match': '"other"' } });

  expect([same.status, await same.text(), same.headers.get('Cache-Control')]).toEqual([304, '', 'no-cache']);
  expect(other.status).toBe(200);
});
