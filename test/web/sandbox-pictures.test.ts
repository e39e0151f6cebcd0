import { expect, test } from 'vitest';
import { PNG } from '../support/media-files.ts';
import { bytes, redirect, servePages } from '../support/pages.ts';
import { stream } from '../support/view-records.ts';
import { openSite } from './open-site.ts';

const png = bytes(PNG, { 'content-type': 'image/png' });

test('pictures of the sandbox load from the address of the page', async () => {
  await using sandbox = await servePages({ '/twitch/pictures/ada.png?at=1': png });
  const { routes, apiQueries } = await openSite({ sandboxOrigin: sandbox.url });
  apiQueries.streams = [stream('1', { thumbnailTemplate: undefined, thumbnailUrl: `${sandbox.url}/twitch/pictures/ada.png?at=1` })];

  const page = await (await routes.request('http://localhost:8080/demo')).text();
  const source = /src="(\/sandbox-pictures\/[^"]+)"/u.exec(page)?.[1] ?? '';
  const picture = await routes.request(`http://localhost:8080${source}`);

  expect(page).not.toContain(`src="${sandbox.url}`);
  expect(await (await routes.request('http://localhost:8080/demo/live')).text()).toContain(source);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(Buffer.from(await picture.arrayBuffer())).toEqual(PNG);
});

test.for([
  ['that is no picture', '/control/events'],
  ['that is not there', '/none.png'],
  ['that leads elsewhere', '/away.png'],
  ['of another server', '//evil.example/a.png'],
  ['of another server', '/@evil.example/a.png'],
] as const)('an address of the sandbox %s is not forwarded: %s', async ([, path]) => {
  await using other = await servePages({ '/secret.png': png });
  await using sandbox = await servePages({ '/control/events': '{"items":[]}', '/away.png': redirect(`${other.url}/secret.png`) });
  const { routes } = await openSite({ sandboxOrigin: sandbox.url });

  expect((await routes.request(`http://localhost/sandbox-pictures${path}`)).status).toBe(404);
  expect(other.asked).toEqual([]);
});

test('with real accounts, there is no such address', async () => {
  const { routes } = await openSite();

  expect((await routes.request('http://localhost/sandbox-pictures/a.png')).status).toBe(404);
});
