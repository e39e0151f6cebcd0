import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { tokensInMemory } from '#src/http/secrets/account-tokens.ts';
import { HOME_TIMELINE_TYPE_FOLLOWING } from '#src/clients/social/enumerations.ts';
import { falling, faultOf, handlesOf, idsOf, newest, now, timesOf, whole } from '../../contract/social-fixture.ts';
import { fileWith, gifOf, MP4, PNG } from '../../support/media-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { openX } from './open-x.ts';

const Communities = z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) });

const keysOf = (environment: Readonly<Record<string, string>>) => ({
  apiKey: environment['X_API_KEY'],
  apiSecret: environment['X_API_SECRET'],
  accessToken: environment['X_ACCESS_TOKEN'],
  accessSecret: environment['X_ACCESS_SECRET'],
});

test('the four keys of OAuth 1.0a sign queries, JSON and multipart forms', async () => {
  await using fixture = await openX();
  using folder = temporaryFolder();
  const social = await fixture.client('fanfare', { ...keysOf(fixture.environment), tokens: undefined, bearerToken: undefined });

  const post = await social.createPost('Signed & sealed', { files: [[fileWith(PNG, { folder, name: 'card.png' }), 'A card']] });
  const found = await social.search('"sealed" OR (to:ada -is:retweet)', { filter: 'Latest' });
  const [message] = [await social.sendMessage('ada', 'signed, too')];

  expect(post.media).toMatchObject([{ altText: 'A card' }]);
  expect(idsOf(found)).toContain(post.id);
  expect(message?.text).toBe('signed, too');
  expect((await social.getTrends()).length).toBeGreaterThan(5);
  expect(await social.deletePost(post)).toBe(true);
});

test('a post has a picture together with a still GIF, which is no animation', async () => {
  await using fixture = await openX();
  const files = [
    { bytes: PNG, name: 'card.png' },
    { bytes: gifOf(8, 8, 1), name: 'still.gif' },
  ];

  const post = await whileSleeping(fixture.clock, fixture.social.createPost('both', { files }));

  expect(post.media).toMatchObject([{ kind: 'image' }, { kind: 'image' }]);
});

test('a wrong secret fails with advice about the keys, and no error contains a secret', async () => {
  await using fixture = await openX();
  const social = await fixture.client('fanfare', { ...keysOf(fixture.environment), apiSecret: 'wr0ng-secret', tokens: undefined });

  const error: unknown = await social.createPost('hello').catch((reason: unknown) => reason);

  expect(error).toMatchObject({ fault: 'unauthorized', message: expect.stringContaining('four keys') });
  expect(String(error)).not.toContain('wr0ng-secret');
});

test('an app-only token reads public data', async () => {
  await using fixture = await openX();
  const social = await fixture.client('fanfare', { tokens: undefined });

  const posts = await social.getPosts('ada');
  const [first] = posts;

  expect(posts.length).toBeGreaterThan(5);
  expect(await social.postDetail(first?.id ?? '')).toEqual(first);
  expect((await social.getUserInfo('ada')).viewer).toBeUndefined();
  expect(await faultOf(social.createPost('hello'))).toBe('unauthorized');
  expect(await faultOf(social.getMentions())).toBe('unauthorized');
});

test('tokens are renewed for hours of work', async () => {
  await using fixture = await openX();
  await fixture.social.getUserInfo();

  for (const hour of [1, 2, 3, 4, 5]) {
    await fixture.clock.advance(3600_000);
    await Promise.all([fixture.social.createPost(`hour ${hour}`), fixture.social.getPosts('ada'), fixture.social.getMentions()]);
  }

  expect((await fixture.postTexts()).length).toBe(5);
});

test('a revoked token is renewed; a revoked sign-in is an error with advice', async () => {
  await using fixture = await openX();
  await fixture.control('revoke', {});

  await expect(fixture.social.createPost('hello')).rejects.toMatchObject({
    fault: 'unauthorized',
    message: expect.stringContaining('must sign in again'),
  });
  expect(await fixture.postTexts()).toEqual([]);
});

test('a renewal with a lost response is an error with advice, and nothing is written', async () => {
  await using fixture = await openX();
  await fixture.clock.advance(2 * 3600_000);
  fixture.sandbox.faults.add({ platform: 'x', kind: 'resetAfter', route: '/oauth2/token', times: 1 });

  await expect(fixture.social.createPost('hello')).rejects.toMatchObject({
    fault: 'unauthorized',
    message: expect.stringContaining('must sign in again'),
  });
  expect(await fixture.postTexts()).toEqual([]);
});

test.for(['tweet', 'post'] as const)('posts in the vocabulary "%s" become the same records', async (names) => {
  await using asked = await openX();
  await using named = await openX({}, { names });

  const [one, other] = await Promise.all([asked, named].map(({ social }) => social.getPosts('ada', { ...whole, replies: true })));
  const strip = (posts: typeof one) =>
    posts?.items.map(({ fetchedAt: _fetched, counts, createdAt: _created, id: _id, url: _url, ...post }) => ({
      text: post.text,
      media: post.media.length,
      counts,
      isReply: post.replyTo !== undefined,
      isRepost: post.repostOf !== undefined,
    }));

  expect(strip(other)?.slice(-20)).toEqual(strip(one)?.slice(-20));
});

test('used-up credits are not a temporary limit', async () => {
  await using fixture = await openX();
  await fixture.control('settings', { creditsDepleted: true });
  expect(await faultOf(fixture.social.createPost('hello'))).toBe('quotaExhausted');
  await fixture.control('settings', { creditsDepleted: false, usageCap: 0 });

  const before = await fixture.requests('GET /x/2/users/:id/tweets');
  expect(await faultOf(fixture.social.getPosts('7').then(() => fixture.social.getPosts('ada')))).toBe('quotaExhausted');
  expect(await fixture.requests('GET /x/2/users/:id/tweets')).toBe(before + 1);
});

test('a suspended account is an error with the reason', async () => {
  await using fixture = await openX();
  await fixture.control('suspend', {});

  await expect(fixture.social.createPost('hello')).rejects.toMatchObject({
    fault: 'forbidden',
    message: expect.stringContaining('suspended'),
  });
});

test('a video is uploaded in parts and awaited', async () => {
  await using fixture = await openX();
  using folder = temporaryFolder();
  const path = fileWith(Buffer.concat([MP4, Buffer.alloc(5 * 1024 * 1024, 1)]), { folder, name: 'clip.mp4' });

  const post = await whileSleeping(fixture.clock, fixture.social.createPost('Watch', { files: [path] }));

  expect(post.media).toMatchObject([{ kind: 'video', state: 'ready' }]);
  expect(await fixture.requests('POST /x/2/media/upload/:id/append')).toBe(2);
  expect(await fixture.requests('GET /x/2/media/upload')).toBeGreaterThan(0);
});

test('a post has a poll, an edit creates another post, and the history has both', async () => {
  await using fixture = await openX({}, { tier: 'enterprise' });
  const { poll } = await fixture.social.createPost('Which?', { poll: { options: ['this', 'that'], durationMinutes: 60 } });
  const post = await fixture.social.createPost('first');
  await fixture.clock.advance(60_000);

  const edited = await fixture.social.editPost(post, 'second');
  const again = await fixture.social.editPost(post, 'second');
  const { versions, complete } = await fixture.social.postEditHistory(edited);

  expect(poll).toMatchObject({
    options: [
      { index: 0, label: 'this' },
      { index: 1, label: 'that' },
    ],
    closed: false,
  });
  expect(again.id).toBe(edited.id);
  expect({ texts: versions.map(({ text }) => text), complete }).toEqual({ texts: ['first', 'second'], complete: true });
});

test('an edit needs a paying account; without one, the post stays unchanged', async () => {
  await using fixture = await openX();
  const post = await fixture.social.createPost('first');

  await expect(fixture.social.editPost(post, 'second')).rejects.toMatchObject({
    name: 'UnsupportedOperation',
    reason: 'TIER_REQUIRED',
    message: expect.stringMatching(/X Premium.*Instead: deletePost and createPost/u),
  });
  expect(await fixture.postTexts()).toEqual(['first']);

  await fixture.control('premium', {});
  expect(await fixture.social.editPost(post, 'second')).toMatchObject({ text: 'second' });
  expect(await fixture.postTexts()).toEqual(['second']);
});

test('messages with a file and with a post are in the inbox and in the conversation', async () => {
  await using fixture = await openX();
  using folder = temporaryFolder();
  const { social } = fixture;
  const post = await social.createPost('look at this');
  await social.sendMessage('ada', 'one', { file: fileWith(PNG, { folder, name: 'card.png' }) });
  await fixture.clock.advance(1000);
  const second = await social.sendMessage('ada', 'two', { quotePost: post });
  await fixture.clock.advance(1000);
  await social.sendMessage('grace', 'three');

  const inbox = await social.getInbox();
  const { messages, participants } = await social.getConversation('ada');

  expect(inbox.items.slice(0, 2).map(({ lastMessage }) => lastMessage?.text)).toEqual(['three', 'two']);
  expect(new Set(handlesOf(participants))).toEqual(new Set(['fanfare', 'ada']));
  expect(messages?.map(({ text, media, sharedPostId }) => [text, media.length, sharedPostId])).toEqual([
    ['one', 1, undefined],
    ['two', 0, post.id],
  ]);
  expect(await social.getConversation(second.conversationId, { maxId: messages?.[0]?.id ?? '' })).toMatchObject({
    messages: [{ text: 'two' }],
  });
  await expect(social.sendMessage('ada', 'x', { audioOnly: true })).rejects.toMatchObject({ name: 'UnsupportedParameter' });
});

test('lists have members and the posts of members', async () => {
  await using fixture = await openX();
  const { social } = fixture;
  const list = await social.createList('Runners', { description: 'All of them', isPrivate: true });

  const added = await social.addListMember(list, 'ada');
  const posts = await social.getListPosts(list);

  expect(added).toMatchObject({
    id: list.id,
    name: 'Runners',
    description: 'All of them',
    visibility: 'private',
    memberCount: 1,
    owner: { handle: 'fanfare' },
  });
  expect(handlesOf(await social.getListMember(list.url ?? ''))).toEqual(['ada']);
  expect(new Set(posts.items.map(({ author }) => author.handle))).toEqual(new Set(['ada']));
  expect(await social.removeListMember(list, '@ada')).toMatchObject({ memberCount: 0 });
});

test('new posts of watched users, over changing pages', async () => {
  await using fixture = await openX();
  const { social } = fixture;
  for (const user of ['ada', 'grace']) await social.enableUserNotification(user);
  const since = now(fixture);
  await fixture.clock.advance(3 * 86_400_000);

  const news = await social.getPostNotifications(whole);

  expect(news.length).toBeGreaterThan(3);
  expect(timesOf(news)).toEqual(falling(timesOf(news)));
  expect(Math.min(...timesOf(news))).toBeGreaterThanOrEqual(since.getTime());
  expect((await social.getUserInfo('ada')).viewer?.notifying).toBe(true);
});

test('the home timeline, and the users who reposted a post', async () => {
  await using fixture = await openX({}, { tier: 'enterprise' });
  const { social } = fixture;
  await social.followUser('ada');
  const post = await newest(social, 'ada');

  const home = await social.getHomeTimeline({ timelineType: HOME_TIMELINE_TYPE_FOLLOWING });
  const reposts = await social.getPostReposts(post);
  expect(idsOf(home)).toContain(post.id);
  expect(reposts.length).toBeLessThanOrEqual(post.counts.reposts);
  await expect(social.getCommunity('1')).rejects.toMatchObject({ fault: 'missing' });
});

test('a community of the world, and a post in it', async () => {
  await using fixture = await openX();
  const found = await fetch(`${fixture.environment['X_API_URL']}/2/communities/search?query=speedrun`, {
    headers: { authorization: `Bearer ${await fixture.accessToken()}` },
  });
  const { data } = Communities.parse(await found.json());
  const { id = '', name } = data[0] ?? {};

  const community = await fixture.social.getCommunity(id);
  const post = await fixture.social.createPost('inside', { community, postOnTimeline: true });

  expect(community).toMatchObject({ platform: 'x', id, name, memberCount: expect.any(Number) });
  expect(post.communityId).toBe(id);
  await expect(fixture.social.getCommunity('1')).rejects.toMatchObject({ fault: 'missing' });
});

test('a truncated, empty or endless list adds no posts', async () => {
  await using fixture = await openX();
  const { faults } = fixture.sandbox;
  const all = await fixture.social.getPosts('ada', whole);

  faults.add({ platform: 'x', kind: 'emptyList', times: 1, route: '/tweets' });
  expect((await fixture.social.getPosts('ada')).length).toBe(0);
  faults.add({ platform: 'x', kind: 'endlessCursor', route: '/tweets' });
  const endless = await fixture.social.getPosts('ada', whole);

  expect(new Set(idsOf(endless)).size).toBe(endless.length);
  expect(idsOf(all).slice(0, 5)).toEqual(idsOf(endless).slice(0, 5));
});

test('unusable stored tokens are an error', async () => {
  await using fixture = await openX({ tokens: tokensInMemory({ accessToken: 'none', expiresAt: '2030-01-01T00:00:00Z' }) });

  await expect(fixture.social.getUserInfo()).rejects.toMatchObject({
    fault: 'unauthorized',
    message: expect.stringContaining('the account x must sign in again'),
  });
});
