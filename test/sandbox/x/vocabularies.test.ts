import { expect, test } from 'vitest';
import { scene } from './scene.ts';

const REFUSED_NOW = [
  ['/2/users/:me/tweets?tweet.fields=created_at', 'tweet.fields'],
  ['/2/users/:me/tweets?post.fields=author_id', 'post.fields'],
  ['/2/users/:me/tweets?post.fields=referenced_tweets', 'post.fields'],
  ['/2/users/:me/tweets?expansions=referenced_tweets.id', 'expansions'],
  ['/2/users/me?user.fields=pinned_tweet_id', 'user.fields'],
  ['/2/users/me?user.fields=pinned_post_id', 'user.fields'],
  ['/2/users/:me/owned_lists?list.fields=owner_id', 'list.fields'],
  ['/2/dm_events?dm_event.fields=sender_id', 'dm_event.fields'],
] as const;
const REFUSED_BEFORE = [
  ['/2/users/:me/tweets?post.fields=created_at', 'post.fields'],
  ['/2/users/:me/tweets?tweet.fields=note_post', 'tweet.fields'],
  ['/2/users/:me/tweets?expansions=referenced_posts', 'expansions'],
  ['/2/users/me?expansions=pinned_post_id', 'expansions'],
] as const;

test.for([
  ...REFUSED_NOW.map(([path, parameter]) => ({ names: 'post' as const, path, parameter })),
  ...REFUSED_BEFORE.map(([path, parameter]) => ({ names: 'tweet' as const, path, parameter })),
])('an X with the vocabulary "$names" refuses $path', async ({ names, path, parameter }) => {
  await using here = await scene({ names });
  const { accessToken } = await here.session();

  const { status, body } = await here.send('GET', path.replace(':me', here.selfId), { token: accessToken });

  expect(status).toBe(400);
  expect(body).toMatchObject({ title: 'Invalid Request', errors: [{ parameters: { [parameter]: [expect.any(String)] } }] });
});

test('the official client reads and writes on an X that has the current vocabulary only', async () => {
  await using here = await scene({ names: 'post' });
  const client = await here.xdkOf();

  const { data } = await client.posts.create({ text: 'Current names' });
  const read = await client.posts.getById(data?.id ?? '', { postFields: ['created_at', 'public_metrics'], expansions: ['author_id'] });
  const me = await client.users.getMe({ expansions: ['most_recent_post_id'] });

  expect(read).toMatchObject({
    data: { id: data?.id, authorId: here.selfId, editHistoryPostIds: [data?.id], publicMetrics: { repostCount: 0 } },
    includes: { users: [{ id: here.selfId }] },
  });
  expect(me).toMatchObject({ data: { mostRecentPostId: data?.id }, includes: { posts: [{ id: data?.id }] } });
});

test('a client of the older vocabulary is refused there, and reads an X that has the older one only', async () => {
  await using current = await scene({ names: 'post' });
  await using older = await scene({ names: 'tweet' });
  const read = async (here: typeof older) => {
    const { v2 } = here.twitterApi((await here.session()).accessToken);
    const { data } = await v2.tweet('Older names');
    return (await v2.singleTweet(data.id, { 'tweet.fields': ['author_id', 'referenced_tweets', 'public_metrics'] })).data;
  };

  expect(await read(older)).toMatchObject({ author_id: older.selfId, public_metrics: { retweet_count: 0 } });
  await expect(read(current)).rejects.toMatchObject({ code: 400 });
});
