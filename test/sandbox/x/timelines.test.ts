import { describe, expect, test } from 'vitest';
import { scene, type Scene } from './scene.ts';

/** Posts of the signed-in account, a minute apart, oldest first. */
async function written(here: Scene, texts: readonly string[]): Promise<string[]> {
  const x = await here.xdkOf();
  const ids: string[] = [];
  for (const text of texts) {
    ids.push((await x.posts.create({ text })).data?.id ?? '');
    await here.clock.advance(60_000);
  }
  return ids;
}

describe('a timeline', () => {
  test('is cut by ids and by instants as X does it', async () => {
    await using here = await scene();
    const startMs = here.clock.nowMs();
    const ids = await written(here, ['One', 'Two', 'Three', 'Four', 'Five']);
    const x = await here.xdkOf();
    const read = async (options: Parameters<typeof x.users.getPosts>[1]) =>
      (await x.users.getPosts(here.selfId, options)).data?.map(({ text }) => text) ?? [];
    const at = (minutes: number): string => new Date(startMs + minutes * 60_000).toISOString();

    expect(await read({})).toEqual(['Five', 'Four', 'Three', 'Two', 'One']);
    expect(await read({ sinceId: ids[2] ?? '' })).toEqual(['Five', 'Four']);
    expect(await read({ untilId: ids[2] ?? '' })).toEqual(['Two', 'One']);
    expect(await read({ startTime: at(3), endTime: at(4) })).toEqual(['Four']);
    expect(await x.users.getPosts(here.selfId, { sinceId: ids[4] ?? '' })).toEqual({ meta: { resultCount: 0 } });
    expect((await x.users.getPosts(here.selfId)).meta).toEqual({ resultCount: 5, newestId: ids[4], oldestId: ids[0] });
  });

  test("the other client's paginator walks through all of it, and replies can be left out", async () => {
    await using here = await scene();
    const ids = await written(
      here,
      Array.from({ length: 12 }, (_, index) => `Number ${index}`),
    );
    const { accessToken } = await here.session();
    const { v2 } = here.twitterApi(accessToken);
    await v2.reply('A reply', ids[0] ?? '');

    const all = await v2.userTimeline(here.selfId, { max_results: 5 });
    await all.fetchLast(1000);
    const top = await v2.userTimeline(here.selfId, { max_results: 100, exclude: ['replies'] });

    expect(all.tweets.map(({ text }) => text)).toEqual(['A reply', ...Array.from({ length: 12 }, (_, index) => `Number ${11 - index}`)]);
    expect(top.tweets).toHaveLength(12);
  });

  test('what is new in front moves nothing on the next page', async () => {
    await using here = await scene();
    await written(here, ['1', '2', '3', '4', '5', '6', '7']);
    const x = await here.xdkOf();
    const first = await x.users.getPosts(here.selfId, { maxResults: 5 });
    await x.posts.create({ text: 'Breaking' });

    const second = await x.users.getPosts(here.selfId, { maxResults: 5, paginationToken: first.meta?.nextToken ?? '' });

    expect(second.data?.map(({ text }) => text)).toEqual(['2', '1']);
    expect(second.meta).toMatchObject({ resultCount: 2, previousToken: expect.any(String) });
  });

  test.for([
    ['max_results=4', 'max_results'],
    ['max_results=101', 'max_results'],
    ['exclude=everything', 'exclude'],
    ['start_time=yesterday', 'start_time'],
    ['since_id=abc', 'since_id'],
    ['pagination_token=made-up', 'pagination_token'],
  ] as const)('%s is refused', async ([query, parameter]) => {
    await using here = await scene();
    const { accessToken } = await here.session();

    const { status, body } = await here.send('GET', `/2/users/${here.selfId}/tweets?${query}`, { token: accessToken });

    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ parameters: { [parameter]: expect.anything() } }] });
  });

  test('mentions are what others write to one', async () => {
    await using here = await scene();
    const person = here.sandbox.world.people.find(({ followerCount }) => followerCount > 50_000);
    const other = await here.xdkOf(person?.handle);
    const { data } = await other.posts.create({ text: 'Thanks, @fanfare!' });
    await other.posts.create({ text: 'Not for @fanfares' });
    const x = await here.xdkOf();

    const mentions = await x.users.getMentions(here.selfId, {
      expansions: ['author_id', 'entities.mentions.username'],
      postFields: ['entities'],
    });

    expect(mentions.data).toMatchObject([
      { id: data?.id, authorId: person?.id, entities: { mentions: [{ start: 8, end: 16, username: 'fanfare', id: here.selfId }] } },
    ]);
    expect(new Set(mentions.includes?.users?.map(({ id }) => id))).toEqual(new Set([person?.id, here.selfId]));
  });

  test.for([
    ['endlessCursor', 'a token that leads to the same page for ever'],
    ['emptyList', 'an empty page that has a next one'],
    ['shortList', 'half of a page'],
    ['repeatedItem', 'the last item again'],
  ] as const)('%s is %s', async ([kind]) => {
    await using here = await scene();
    await written(here, ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11']);
    const x = await here.xdkOf();
    const first = await x.users.getPosts(here.selfId, { maxResults: 5 });
    const token = first.meta?.nextToken ?? '';
    here.sandbox.faults.add({ platform: 'x', kind });

    const { data = [], meta } = await x.users.getPosts(here.selfId, { maxResults: 5, paginationToken: token });

    const texts = data.map(({ text }) => text);
    expect({ texts, ends: meta?.nextToken === undefined, same: meta?.nextToken === token }).toEqual(
      {
        endlessCursor: { texts: ['6', '5', '4', '3', '2'], ends: false, same: true },
        emptyList: { texts: [], ends: false, same: false },
        shortList: { texts: ['6', '4', '2'], ends: false, same: false },
        repeatedItem: { texts: ['7', '6', '5', '4', '3'], ends: false, same: false },
      }[kind],
    );
  });
});

describe('what came of a post', () => {
  test('it is passed on, and that can be taken back', async () => {
    await using here = await scene();
    const person = here.sandbox.world.people.find(({ followerCount }) => followerCount > 50_000);
    const [x, other] = [await here.xdkOf(), await here.xdkOf(person?.handle)];
    const { data } = await other.posts.create({ text: 'Pass it on' });
    const id = data?.id ?? '';

    const done = await x.users.repostPost(here.selfId, { tweetId: id });
    const again = await x.users.repostPost(here.selfId, { tweetId: id });
    const timeline = await x.users.getPosts(here.selfId, {
      expansions: ['referenced_posts', 'author_id'],
    });
    const by = await x.posts.getRepostedBy(id);

    expect(done).toEqual({ data: { retweeted: true, restId: timeline.data?.[0]?.id } });
    expect(again).toEqual(done);
    expect(timeline).toMatchObject({
      data: [{ text: `RT @${person?.handle}: Pass it on`, referencedPosts: [{ type: 'retweeted', id }] }],
      includes: { posts: [{ id, text: 'Pass it on' }] },
    });
    expect(by.data).toMatchObject([{ id: here.selfId }]);
    expect((await x.posts.getReposts(id)).data).toMatchObject([{ id: done.data?.restId }]);
    expect(await x.users.unrepostPost(here.selfId, id)).toEqual({ data: { retweeted: false } });
    expect((await x.posts.getRepostedBy(id)).data).toBeUndefined();
  });

  test('bookmarks are kept, by OAuth 2 alone', async () => {
    await using here = await scene();
    const session = await here.session();
    const [x, { v2 }] = [here.xdk({ accessToken: session.accessToken }), here.twitterApiOAuth1(session)];
    const { data } = await x.posts.create({ text: 'Keep this' });
    const tweetId = data?.id ?? '';

    expect(await x.users.createBookmark(here.selfId, { tweetId })).toEqual({ data: { bookmarked: true } });
    expect((await x.users.getBookmarks(here.selfId)).data).toMatchObject([{ id: tweetId, text: 'Keep this' }]);
    await expect(v2.bookmark(tweetId)).rejects.toMatchObject({ code: 403, data: { title: 'Unsupported Authentication' } });
    expect(await x.users.deleteBookmark(here.selfId, tweetId)).toEqual({ data: { bookmarked: false } });
    expect(await x.users.getBookmarks(here.selfId)).toEqual({ meta: { resultCount: 0 } });
  });

  test('who likes a post is told to its author alone', async () => {
    await using here = await scene();
    const person = here.sandbox.world.people.find(({ followerCount }) => followerCount > 50_000);
    const [x, other] = [await here.xdkOf(), await here.xdkOf(person?.handle)];
    await here.control('/settings', { tier: 'enterprise' });
    const [own, theirs] = [await x.posts.create({ text: 'Mine' }), await other.posts.create({ text: 'Theirs' })];
    await other.users.likePost(person?.id ?? '', { tweetId: own.data?.id ?? '' });
    await x.users.likePost(here.selfId, { tweetId: theirs.data?.id ?? '' });

    expect((await x.posts.getLikingUsers(own.data?.id ?? '')).data).toMatchObject([{ id: person?.id }]);
    expect(await x.posts.getLikingUsers(theirs.data?.id ?? '')).toEqual({ meta: { resultCount: 0 } });
  });

  test('an answer can be hidden by whoever began the conversation', async () => {
    await using here = await scene();
    const x = await here.xdkOf();
    const { data } = await x.posts.create({ text: 'Discuss' });
    const answer = await x.posts.create({ text: 'Hm', reply: { inReplyToTweetId: data?.id ?? '' } });

    expect(await x.posts.hideReply(answer.data?.id ?? '', { hidden: true })).toEqual({ data: { hidden: true } });
    await expect(x.posts.hideReply(data?.id ?? '', { hidden: true })).rejects.toMatchObject({ status: 403 });
  });

  test('a post that was quoted and deleted is an error beside the answer', async () => {
    await using here = await scene();
    const x = await here.xdkOf();
    const first = await x.posts.create({ text: 'Soon gone' });
    const second = await x.posts.create({ text: 'Look', quoteTweetId: first.data?.id ?? '' });
    await x.posts.delete(first.data?.id ?? '');

    const read = await x.posts.getById(second.data?.id ?? '', { expansions: ['referenced_posts'] });

    expect(read.data?.referencedPosts).toEqual([{ type: 'quoted', id: first.data?.id }]);
    expect(read.includes).toBeUndefined();
    expect(read.errors).toMatchObject([{ title: 'Not Found Error', resourceId: first.data?.id, parameter: 'referenced_tweets.id' }]);
  });

  test('how own posts do is told in steps that add up, and of others it is not told', async () => {
    await using here = await scene();
    const person = here.sandbox.world.people.find(({ followerCount }) => followerCount > 50_000);
    const [x, other] = [await here.xdkOf(), await here.xdkOf(person?.handle)];
    const startMs = here.clock.nowMs();
    const [own, theirs] = [await x.posts.create({ text: 'How do I do?' }), await other.posts.create({ text: 'Secret' })];
    await here.clock.advance(60 * 60_000);
    const session = await here.session();
    const client = here.xdk({ accessToken: session.accessToken });
    const [from, to] = [new Date(startMs).toISOString(), new Date(startMs + 3_600_000).toISOString()];

    const [total, hourly] = await Promise.all([
      client.posts.getAnalytics([own.data?.id ?? ''], from, to, { granularity: 'total', analyticsFields: ['impressions', 'likes'] }),
      client.posts.getAnalytics([own.data?.id ?? '', theirs.data?.id ?? ''], from, to, { granularity: 'hourly' }),
    ]);
    const metrics = await client.posts.getByIds([own.data?.id ?? '', theirs.data?.id ?? ''], { postFields: ['non_public_metrics'] });

    expect(total.data).toEqual([{ id: own.data?.id, impressions: expect.any(Number), likes: 0 }]);
    expect(hourly.data).toMatchObject([
      { id: own.data?.id, timestampedMetrics: [{ timestamp: from, metrics: { impressions: total.data?.[0]?.impressions } }] },
    ]);
    expect(hourly.errors).toMatchObject([{ title: 'Authorization Error', value: theirs.data?.id }]);
    expect(metrics.data).toMatchObject([{ nonPublicMetrics: { impressionCount: expect.any(Number) } }, { id: theirs.data?.id }]);
    expect(metrics.errors).toMatchObject([{ field: 'non_public_metrics', title: 'Field Authorization Error' }]);
  });
});
