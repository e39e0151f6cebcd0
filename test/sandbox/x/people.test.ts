import { UserPaginator } from '@xdevplatform/xdk';
import { describe, expect, test } from 'vitest';
import { scene, type Scene } from './scene.ts';

async function known(here: Scene) {
  const people = here.sandbox.world.people.toSorted((a, b) => b.followerCount - a.followerCount);
  const [first, second] = people;
  if (!first || !second) throw new Error('there is nobody');
  return { first, second, app: here.xdk({ bearerToken: here.environment['X_BEARER_TOKEN'] ?? '' }) };
}

describe('who somebody is', () => {
  test('is the same by id, by name and in batches, and only what was asked for is told', async () => {
    await using here = await scene();
    const { first, second, app } = await known(here);

    const byId = await app.users.getById(first.id, {
      userFields: ['description', 'public_metrics', 'verified', 'verified_type', 'protected', 'created_at'],
    });
    const byName = await app.users.getByUsername(first.handle.toUpperCase());
    const ids = await app.users.getByIds([first.id, '999', second.id]);
    const names = await app.users.getByUsernames([second.handle, 'nobody_of_this']);

    expect(byName.data).toEqual({ id: first.id, name: first.displayName, username: first.handle });
    expect(byId.data).toEqual({
      ...byName.data,
      description: expect.any(String),
      createdAt: first.createdAt.toISOString(),
      protected: false,
      verified: true,
      verifiedType: 'blue',
      publicMetrics: {
        followersCount: expect.any(Number),
        followingCount: expect.any(Number),
        tweetCount: expect.any(Number),
        listedCount: 0,
        likeCount: 0,
        mediaCount: expect.any(Number),
      },
    });
    expect(ids.data?.map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(ids.errors).toMatchObject([{ value: '999', resourceType: 'user', title: 'Not Found Error' }]);
    expect(names.data?.map(({ id }) => id)).toEqual([second.id]);
    expect(names.errors).toMatchObject([{ detail: 'Could not find user with usernames: [nobody_of_this].' }]);
  });

  test('posts that are pinned or the latest come as an expansion, in both vocabularies', async () => {
    await using here = await scene();
    const { accessToken } = await here.session();
    const [x, { v2 }] = [here.xdk({ accessToken }), here.twitterApi(accessToken)];
    const { data } = await x.posts.create({ text: 'Latest' });

    const newer = await x.users.getMe({ expansions: ['most_recent_post_id'], userFields: ['public_metrics'] });
    const older = await v2.get('users/me', { expansions: 'most_recent_tweet_id', 'user.fields': 'public_metrics' });

    expect(newer).toMatchObject({
      data: { mostRecentPostId: data?.id, publicMetrics: { postCount: 1 } },
      includes: { posts: [{ id: data?.id, editHistoryPostIds: [data?.id] }] },
    });
    expect(older).toMatchObject({
      data: { most_recent_tweet_id: data?.id, public_metrics: { tweet_count: 1 } },
      includes: { tweets: [{ id: data?.id, edit_history_tweet_ids: [data?.id] }] },
    });
  });

  test.for([
    ['/2/users/by?usernames=a%20b', 'usernames'],
    ['/2/users?ids=x', 'ids'],
    ['/2/users?ids=', 'ids'],
    [`/2/users?ids=${Array.from({ length: 101 }, (_, index) => index + 1).join(',')}`, 'ids'],
    ['/2/users/me?user.fields=colour', 'user.fields'],
    ['/2/users/me?expansions=author_id', 'expansions'],
    ['/2/users/me?colour=red', 'colour'],
    ['/2/users/search?query=', 'query'],
  ] as const)('GET %.50s is refused, naming %s', async ([path, parameter]) => {
    await using here = await scene();
    const { accessToken } = await here.session();

    const { status, body } = await here.send('GET', path, { token: accessToken });

    expect(status).toBe(400);
    expect(body).toMatchObject({
      title: 'Invalid Request',
      errors: [{ parameters: { [parameter]: expect.any(Array) }, message: expect.stringContaining(parameter) }],
    });
  });
});

describe('whom one finds and follows', () => {
  test('people are found by a word, those whom most follow first', async () => {
    await using here = await scene();
    const { first } = await known(here);
    const x = await here.xdkOf();

    const found = await x.users.search(first.handle, { maxResults: 5 });

    expect(found.data?.[0]).toMatchObject({ username: first.handle });
    expect(found.meta).not.toHaveProperty('resultCount');
  });

  test('the paginator of the official client walks through everybody once, forth and back', async () => {
    await using here = await scene();
    const { first, app } = await known(here);
    const page = (paginationToken?: string) =>
      app.users.getFollowing(first.id, { maxResults: 4, ...(paginationToken === undefined ? {} : { paginationToken }) });
    const all = (await app.users.getFollowing(first.id, { maxResults: 1000 })).data?.map(({ id }) => id) ?? [];
    const paginator = new UserPaginator(async (token?: string) => {
      const { data = [], meta = {} } = await page(token);
      return { data, meta };
    });

    const walked: unknown[] = [];
    for await (const user of paginator) walked.push(user.id);
    const start = await page();
    const second = await page(start.meta?.nextToken);
    const back = await page(second.meta?.previousToken);

    expect(all.length).toBeGreaterThanOrEqual(8);
    expect(walked).toEqual(all);
    expect(second.data?.map(({ id }) => id)).toEqual(all.slice(4, 8));
    expect(back.data?.map(({ id }) => id)).toEqual(all.slice(0, 4));
    expect(back.meta).not.toHaveProperty('previousToken');
  });

  test('a token of another list is none of this one', async () => {
    await using here = await scene();
    const { first, second, app } = await known(here);
    const { meta } = await app.users.getFollowers(first.id, { maxResults: 5 });

    await expect(app.users.getFollowers(second.id, { paginationToken: meta?.nextToken ?? '' })).rejects.toMatchObject({
      status: 400,
      data: { errors: [{ message: expect.stringContaining('is not valid') }] },
    });
  });

  test('who is muted is not in the timeline, and how one stands to people is told', async () => {
    await using here = await scene();
    const { accessToken } = await here.session();
    const [x, { first }] = [here.xdk({ accessToken }), await known(here)];
    await here.control('/settings', { tier: 'enterprise' });
    await x.users.followUser(here.selfId, { targetUserId: first.id });
    const theirs = await here.xdkOf(first.handle);
    const { data } = await theirs.posts.create({ text: 'For my followers' });

    const heard = await x.users.getTimeline(here.selfId, { maxResults: 5 });
    expect(await x.users.muteUser(here.selfId, { targetUserId: first.id })).toEqual({ data: { muting: true } });
    const muted = await x.users.getTimeline(here.selfId);

    expect(heard.data?.[0]?.id).toBe(data?.id);
    expect(muted).toEqual({ meta: { resultCount: 0 } });
    expect((await x.users.getMuting(here.selfId)).data).toMatchObject([{ id: first.id }]);
    expect((await x.users.getById(first.id, { userFields: ['connection_status'] })).data?.connectionStatus).toEqual([
      'following',
      'muting',
    ]);
    expect(await x.users.unmuteUser(here.selfId, first.id)).toEqual({ data: { muting: false } });
  });

  test('what is one account alone is not for another', async () => {
    await using here = await scene();
    const { first } = await known(here);
    const x = await here.xdkOf();

    await expect(x.users.getBookmarks(first.id)).rejects.toMatchObject({
      status: 400,
      data: {
        errors: [
          { message: `The \`id\` query parameter value [${first.id}] must be the same as the authenticating user [${here.selfId}]` },
        ],
      },
    });
  });

  test('of a protected account nothing is shown but that it is one', async () => {
    await using here = await scene();
    const app = here.xdk({ bearerToken: here.environment['X_BEARER_TOKEN'] ?? '' });
    const looked = await app.users.getByIds(
      here.sandbox.world.people.slice(-100).map(({ id }) => id),
      { userFields: ['protected'] },
    );
    const shy = looked.data?.find((user) => user.protected)?.id ?? '';

    expect(await app.users.getPosts(shy)).toMatchObject({
      errors: [{ title: 'Authorization Error', detail: `Sorry, you are not authorized to see the user with id: [${shy}].` }],
    });
    expect((await app.users.getPosts('77')).errors).toMatchObject([{ title: 'Not Found Error' }]);
  });
});
