import { expect, test } from 'vitest';
import { scene } from './scene.ts';

test('trends of a place are told to the app, and its fields are those asked for', async () => {
  await using here = await scene();
  const app = here.xdk({ bearerToken: here.environment['X_BEARER_TOKEN'] ?? '' });

  const world = await app.trends.getByWoeid(1, { maxTrends: 5, trendFields: ['trend_name', 'tweet_count'] });
  const usual = await app.trends.getByWoeid(1);

  expect(world.data).toHaveLength(5);
  expect(world.data?.[0]).toEqual({ trendName: expect.stringMatching(/^#/), tweetCount: expect.any(Number) });
  expect(usual.data).toHaveLength(20);
  await expect(app.trends.getByWoeid(99)).rejects.toMatchObject({ status: 400 });
  await expect(app.trends.getByWoeid(1, { maxTrends: 51 })).rejects.toMatchObject({ status: 400 });
});

test('an account has trends of its own, and not by the app’s token', async () => {
  await using here = await scene();
  const x = await here.xdkOf();

  const { data } = await x.trends.getPersonalized();

  expect(data?.[0]).toEqual({
    category: expect.any(String),
    postCount: expect.stringMatching(/^\d+ posts$/),
    trendName: expect.any(String),
    trendingSince: expect.any(String),
  });
  expect(await here.send('GET', '/2/users/personalized_trends', { token: here.environment['X_BEARER_TOKEN'] ?? '' })).toMatchObject({
    status: 403,
  });
});

test('communities are found by a word and shown by id', async () => {
  await using here = await scene();
  const x = await here.xdkOf();

  const found = await x.communities.search('chess', {});
  const shown = await x.communities.getById(found.data?.[0]?.id ?? '', {
    communityFields: ['description', 'member_count', 'join_policy', 'access', 'created_at'],
  });

  expect(found.data).toMatchObject([{ name: 'Chess Club' }]);
  expect(shown.data).toMatchObject({
    name: 'Chess Club',
    memberCount: expect.any(Number),
    joinPolicy: 'Open',
    access: 'Public',
    createdAt: expect.any(String),
  });
  expect((await x.communities.getById('77')).errors).toMatchObject([{ resourceType: 'community' }]);
});

test('what X is told to be about can be searched for', async () => {
  await using here = await scene();
  const x = await here.xdkOf();
  const { data } = await x.posts.create({ text: 'Ready for #VALORANT' });

  const read = await x.posts.getById(data?.id ?? '', { postFields: ['context_annotations'] });

  expect(read.data?.contextAnnotations).toMatchObject([{ domain: { id: '71', name: 'Video Game' }, entity: { name: 'VALORANT' } }]);
});

test('the sandbox says how to reach it, shows its posts as pages, and answers at /2 as well', async () => {
  await using here = await scene();
  const { accessToken } = await here.session();
  await here.xdk({ accessToken }).posts.create({ text: 'On a page' });

  expect(here.environment).toEqual({
    X_API_URL: `${here.sandbox.url}/x`,
    X_CLIENT_ID: expect.any(String),
    X_CLIENT_SECRET: expect.any(String),
    X_BEARER_TOKEN: expect.any(String),
    X_API_KEY: expect.any(String),
    X_API_SECRET: expect.any(String),
    X_ACCESS_TOKEN: expect.any(String),
    X_ACCESS_SECRET: expect.any(String),
  });
  expect(here.sandbox.environment).not.toHaveProperty('X_API_URL');
  expect(String((await here.send('GET', '')).body['text'])).toContain('On a page');
  expect(await here.send('GET', '/../2/users/me', { token: accessToken })).toMatchObject({
    status: 200,
    body: { data: { username: 'fanfare' } },
  });
  expect(await here.send('GET', '/2/nothing/here', { token: accessToken })).toMatchObject({ status: 404, body: { text: '' } });
});
