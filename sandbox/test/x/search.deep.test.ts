import { expect, test } from 'vitest';
import { createPost, openX } from './open-x.ts';

test.for([
  ['from:fanfare -is:retweet', 3],
  ['(from:fanfare OR from:ada) #chess', 1],
  ['from:fanfare has:media', 0],
  ['from:fanfare "two words"', 1],
  ['conversation_id:ID', 1],
  ['from:fanfare -is:reply knight', 1],
] as const)('the search %s finds %i posts', async ([query, count]) => {
  await using x = await openX();
  const { accessToken: token } = await x.session();
  await x.control('/settings', { searchLagMs: 0 });
  const id = await createPost(x, token, { text: 'A knight moves #chess' });
  for (const text of ['here are two words', 'and one word']) await createPost(x, token, { text });

  const path = `/2/tweets/search/recent?query=${encodeURIComponent(query.replace('ID', id))}`;
  const { body } = await x.send('GET', path, { token });

  expect(body).toMatchObject({ meta: { result_count: count } });
});

test.for(['has:media', 'unknown:1', '(from:ada', '-from:ada', ''])('X refuses the search "%s"', async (query) => {
  await using x = await openX();
  const { accessToken: token } = await x.session();
  const { status } = await x.send('GET', `/2/tweets/search/recent?query=${encodeURIComponent(query)}`, { token });
  expect(status).toBe(400);
});

test('a search shows posts after 30 seconds', async () => {
  await using x = await openX();
  const { accessToken: token } = await x.session();
  await createPost(x, token, { text: 'late' });
  const count = async (): Promise<unknown> => (await x.send('GET', '/2/tweets/search/recent?query=from:fanfare', { token })).body['meta'];

  expect(await count()).toMatchObject({ result_count: 0 });
  await x.clock.advance(30_000);
  expect(await count()).toMatchObject({ result_count: 1 });
});

test('pages continue after the last item, and show the faults', async () => {
  await using x = await openX();
  const { accessToken: token } = await x.session();
  for (let index = 0; index < 7; index++) await createPost(x, token, { text: `Post ${index}` });
  const path = `/2/users/${x.selfId}/tweets?max_results=5`;
  const page = async (more = '') => (await x.send('GET', path + more, { token })).body as { data?: object[]; meta: Record<string, string> };

  const first = await page();
  const next = `&pagination_token=${first.meta['next_token']}`;
  const second = await page(next);
  x.sandbox.faults.add({ platform: 'x', kind: 'emptyList', times: 1 });
  const empty = await page(next);
  x.sandbox.faults.add({ platform: 'x', kind: 'repeatedItem', times: 1 });
  const repeated = await page(next);

  expect([first.data?.length, second.data?.length, empty.data, repeated.data?.length]).toEqual([5, 2, undefined, 3]);
  expect(second.meta['next_token']).toBeUndefined();
});
