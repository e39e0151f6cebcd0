import { expect, test } from 'vitest';
import { PlatformError } from '#src/errors.ts';
import { createLog } from '#src/log.ts';
import { decision, delivery, message, NOW, post, rule, stream } from '../../support/view-records.ts';
import { openSite } from '../open-site.ts';

const ADA = { key: 'twitch/1', name: 'Ada', picture: 'https://example.test/ada.png' };

test('a delivery has exactly the documented fields', async () => {
  const { routes, apiQueries } = await openSite();
  const sent = delivery('d1', {
    message: undefined,
    item: ADA,
    textVersion: 'v1',
    text: 'Ada is live',
    texts: [{ parameter: 'text', text: 'Ada is live' }],
  });
  apiQueries.deliveryList = [{ ...sent, rendered: { text: 'a draft' } } as typeof sent]; // a row may hold more than its view

  const answer = await routes.request('/api/deliveries');

  expect(await answer.json()).toEqual({
    items: [
      {
        id: 'd1',
        rule: 'valorant-top',
        episode: 'ada@1763661600000',
        step: 'post',
        do: 'social.createPost',
        textVersion: 'v1',
        item: ADA,
        text: 'Ada is live',
        texts: [{ parameter: 'text', text: 'Ada is live' }],
        account: 'sandbox',
        state: 'sent',
        attempts: 1,
        createdAt: '2026-11-20T17:57:00.000Z',
        sentAt: '2026-11-20T17:57:00.000Z',
        result: { id: 'p1', url: 'https://example.test/posts/p1' },
      },
    ],
  });
});

test('a delivery that was not sent has no sentAt, and its message', async () => {
  const { routes, apiQueries } = await openSite();
  apiQueries.deliveryList = [delivery('d1', { state: 'failed', sentAt: undefined, result: undefined, message: 'x refused the text.' })];

  const answer = await routes.request('/api/deliveries');

  const { items } = (await answer.json()) as { items: [object] }; // asked for above
  expect(items[0]).not.toHaveProperty('sentAt');
  expect(items[0]).toHaveProperty('message', 'x refused the text.');
});

test('a record outside its schema does not fail the list', async () => {
  const { routes, apiQueries } = await openSite();
  apiQueries.deliveryList = [delivery('d1', { attempts: -1 }), delivery('d2')];

  const answer = await routes.request('/api/deliveries');

  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ items: [{ id: 'd1', attempts: -1 }, { id: 'd2' }] });
});

test('the cursors lead to every delivery once', async () => {
  const { routes, apiQueries } = await openSite();
  apiQueries.deliveryList = Array.from({ length: 7 }, (_, index) => delivery(`d${index}`));

  const met: string[] = [];
  let next: string | undefined = '';
  while (next !== undefined) {
    const answer = await routes.request(`/api/deliveries?limit=3${next === '' ? '' : `&cursor=${next}`}`);
    const page = (await answer.json()) as { items: { id: string }[]; cursor?: string }; // the promised form of a list
    met.push(...page.items.map(({ id }) => id));
    next = page.cursor;
  }

  expect(met).toEqual(['d0', 'd1', 'd2', 'd3', 'd4', 'd5', 'd6']);
});

test.for([
  ['/api/deliveries?rule=live-card', ['d2']],
  ['/api/deliveries?state=failed', ['d3']],
  ['/api/deliveries?rule=live-card&state=failed', []],
] as const)('%s returns the requested deliveries', async ([path, ids]) => {
  const { routes, apiQueries } = await openSite();
  apiQueries.deliveryList = [delivery('d1'), delivery('d2', { rule: 'live-card' }), delivery('d3', { state: 'failed' })];

  const { items } = (await (await routes.request(path)).json()) as { items: { id: string }[] }; // the promised form of a list

  expect(items.map(({ id }) => id)).toEqual(ids);
});

test('every filter of deliveries reaches the query', async () => {
  const { routes, apiQueries } = await openSite();
  const asked: unknown[] = [];
  apiQueries.deliveries = async (query) => {
    asked.push(query);
    return { items: [] };
  };

  await routes.request(
    '/api/deliveries?rule=a&item=twitch/1&account=x&state=sent&text=Ada%20live&since=2026-11-20T18:00:00Z&until=2026-11-20T20:00:00%2B01:00&order=oldest&limit=9',
  );

  expect(asked).toEqual([
    {
      rule: 'a',
      item: 'twitch/1',
      account: 'x',
      state: 'sent',
      text: 'Ada live',
      since: new Date('2026-11-20T18:00:00Z'),
      until: new Date('2026-11-20T19:00:00Z'),
      order: 'oldest',
      limit: 9,
    },
  ]);
});

test('decisions are filtered by rule and outcome, with their reasons', async () => {
  const { routes, apiQueries } = await openSite();
  apiQueries.decisionList = [
    decision({ outcome: 'suppressed', message: '48213 >= 50000 is false.' }),
    decision({ outcome: 'fired' }),
    decision({ outcome: 'suppressed', rule: 'other' }),
  ];

  const answer = await routes.request('/api/decisions?rule=valorant-top&outcome=suppressed');

  expect(await answer.json()).toEqual({
    items: [{ rule: 'valorant-top', at: '2026-11-20T17:59:00.000Z', outcome: 'suppressed', message: '48213 >= 50000 is false.' }],
  });
});

test('rules, live, posts and messages are whole lists', async () => {
  const { routes, apiQueries } = await openSite();
  apiQueries.ruleList = [rule('valorant-top')];
  apiQueries.streams = [stream('s1')];
  apiQueries.timeline = [post('p1')];
  apiQueries.channelMessages = [message('m1', { editedAt: NOW })];

  const read = async (name: string): Promise<unknown> => (await routes.request(`/api/${name}`)).json();

  expect(await read('rules')).toMatchObject({ items: [{ id: 'valorant-top', on: true, nextRunAt: '2026-11-20T18:00:08.000Z' }] });
  expect(await read('live')).toMatchObject({ items: [{ id: 's1', viewerCount: 12_345, owner: { displayName: 'Ada' } }] });
  expect(await read('posts')).toMatchObject({ items: [{ id: 'p1', author: { handle: 'fanfare' } }] });
  expect(await read('messages')).toMatchObject({ items: [{ id: '1/m1', editedAt: '2026-11-20T18:00:00.000Z' }] });
});

test('a page of rules has numbers, and is ordered by id', async () => {
  const { routes, apiQueries } = await openSite();
  apiQueries.ruleList = ['c', 'b', 'ab', 'a'].map((id) => rule(id, { announcements: [1, 2] }));
  const read = async (query: string): Promise<unknown> => (await routes.request(`/api/rules?${query}`)).json();

  expect(await read('limit=2&page=2')).toMatchObject({
    items: [{ id: 'b', announcements: [1, 2] }, { id: 'c' }],
    page: 2,
    pages: 2,
    found: 4,
    total: 4,
  });
  expect(await read('text=a')).toMatchObject({ items: [{ id: 'a' }, { id: 'ab' }], page: 1, pages: 1, found: 2, total: 4 });
  expect(await read('state=paused')).toMatchObject({ items: [], page: 1, pages: 1, found: 0, total: 4 });
});

test.for([
  ['/api/deliveries?limit=0', 'limit', 'limit: expected a whole number from 1 to 100.'],
  ['/api/deliveries?limit=101', 'limit', 'limit: expected a whole number from 1 to 100.'],
  ['/api/deliveries?limit=ten', 'limit', 'limit: expected a whole number from 1 to 100.'],
  [
    '/api/deliveries?stat=sent',
    'stat',
    'Unknown parameter "stat". Known parameters: rule, item, account, state, text, since, until, order, cursor, limit.',
  ],
  ['/api/deliveries?since=yesterday', 'since', 'since: expected an instant with a time zone, for example 2026-11-20T18:00:00Z.'],
  ['/api/deliveries?text=%21', 'text', 'text: expected at least one word.'],
  ['/api/deliveries?cursor=elsewhere', 'cursor', 'This cursor is not one of this list.'],
  ['/api/decisions?cursor=elsewhere', 'cursor', 'This cursor is not one of this list.'],
  ['/api/decisions?text=ada', 'text', 'text: expected together with rule.'],
  ['/api/live?limit=3', 'limit', 'Unknown parameter "limit". This path has no parameters.'],
  ['/api/rules?page=0', 'page', 'page: expected a whole number from 1.'],
  ['/api/rules?limit=1000', 'limit', 'limit: expected a whole number from 1 to 100.'],
  ['/api/rules?state=wrong', 'state', 'state: expected one of on, paused, failing, broken, off.'],
] as const)('%s is rejected with the parameter and its valid values', async ([path, parameter, error]) => {
  const { routes } = await openSite();

  const answer = await routes.request(path);

  expect(answer.status).toBe(400);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(await answer.json()).toEqual({
    type: 'about:blank',
    title: 'Bad Request',
    status: 400,
    code: 'invalidParameter',
    detail: error,
    parameter,
  });
});

test('a wrong state is rejected with the valid states', async () => {
  const { routes } = await openSite();

  const answer = await routes.request('/api/deliveries?state=done');

  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    detail: 'state: expected one of pending, sending, asked, sent, failed, unknown, skipped.',
    parameter: 'state',
  });
});

test('an unknown address of the API is a problem', async () => {
  const { routes } = await openSite();

  const answer = await routes.request('/api/rule');

  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ code: 'notFound', detail: 'There is no GET /api/rule.' });
});

test('the answer has the message of a platform error', async () => {
  const { routes, apiQueries } = await openSite();
  apiQueries.live = () =>
    Promise.reject(new PlatformError('twitch is rate limited until 18:04.', { platform: 'twitch', fault: 'rateLimited' }));

  const answer = await routes.request('/api/live');

  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: 'platformUnavailable', detail: 'twitch is rate limited until 18:04.' });
});

test('the log has the message of an internal error, and the answer does not', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], write: (line) => lines.push(line), color: false });
  const { routes, apiQueries } = await openSite({ log });
  apiQueries.rules = () => Promise.reject(new Error('database file is encrypted'));

  const answer = await routes.request('/api/rules');

  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain('encrypted');
  expect(lines.join('')).toContain('database file is encrypted');
});
