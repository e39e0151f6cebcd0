import { expect, test } from 'vitest';
import { handlesOf, idsOf } from '../../contract/social-fixture.ts';
import { ME, one, problem, rows, scriptX, userRow } from './script-x.ts';

test('a user becomes a record', async () => {
  const row = userRow('ada', {
    id: '42',
    url: 'https://t.co/x',
    pinned_tweet_id: '9',
    entities: { url: { urls: [{ url: 'https://t.co/x', expanded_url: 'https://ada.example' }] } },
  });
  await using x = await scriptX([['GET /2/users/by/username/Ada', one(row)]]);

  expect(await x.social.getUserInfo('@Ada')).toEqual({
    platform: 'x',
    id: '42',
    url: 'https://x.com/ada',
    handle: 'ada',
    displayName: 'ADA',
    bio: 'Plays & streams: https://t.co/abc',
    avatarUrl: undefined,
    bannerUrl: undefined,
    createdAt: new Date('2016-12-14T20:32:28Z'),
    followerCount: 12,
    followingCount: 3,
    postCount: 99,
    verified: 'blue',
    protected: false,
    location: undefined,
    websiteUrl: 'https://ada.example',
    pinnedPostIds: ['9'],
    viewer: { following: true, followedBy: true, blocking: false, notifying: false, canDm: true },
    fetchedAt: new Date('2026-11-20T18:00:00Z'),
  });
});

test('users are looked up in batches of a hundred, in order; an error names a missing user', async () => {
  const names = Array.from({ length: 150 }, (_, n) => `user_${n}`);
  const batch = (from: number, to: number) =>
    [
      `GET /2/users/by?usernames=${names.slice(from, to).join(',')}`,
      rows(
        names
          .slice(from, to)
          .toReversed()
          .map((name, n) => userRow(name, { id: String(from + n + 1) })),
      ),
    ] as const;
  await using x = await scriptX([
    { anyOrder: [batch(0, 100), batch(100, 150)] },
    ['GET /2/users?ids=7', rows([])],
    ['GET /2/users/by?usernames=ada,7', rows([userRow('ada')])],
  ]);

  expect(handlesOf(await x.social.getUserInfo(names))).toEqual(names);
  await expect(x.social.getUserInfo(['ada', '7'])).rejects.toMatchObject({ fault: 'missing', message: expect.stringContaining('"7"') });
});

test('digits are an id first, then a handle', async () => {
  const unknownUser = {
    json: { errors: [{ type: 'https://api.x.com/2/problems/resource-not-found', title: 'Not Found Error', parameter: 'id' }] },
  };
  await using x = await scriptX([
    ['GET /2/users/1337', unknownUser],
    ['GET /2/users/by/username/1337', one(userRow('1337', { id: '99' }))],
  ]);

  expect(await x.social.getUserId('1337')).toBe('99');
});

const GONE = { title: 'Not Found Error', type: 'https://api.x.com/2/problems/resource-not-found' };
const SUSPENDED = { title: 'Forbidden', detail: 'User has been suspended: [bad].', type: GONE.type };

test('an id in a list that is too long for a handle is not looked up as one', async () => {
  const id = '1234567890123456789';
  await using x = await scriptX([
    [`GET /2/users?ids=42,${id}`, rows([userRow('ada', { id: '42' })], { errors: [{ ...GONE, value: id }] })],
  ]);

  await expect(x.social.getUserInfo(['42', id])).rejects.toMatchObject({ fault: 'missing', message: expect.stringContaining(`"${id}"`) });
});

test.for([
  ['handle', 'Bad', ['GET /2/users/by?usernames=ada,Bad', 'Bad']],
  ['id', '66', ['GET /2/users?ids=66', '66'], ['GET /2/users/by?usernames=ada']],
] as const)('the error of a list of users says that one is suspended, by its %s', async ([, name, ...requests]) => {
  const steps = requests.map(
    ([line, value]) => [line, rows([userRow('ada')], value === undefined ? {} : { errors: [{ ...SUSPENDED, value }] })] as const,
  );
  await using x = await scriptX(steps);

  await expect(x.social.getUserInfo(['ada', name])).rejects.toMatchObject({
    fault: 'forbidden',
    message: `x: user ${name}: X has suspended the account.`,
  });
});

test('an invalid name is missing without a request', async () => {
  await using x = await scriptX([]);

  await expect(x.social.getUserInfo('no such name')).rejects.toMatchObject({ fault: 'missing' });
});

test('a handle is looked up once for several operations', async () => {
  const posts = 'GET /2/users/42/tweets?max_results=100&exclude=replies';
  await using x = await scriptX([
    ['GET /2/users/by/username/ada', one(userRow('ada', { id: '42' }))],
    [posts, rows([])],
    [posts, rows([])],
  ]);

  await x.social.getPosts('ada');
  await x.social.getPosts('Ada');

  expect(x.server.seen.length).toBe(3);
});

test('a list continues at the cursor of X and ends without one', async () => {
  const path = 'GET /2/users/7/blocking?max_results=100';
  await using x = await scriptX([
    ME,
    [path, rows([userRow('ada', { id: '1' })], { next: 'n1' })],
    [`${path}&pagination_token=n1`, rows([userRow('grace', { id: '2' })])],
  ]);

  const blocked = await x.social.getBlockedUsers({ pages: 'all', waitTime: 0 });

  expect(idsOf(blocked)).toEqual(['1', '2']);
  expect(blocked.hasNext).toBe(false);
});

test('a follow resolves with the new relation', async () => {
  await using x = await scriptX([
    ME,
    ['GET /2/users/by/username/ada', one(userRow('ada', { id: '42', connection_status: [] }))],
    ['POST /2/users/7/following', { json: { data: { following: false, pending_follow: true } } }],
    ['GET /2/users/by/username/ada', one(userRow('ada', { id: '42' }))],
    ['DELETE /2/users/7/blocking/42', problem(403, { type: 'x/client-forbidden' })],
  ]);

  expect(await x.social.followUser('ada')).toMatchObject({ viewer: { following: true } });
  expect(JSON.parse(x.server.seen[2]?.body ?? '')).toEqual({ target_user_id: '42' });
  await expect(x.social.unblockUser('ada')).rejects.toMatchObject({ reason: 'TIER_REQUIRED' });
});
