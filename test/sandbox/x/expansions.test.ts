import { expect, test } from 'vitest';
import { scene } from './scene.ts';

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

test('what is asked for stands beside the answer, each thing once, and nothing else', async () => {
  await using here = await scene();
  const person = here.sandbox.world.people.find(({ followerCount }) => followerCount > 50_000);
  const theirs = here.twitterApi((await here.session({ user: person?.handle ?? '' })).accessToken).v2;
  const { v2 } = here.twitterApi((await here.session()).accessToken);
  const picture = await theirs.uploadMedia(PNG, { media_type: 'image/png' as never, media_category: 'tweet_image' }); // the type is an enum of it
  const first = await theirs.tweet('Hello @fanfare, look', { media: { media_ids: [picture] } });
  const answer = await v2.reply(`@${person?.handle} nice`, first.data.id);
  const quote = await v2.quote('See', first.data.id);

  const bare = await v2.tweets([answer.data.id, quote.data.id]);
  const full = await v2.tweets([answer.data.id, quote.data.id], {
    expansions: [
      'author_id',
      'in_reply_to_user_id',
      'referenced_tweets.id',
      'referenced_tweets.id.author_id',
      'referenced_tweets.id.attachments.media_keys' as never,
    ], // newer than the client's type
    'tweet.fields': ['conversation_id'],
    'user.fields': ['protected'],
    'media.fields': ['width'],
  });

  expect(Object.keys(bare)).toEqual(['data']);
  expect(Object.keys(bare.data[0] ?? {}).toSorted()).toEqual(['edit_history_tweet_ids', 'id', 'text']);
  expect(full.data).toMatchObject([
    {
      author_id: here.selfId,
      in_reply_to_user_id: person?.id,
      conversation_id: first.data.id,
      referenced_tweets: [{ type: 'replied_to', id: first.data.id }],
    },
    { author_id: here.selfId, referenced_tweets: [{ type: 'quoted', id: first.data.id }] },
  ]);
  expect(full.includes).toEqual({
    users: [
      { id: here.selfId, name: 'Fanfare', username: 'fanfare', protected: false },
      { id: person?.id, name: person?.displayName, username: person?.handle, protected: false },
    ],
    tweets: [
      {
        id: first.data.id,
        text: first.data.text,
        edit_history_tweet_ids: [first.data.id],
        conversation_id: first.data.id,
        author_id: person?.id,
      },
    ],
    media: [{ media_key: `3_${picture}`, type: 'photo', width: 1 }],
  });
});

test('people speak of the account by themselves, and it may answer them', async () => {
  await using here = await scene({ lively: true });
  const { v2 } = here.twitterApi((await here.session()).accessToken);

  const { tweets } = await v2.userMentionTimeline(here.selfId, { max_results: 5, 'tweet.fields': ['author_id'] });
  const answer = await v2.reply('You are welcome', tweets[0]?.id ?? '');
  const { data } = await v2.tweet('Hear, hear');
  await here.clock.advance(3_600_000);
  const later = await v2.singleTweet(data.id, { 'tweet.fields': ['public_metrics'] });

  expect(tweets.every(({ text }) => text.includes('@fanfare'))).toBe(true);
  expect(answer.data.id).toBeDefined();
  expect(later.data.public_metrics).toMatchObject({ impression_count: expect.any(Number) });
});
