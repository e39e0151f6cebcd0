import { expect, test } from 'vitest';
import { idsOf } from '../../contract/social-fixture.ts';
import { ME, one, postRow, problem, rows, scriptX, userRow } from './script-x.ts';

const followersOf = (max: number, next?: string) =>
  `GET /2/users/42/followers?max_results=${max}${next === undefined ? '' : `&pagination_token=${next}`}`;
const follower = (id: string, ...status: readonly string[]) => userRow(`user_${id}`, { id, connection_status: status });

test('a scan stays within the budget and continues where it stopped', async () => {
  await using x = await scriptX(
    [
      [followersOf(3), rows([follower('1', 'following'), follower('2')], { next: 'n1' })],
      [followersOf(1, 'n1'), rows([follower('3', 'following')], { next: 'n2' })],
      [followersOf(3, 'n2'), rows([follower('4', 'following')])],
    ],
    { budgets: { usd: 0.03 } },
  );

  const first = await x.social.getMutualFollowers('42');
  const rest = await x.social.getMutualFollowers('42', { cursor: first.cursor });

  expect(first).toMatchObject({ scanned: 3, approximate: true });
  expect(idsOf(first)).toEqual(['1', '3']);
  expect(idsOf(rest)).toEqual(['4']);
  expect(rest.hasNext).toBe(false);
});

test('a scan stays within the number of requests', async () => {
  await using x = await scriptX(
    [
      [followersOf(100), rows([follower('1')], { next: 'n1' })],
      [followersOf(99, 'n1'), rows([], { next: 'n2' })],
    ],
    {
      budgets: { usd: 1, requests: 2 },
    },
  );

  expect(await x.social.getMutualFollowers('42')).toMatchObject({ length: 0, scanned: 1, approximate: true, hasNext: true });
});

test('a budget that is too small for one request is refused before any request', async () => {
  await using x = await scriptX([], { budgets: { usd: 0.02 } });

  await expect(x.social.getUserMedia('42')).rejects.toMatchObject({
    fault: 'rejected',
    message: expect.stringContaining('getUserMedia costs at least 0.025 USD per page, but the budget is 0.02 USD: raise the page budget'),
  });
});

test('a conversation beyond the budget is returned in part and marked as approximate', async () => {
  const asked = 'GET /2/tweets/search/recent?max_results=20&query=conversation_id:5&sort_order=recency';
  const answer = (id: string, to: string) => postRow(id, { conversation_id: '5', referenced_tweets: [{ type: 'replied_to', id: to }] });
  await using x = await scriptX(
    [
      ['GET /2/tweets/5', one(postRow('5'))],
      [asked.replace('=20', '=19'), rows([answer('9', '7'), answer('8', '5'), answer('7', '5')], { next: 'n1' })],
      [
        `${asked.replace('=20', '=16')}&next_token=n1`,
        rows([answer('6', '5'), ...Array.from({ length: 10 }, (_, n) => answer(`1${n}`, '9'))], { next: 'n2' }),
      ],
    ],
    { budgets: { usd: 0.1 } },
  );

  const threads = await x.social.getPostComments('5');

  expect(threads).toMatchObject({ approximate: true, hasNext: false, scanned: 14 });
  expect(idsOf(threads)).toEqual(['8', '7', '6']);
  expect(
    threads
      .at(1)
      ?.replies.slice(0, 2)
      .map(({ depth, post }) => [depth, post.id]),
  ).toEqual([
    [1, '9'],
    [2, '10'],
  ]);
});

test('an inbox resolves the names of as many users as the budget allows', async () => {
  const event = (id: string, other: string) => ({
    id,
    event_type: 'MessageCreate',
    text: 'hello',
    sender_id: '7',
    dm_conversation_id: `7-${other}`,
  });
  const events = rows([event('3', '42'), event('2', '43'), event('1', '44')]);
  await using x = await scriptX(
    [
      ['GET /2/dm_events?max_results=5', events],
      ['GET /2/users?ids=7,43', { json: { data: [userRow('fanfare', { id: '7' }), userRow('grace', { id: '43' })] } }],
    ],
    { budgets: { usd: 0.05 } },
  );

  const inbox = await x.social.getInbox();

  expect(inbox.items.map(({ participants }) => participants.map(({ handle }) => handle))).toEqual([
    ['fanfare', 'ada'],
    ['fanfare', 'grace'],
    ['fanfare', '44'],
  ]);
});

test('posts of a topic by its name also cost the lookup of its number', async () => {
  const about = { context_annotations: [{ domain: { id: '47', name: 'Game' }, entity: { id: '9', name: 'Chess' } }] };
  const script = [
    ['GET /2/tweets/search/recent?max_results=10&query=entity:"chess"', rows([postRow('1', about), postRow('2', about)])],
    ['GET /2/tweets/search/recent?max_results=18&query=context:47.9+-is:retweet+-is:reply&sort_order=recency', rows([postRow('3')])],
  ] as const;
  await using x = await scriptX(script, { budgets: { usd: 0.1 } });

  expect(idsOf(await x.social.getTopicPosts('chess'))).toEqual(['3']);
});

test('a usage cap is not retried', async () => {
  const capped = problem(
    429,
    { title: 'UsageCapExceeded', type: 'https://api.twitter.com/2/problems/usage-capped' },
    { 'x-rate-limit-limit': '40000', 'x-rate-limit-remaining': '39999', 'x-rate-limit-reset': '1795197600' },
  );
  await using x = await scriptX([['GET /2/tweets/5', capped]]);

  await expect(x.social.postDetail('5')).rejects.toMatchObject({ fault: 'quotaExhausted', retryAt: undefined });
});

test('each endpoint has a separate limit, and a request over it is not sent', async () => {
  const reset = String(Date.parse('2026-11-20T18:15:00Z') / 1000);
  const last = { 'x-rate-limit-limit': '900', 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': reset };
  await using x = await scriptX([
    ME,
    ['GET /2/tweets/5', { ...one(postRow('5')), headers: last }],
    ['GET /2/users/42/tweets?max_results=100&exclude=replies', rows([])],
  ]);
  await x.social.getUserInfo();

  await x.social.postDetail('5');

  await expect(x.social.postDetail('6')).rejects.toMatchObject({
    fault: 'rateLimited',
    sentNothing: true,
    retryAt: new Date('2026-11-20T18:15:00Z'),
  });
  expect((await x.social.getPosts('42')).length).toBe(0);
});
