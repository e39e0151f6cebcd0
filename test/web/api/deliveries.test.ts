import { expect, test } from 'vitest';
import { committing, creating, firing, keysOf } from '../../support/firings.ts';
import { delivery, NOW } from '../../support/view-records.ts';
import { openSite } from '../open-site.ts';
import { differencesFrom, operationOf } from './answer-checks.ts';
import { openApi } from './open-api.ts';

test('a delivery has its attempts, its error and the people who sent it again', async () => {
  const { get, store } = await openApi();
  const fired = firing([creating(['x'])]);
  await store.ruleStates.commit(committing([fired]));
  const [id = ''] = keysOf(fired);
  const found = await store.deliveries.find(id);
  if (!found) throw new Error('the delivery was not stored');
  await store.deliveries.change(found, {
    state: 'failed',
    attempts: 2,
    since: NOW,
    attemptedAt: new Date(NOW.getTime() + 60_000),
    settledAt: new Date(NOW.getTime() + 61_000),
    error: { fault: 'rejected', message: 'X refused it.' },
    resends: [{ by: 'ada (Discord)', atMs: NOW.getTime(), failure: 'too long' }],
  });

  const answer = await get(`/api/deliveries/${id}`);

  expect(answer).toMatchObject({
    status: 200,
    json: {
      id,
      rule: found.rule,
      state: 'failed',
      attempts: 2,
      message: 'X refused it.',
      fault: 'rejected',
      firstAttemptAt: '2026-11-20T18:00:00.000Z',
      lastAttemptAt: '2026-11-20T18:01:00.000Z',
      settledAt: '2026-11-20T18:01:01.000Z',
      resends: [{ by: 'ada (Discord)', at: '2026-11-20T18:00:00.000Z', failure: 'too long' }],
    },
  });
  expect(differencesFrom(operationOf('get', '/api/deliveries/{delivery}'), answer)).toEqual([]);
});

test('an unknown delivery is a problem', async () => {
  const { get } = await openApi();

  const answer = await get('/api/deliveries/nowhere');

  expect(answer).toMatchObject({ status: 404, json: { code: 'deliveryNotFound' } });
  expect(differencesFrom(operationOf('get', '/api/deliveries/{delivery}'), answer)).toEqual([]);
});

test('the export has all pages that the filters find, and quotes cells', async () => {
  const { routes, apiQueries } = await openSite();
  const others = Array.from({ length: 150 }, (_, index) => delivery(`d${index}`));
  apiQueries.deliveryList = [
    delivery('first', { text: 'a "quoted", text\nin lines', item: { key: 'k', name: 'Ada' } }),
    ...others,
    delivery('failed', { state: 'failed' }),
  ];

  const answer = await routes.request('/api/deliveries/export?state=sent');
  const lines = (await answer.text()).split('\r\n');

  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
    200,
    'text/csv; charset=utf-8',
    'attachment; filename="deliveries.csv"',
  ]);
  expect(lines).toHaveLength(153);
  expect(lines.slice(0, 2)).toEqual([
    'id,createdAt,sentAt,rule,item,do,account,state,attempts,text,url,message',
    'first,2026-11-20T17:57:00.000Z,2026-11-20T17:57:00.000Z,valorant-top,Ada,social.createPost,sandbox,sent,1,"a ""quoted"", text\nin lines",https://example.test/posts/p1,',
  ]);
});

test.for(['=HYPERLINK("x")', '+1', '-1', '@SUM(A1)', '\tx', '＝1+1'])('a spreadsheet does not run %j', async (text) => {
  const { routes, apiQueries } = await openSite();
  apiQueries.deliveryList = [delivery('d1', { text })];

  const [, line = ''] = (await (await routes.request('/api/deliveries/export')).text()).split('\r\n');

  expect(line).toContain(`'${text.replaceAll('"', '""')}`);
});

test.for([
  ['live now;=1+1;', "live now;'=1+1;"],
  ['a;"=1+1;', 'a;""\'=1+1;'],
  ["first\n=cmd|'/C calc'!A0", "first\n'=cmd|'/C calc'!A0"],
  ['1;2, a=b and x@y;z-1', '1;2, a=b and x@y;z-1'],
] as const)('a spreadsheet that splits rows at semicolons does not run %j', async ([text, cell]) => {
  const { routes, apiQueries } = await openSite();
  apiQueries.deliveryList = [delivery('d1', { text })];

  const answer = await (await routes.request('/api/deliveries/export')).text();

  expect(answer).toContain(cell);
});

test('the export as JSON has all pages that the filters find, as the list shows them', async () => {
  const { routes, apiQueries } = await openSite();
  apiQueries.deliveryList = [
    ...Array.from({ length: 250 }, (_, index) => delivery(`d${index}`, { text: 'a "quoted", text\nin lines' })),
    delivery('failed', { state: 'failed' }),
  ];

  const answer = await routes.request('/api/deliveries/export?state=sent&format=json');
  const list: unknown = await (await routes.request('/api/deliveries?state=sent&limit=100')).json();
  const items: unknown = await answer.json();

  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
    200,
    'application/json',
    'attachment; filename="deliveries.json"',
  ]);
  expect(items).toHaveLength(250);
  expect({ items: (items as readonly unknown[]).slice(0, 100) }).toEqual({ items: (list as { readonly items: unknown }).items }); // as the reference describes them
});

test.for([
  ['csv', 'id,createdAt,sentAt,rule,item,do,account,state,attempts,text,url,message\r\n'],
  ['json', '[\n]\n'],
] as const)('an export as %s without deliveries is complete', async ([format, text]) => {
  const { routes } = await openSite();

  expect(await (await routes.request(`/api/deliveries/export?format=${format}`)).text()).toBe(text);
});

test('the export reads a page when its reader has taken the page before', async () => {
  const { routes, apiQueries } = await openSite();
  apiQueries.deliveryList = Array.from({ length: 10_000 }, (_, index) => delivery(`d${index}`));
  let pages = 0;
  const read = apiQueries.deliveries.bind(apiQueries);
  apiQueries.deliveries = (query) => (pages++, read(query));

  const answer = await routes.request('/api/deliveries/export?format=json');
  const reader = answer.body?.getReader();
  await reader?.read();

  expect(pages).toBeLessThan(10);
  await reader?.cancel();
});

test('an export that cannot be read is a problem, and one that ends early is no JSON', async () => {
  const { routes, apiQueries } = await openSite();
  apiQueries.deliveryList = Array.from({ length: 150 }, (_, index) => delivery(`d${index}`));
  const read = apiQueries.deliveries.bind(apiQueries);
  apiQueries.deliveries = (query) => (query.cursor === undefined ? read(query) : Promise.reject(new Error('disk')));

  const answer = await routes.request('/api/deliveries/export?format=json');
  await expect(answer.text()).rejects.toThrow('disk');
  apiQueries.deliveries = () => Promise.reject(new Error('disk'));
  expect((await routes.request('/api/deliveries/export?format=json')).status).toBe(500);
  expect((await routes.request('/api/deliveries/export?format=xml')).status).toBe(400);
});
