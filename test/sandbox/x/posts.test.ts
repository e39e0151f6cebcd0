import { describe, expect, test } from 'vitest';
import { scene, type Scene } from './scene.ts';

const problem = (message: unknown, parameters: unknown = expect.anything()) => ({
  status: 400,
  data: { title: 'Invalid Request', errors: [{ message, parameters }], type: expect.stringMatching(/invalid-request$/) },
});

/** Somebody of the world whom anybody can see. */
async function somebody(here: Scene) {
  const { world } = here.sandbox;
  const person = world.people.toSorted((a, b) => b.followerCount - a.followerCount)[0];
  if (!person) throw new Error('there is nobody');
  const x = await here.xdkOf(person.handle);
  return { person, x };
}

describe('a post by the official client', () => {
  test('is created, read back, listed in the truth, and deleted', async () => {
    await using here = await scene();
    const x = await here.xdkOf();

    const { data } = await x.posts.create({ text: 'Fish & chips < cake' });
    const read = await x.posts.getById(data?.id ?? '', { postFields: ['created_at', 'conversation_id'], expansions: ['author_id'] });
    const truth = await here.control('/posts');
    const deleted = await x.posts.delete(data?.id ?? '');
    const gone = await x.posts.getById(data?.id ?? '');

    expect(data?.text).toBe('Fish &amp; chips &lt; cake');
    expect(read.data).toMatchObject({
      id: data?.id,
      text: data?.text,
      authorId: here.selfId,
      conversationId: data?.id,
      editHistoryPostIds: [data?.id],
    });
    expect(truth).toMatchObject({ items: [{ id: data?.id, text: 'Fish & chips < cake' }] });
    expect(deleted).toEqual({ data: { deleted: true } });
    expect(gone).toMatchObject({ errors: [{ title: 'Not Found Error', resourceId: data?.id, resourceType: 'tweet', parameter: 'id' }] });
    expect(await x.posts.delete(data?.id ?? '')).toEqual({ data: { deleted: true } });
  });

  test('by the other client as well, with the names of its time', async () => {
    await using here = await scene();
    const { accessToken } = await here.session();
    const { v2 } = here.twitterApi(accessToken);

    const { data } = await v2.tweet('Hello');
    const read = await v2.singleTweet(data.id, { 'tweet.fields': ['referenced_tweets', 'public_metrics', 'reply_settings', 'lang'] });

    expect(read.data).toEqual({
      id: data.id,
      text: 'Hello',
      edit_history_tweet_ids: [data.id],
      lang: 'en',
      reply_settings: 'everyone',
      public_metrics: {
        retweet_count: 0,
        reply_count: 0,
        like_count: 0,
        quote_count: 0,
        bookmark_count: 0,
        impression_count: expect.any(Number),
      },
    });
    expect(await v2.deleteTweet(data.id)).toEqual({ data: { deleted: true } });
  });

  test('of several, those that there are come beside the errors of the others', async () => {
    await using here = await scene();
    const x = await here.xdkOf();
    const [one, other] = [await x.posts.create({ text: 'One' }), await x.posts.create({ text: 'Other' })];

    const read = await x.posts.getByIds([one.data?.id ?? '', '1234567890', other.data?.id ?? '']);

    expect(read.data?.map(({ text }) => text)).toEqual(['One', 'Other']);
    expect(read.errors).toMatchObject([
      { resourceId: '1234567890', parameter: 'ids', detail: 'Could not find tweet with ids: [1234567890].' },
    ]);
  });

  test('who sends the same twice is told so, and there is one; what reads do not show yet counts', async () => {
    await using here = await scene();
    const x = await here.xdkOf();
    here.sandbox.faults.add({ platform: 'x', kind: 'delayedVisibility', ms: 10_000, times: 1 });
    const { data } = await x.posts.create({ text: 'Once' });
    const unseen = await x.posts.getById(data?.id ?? '');

    await expect(x.posts.create({ text: 'Once' })).rejects.toMatchObject({
      status: 403,
      data: { title: 'Forbidden', type: 'about:blank', detail: 'You are not allowed to create a Tweet with duplicate content.' },
    });

    expect(unseen.data).toBeUndefined();
    expect(await here.control('/posts')).toMatchObject({ items: [{ text: 'Once' }] });
    await here.clock.advance(10_000);
    expect((await x.posts.getById(data?.id ?? '')).data?.text).toBe('Once');
  });

  test('who deleted a text may write it again, and after a day anybody may', async () => {
    await using here = await scene();
    const x = await here.xdkOf();
    const { data } = await x.posts.create({ text: 'Again' });
    await x.posts.delete(data?.id ?? '');
    await x.posts.create({ text: 'Again' });

    await here.clock.advance(24 * 3_600_000);
    const { accessToken } = await here.session();

    expect((await here.xdk({ accessToken }).posts.create({ text: 'Again' })).data?.text).toBe('Again');
  });

  test('a lost answer leaves a post: nothing keeps a second one away but its text', async () => {
    await using here = await scene();
    const { accessToken } = await here.session();
    here.sandbox.faults.add({ platform: 'x', kind: 'resetAfter', method: 'POST', times: 1 });

    await expect(here.send('POST', '/2/tweets', { token: accessToken, json: { text: 'Lost' } })).rejects.toThrow('fetch failed');
    const again = await here.send('POST', '/2/tweets', { token: accessToken, json: { text: 'Lost' } });

    expect(again).toMatchObject({ status: 403, body: { detail: expect.stringContaining('duplicate content') } });
  });

  test.for([
    ['an empty one', {}, expect.stringContaining('one of [text')],
    ['one of 281 characters', { text: 'a'.repeat(281) }, expect.stringContaining('Your Tweet text is too long')],
    ['one of 141 wide characters', { text: '漢'.repeat(141) }, expect.stringContaining('Your Tweet text is too long')],
    ['unknown media', { text: 'a', media: { mediaIds: ['1843365521481187328'] } }, 'Your media IDs are invalid.'],
    ['five pictures', { media: { mediaIds: ['1', '2', '3', '4', '5'] } }, expect.stringContaining('$.media.media_ids')],
    ['a poll of one answer', { text: 'a', poll: { options: ['one'], durationMinutes: 60 } }, expect.stringContaining('$.poll.options')],
    [
      'a poll of four minutes',
      { text: 'a', poll: { options: ['one', 'two'], durationMinutes: 4 } },
      expect.stringContaining('$.poll.duration_minutes'),
    ],
    [
      'media and a poll',
      { media: { mediaIds: ['1'] }, poll: { options: ['a', 'b'], durationMinutes: 5 } },
      expect.stringContaining('mutually exclusive'),
    ],
    ['an unknown place', { text: 'a', geo: { placeId: 'atlantis' } }, 'The place id is not valid.'],
    ['a field that there is not', { text: 'a', colour: 'red' }, expect.stringContaining('colour')],
  ] as const)('%s is refused', async ([, draft, message]) => {
    await using here = await scene();
    const x = await here.xdkOf();

    await expect(x.posts.create(draft as object)).rejects.toMatchObject(problem(message));
    expect(await here.control('/posts')).toEqual({ items: [] });
  });

  test('280 characters, 12 links and emojis are counted as X counts them', async () => {
    await using here = await scene();
    const x = await here.xdkOf();
    const links = Array.from({ length: 11 }, (_, index) => `https://example.com/${index}/${'long'.repeat(20)}`).join(' ');

    expect((await x.posts.create({ text: 'a'.repeat(280) })).data?.id).toBeDefined();
    expect((await x.posts.create({ text: '👨‍👩‍👧‍👦'.repeat(140) })).data?.id).toBeDefined();
    expect((await x.posts.create({ text: links })).data?.text).toMatch(/^(?:https:\/\/t\.co\/\w{10} ?){11}$/);
    await expect(x.posts.create({ text: `${links} https://example.com/` })).rejects.toMatchObject({ status: 400 });
  });

  test('a poll, a place, who may answer, and a community stand in it', async () => {
    await using here = await scene();
    const x = await here.xdkOf();
    const found = await x.communities.search('speedrun', {});
    const communityId = found.data?.[0]?.id ?? '';

    const asked = await x.posts.create({
      text: 'Tea?',
      poll: { options: ['Yes', 'No'], durationMinutes: 60 },
      replySettings: 'mentionedUsers',
    });
    const placed = await x.posts.create({ text: 'Here', geo: { placeId: 'berlin' } });
    const within = await x.posts.create({ text: 'Among us', communityId });
    const read = await x.posts.getByIds(
      [asked, placed, within].map(({ data }) => data?.id ?? ''),
      {
        postFields: ['reply_settings', 'community_id', 'attachments', 'geo', 'edit_controls'],
        expansions: ['attachments.poll_ids', 'geo.place_id'],
        pollFields: ['duration_minutes', 'end_datetime', 'voting_status'],
        placeFields: ['country_code', 'name'],
      },
    );

    const [first, second, third] = read.data ?? [];
    expect(first).toMatchObject({ replySettings: 'mentionedUsers', editControls: { isEditEligible: false } });
    expect(second).toMatchObject({ geo: { placeId: 'berlin' } });
    expect(third).toMatchObject({ communityId });
    expect(read.includes).toMatchObject({
      polls: [
        {
          id: first?.attachments?.pollIds?.[0],
          durationMinutes: 60,
          votingStatus: 'open',
          options: [
            { position: 1, label: 'Yes', votes: 0 },
            { position: 2, label: 'No' },
          ],
        },
      ],
      places: [{ id: 'berlin', fullName: 'Berlin, Germany', countryCode: 'DE', name: 'Berlin' }],
    });
  });

  test('an edit has an id of its own, and the history has both', async () => {
    await using here = await scene();
    const { accessToken } = await here.session();
    const { v2 } = here.twitterApi(accessToken);
    await here.control('/premium', {});
    const first = await v2.tweet('Frist');
    await here.clock.advance(60_000);

    const second = await v2.post('tweets', { text: 'First', edit_options: { previous_post_id: first.data.id } });
    const read = await v2.singleTweet(first.data.id, { expansions: ['edit_history_tweet_ids'], 'tweet.fields': ['edit_controls'] });
    await here.clock.advance(30 * 60_000);
    const late = v2.post('tweets', { text: 'Fist', edit_options: { previous_post_id: second.data.id } });

    expect(second.data.id).not.toBe(first.data.id);
    expect(read.data).toMatchObject({
      text: 'Frist',
      edit_history_tweet_ids: [first.data.id, second.data.id],
      edit_controls: { edits_remaining: 4 },
    });
    expect(read.includes?.tweets).toMatchObject([{ id: second.data.id, text: 'First' }]);
    await expect(late).rejects.toMatchObject({ code: 400 });
    await v2.deleteTweet(first.data.id);
    expect((await v2.singleTweet(second.data.id)).data).toBeUndefined();
  });

  test("somebody else's post cannot be deleted, and a made-up id is not found", async () => {
    await using here = await scene();
    const [x, other] = [await here.xdkOf(), (await somebody(here)).x];
    const { data } = await other.posts.create({ text: 'Mine' });

    await expect(x.posts.delete(data?.id ?? '')).rejects.toMatchObject({
      status: 403,
      data: { detail: 'You are not authorized to delete this Tweet.' },
    });
    await expect(x.posts.delete('12345')).rejects.toMatchObject({ status: 404 });
    await expect(x.posts.getById('not-an-id')).rejects.toMatchObject(
      problem('The `id` query parameter value [not-an-id] is not valid', { id: ['not-an-id'] }),
    );
  });
});

describe('what a self-serve app may not', () => {
  test('edit, unless its account pays for that', async () => {
    await using here = await scene();
    const { v2 } = here.twitterApi((await here.session()).accessToken);
    const first = await v2.tweet('Frist');
    const edit = () => v2.post('tweets', { text: 'First', edit_options: { previous_post_id: first.data.id } });

    await expect(edit()).rejects.toMatchObject({ code: 403, data: { detail: 'You are not permitted to perform this action.' } });
    expect(await here.control('/posts')).toMatchObject({ items: [{ text: 'Frist', editHistory: [first.data.id] }] });
    await here.control('/premium', { user: 'ada' });
    await expect(edit()).rejects.toMatchObject({ code: 403 });
    expect(await here.control('/premium', { user: 'fanfare' })).toEqual({ user: 'fanfare', premium: true });
    await edit();

    expect(await here.control('/posts')).toMatchObject({ items: [{ text: 'First' }] });
  });

  test('answer whoever has not called it; its own thread and who did it may answer', async () => {
    await using here = await scene();
    const [x, { x: other }] = [await here.xdkOf(), await somebody(here)];
    const [cold, calling, own] = [
      await other.posts.create({ text: 'Nobody in particular' }),
      await other.posts.create({ text: 'Hey @Fanfare!' }),
      await x.posts.create({ text: 'One' }),
    ];
    const answer = (to: typeof cold, text: string) => x.posts.create({ text, reply: { inReplyToTweetId: to.data?.id ?? '' } });

    await expect(answer(cold, 'Buy this')).rejects.toMatchObject({
      status: 403,
      data: { title: 'Forbidden', detail: expect.stringContaining('you have not been mentioned or otherwise engaged by the author') },
    });
    const warm = await answer(calling, 'Hello!');
    const thread = await answer(own, 'Two');
    await here.control('/settings', { tier: 'enterprise' });
    const paid = await answer(cold, 'Buy this');

    const read = await x.posts.getByIds(
      [warm, thread, paid].map(({ data }) => data?.id ?? ''),
      { postFields: ['conversation_id'], expansions: ['referenced_posts', 'in_reply_to_user_id'] },
    );
    expect(read.data).toMatchObject([
      { referencedPosts: [{ type: 'replied_to', id: calling.data?.id }], conversationId: calling.data?.id },
      { referencedPosts: [{ type: 'replied_to', id: own.data?.id }], conversationId: own.data?.id, inReplyToUserId: here.selfId },
      { referencedPosts: [{ type: 'replied_to', id: cold.data?.id }] },
    ]);
  });

  test('quote a post in whose conversation it has no part', async () => {
    await using here = await scene();
    const [x, { x: other }] = [await here.xdkOf(), await somebody(here)];
    const { data } = await other.posts.create({ text: 'Quotable' });
    const quote = () => x.posts.create({ text: 'Look', quoteTweetId: data?.id ?? '' });

    await expect(quote()).rejects.toMatchObject({
      status: 403,
      data: { detail: expect.stringContaining('Quoting this post is not allowed') },
    });
    await here.control('/settings', { tier: 'enterprise' });
    const quoted = await quote();

    expect(quoted.data?.text).toMatch(/^Look https:\/\/t\.co\/\w{10}$/);
    expect((await x.posts.getQuoted(data?.id ?? '')).data).toMatchObject([{ id: quoted.data?.id }]);
  });

  test('follow, block and like, nor take that back: not in its plan', async () => {
    await using here = await scene();
    const { accessToken } = await here.session();
    const [x, { v2 }, { person, x: other }] = [here.xdk({ accessToken }), here.twitterApi(accessToken), await somebody(here)];
    const { data } = await other.posts.create({ text: 'Likeable' });
    const id = data?.id ?? '';
    const attempts = {
      follow: () => x.users.followUser(here.selfId, { targetUserId: person.id }),
      unfollow: () => x.users.unfollowUser(here.selfId, person.id),
      like: () => x.users.likePost(here.selfId, { tweetId: id }),
      unlike: () => x.users.unlikePost(here.selfId, id),
      block: () => v2.block(here.selfId, person.id),
      unblock: () => v2.unblock(here.selfId, person.id),
    };

    for (const [name, attempt] of Object.entries(attempts)) {
      const refused = await attempt().catch((error: unknown) => error);
      expect(refused, name).toMatchObject({
        data: { title: 'Client Forbidden', reason: 'client-not-enrolled', required_enrollment: expect.any(String) },
      });
    }
    await here.control('/settings', { tier: 'enterprise' });

    expect(await attempts.follow()).toEqual({ data: { following: true, pendingFollow: false } });
    expect((await x.users.getFollowing(here.selfId)).data?.map(({ id: followed }) => followed)).toEqual([person.id]);
    expect(await attempts.unfollow()).toEqual({ data: { following: false } });
    expect(await attempts.like()).toEqual({ data: { liked: true } });
    expect((await x.users.getLikedPosts(here.selfId)).data).toMatchObject([{ id }]);
    expect(await attempts.unlike()).toEqual({ data: { liked: false } });
    expect(await attempts.block()).toEqual({ data: { blocking: true } });
    expect((await x.users.getBlocking(here.selfId)).data?.map(({ id: blocked }) => blocked)).toEqual([person.id]);
    expect(await attempts.unblock()).toEqual({ data: { blocking: false } });
  });
});

test('an account that X has closed is named so, and cannot write', async () => {
  await using here = await scene();
  const x = await here.xdkOf();
  await here.control('/suspend', { user: 'fanfare' });

  expect(await x.users.getByUsername('fanfare')).toMatchObject({
    errors: [{ title: 'Forbidden', detail: 'User has been suspended: [fanfare].' }],
  });
  await expect(x.posts.create({ text: 'Hello' })).rejects.toMatchObject({
    status: 403,
    data: { detail: expect.stringContaining('suspended') },
  });
});
