import { expect, test } from 'vitest';
import { SocialAsync } from '#src/clients/social/social.ts';
import { fileWith, MP4 } from '../../support/media-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { openBluesky } from './open-bluesky.ts';

test('a post succeeds with an expired token', async () => {
  await using fixture = await openBluesky();
  const { social } = fixture;
  await fixture.order('expire', {});

  await social.createPost('still there');

  expect(await fixture.postTexts()).toEqual(['still there']);
});

test('a revoked session is replaced by a new one', async () => {
  await using fixture = await openBluesky();
  await fixture.order('revoke', {});
  await fixture.order('expire', {});

  await fixture.social.createPost('back again');

  expect(await fixture.postTexts()).toEqual(['back again']);
});

test('a revoked app password fails with a clear message', async () => {
  await using fixture = await openBluesky();
  await fixture.order('revoke', { passwords: true });
  await fixture.order('expire', {});

  await expect(fixture.social.createPost('hello')).rejects.toMatchObject({
    fault: 'unauthorized',
    message: expect.stringContaining('app password'),
  });
});

test('an account that is taken down fails with forbidden', async () => {
  await using fixture = await openBluesky();
  await fixture.order('takedown', {});

  await expect(fixture.social.createPost('hello')).rejects.toMatchObject({ fault: 'forbidden' });
});

test('an app password without messages can post, and messages fail with a clear message', async () => {
  await using fixture = await openBluesky();
  const { handle, appPasswordWithoutMessages: appPassword } = await fixture.account('fanfare');
  const social = new SocialAsync({ platform: fixture.adapter({ appPassword }), clock: fixture.clock });

  await expect(social.sendMessage(fixture.other, 'hello')).rejects.toMatchObject({
    fault: 'forbidden',
    message: expect.stringMatching(/app password does not allow.*create a new app password/),
  });
  expect(await social.createPost('hello')).toMatchObject({ author: { handle } });
});

test('without a chat service, the error names the service', async () => {
  await using fixture = await openBluesky();
  await fixture.order('upstreams', { upstream: 'chat', on: false });

  await expect(whileSleeping(fixture.clock, fixture.social.getInbox())).rejects.toMatchObject({
    fault: 'unavailable',
    message: expect.stringContaining('needs a chat service'),
  });
});

test('a message to a failing chat service is unanswered', async () => {
  await using fixture = await openBluesky();
  const { social, sandbox } = fixture;
  await social.sendMessage(fixture.other, 'first');
  sandbox.faults.add({ platform: 'bluesky', kind: 'status', status: 500, route: 'sendMessage', times: 1 });

  await expect(social.sendMessage(fixture.other, 'second')).rejects.toMatchObject({ fault: 'unanswered', status: 500 });
});

test('a message contains a post, and a second reaction replaces the first', async () => {
  await using fixture = await openBluesky();
  const { social } = fixture;
  const post = await social.createPost('look at this');

  const message = await social.sendMessage(fixture.other, 'look #chess', { quotePost: post });
  await social.sendMessageReaction('🎉', message);
  await social.sendMessageReaction('👍🏽', message);
  const { messages = [], participants } = await social.getConversation(message.conversationId);
  const { messages: later } = await social.getConversation(message.conversationId, { maxId: message.id });

  expect(message).toMatchObject({
    sharedPostId: post.id,
    entities: [{ type: 'hashtag', start: 5, end: 11 }],
    sender: { handle: fixture.handle },
  });
  expect(messages.at(-1)).toMatchObject({ id: message.id, reactions: [{ emoji: '👍🏽', user: { handle: fixture.handle } }] });
  expect(new Set(participants.map(({ handle }) => handle))).toEqual(new Set([fixture.handle, fixture.other]));
  expect(later).toEqual([]);
});

test('hidden replies are omitted unless requested', async () => {
  await using fixture = await openBluesky();
  const { social } = fixture;
  const ada = await fixture.as('ada');
  const post = await social.createPost('what do you think?', { filter: 'Followers', key: 'k', since: new Date(fixture.clock.nowMs()) });
  const open = await social.createPost('and you?');
  const [seen, unseen] = [await ada.createPost('fine', { replyTo: open }), await ada.createPost('rude', { replyTo: open })];
  const below = await social.createPost('really?', { replyTo: unseen });
  await fixture.put('app.bsky.feed.threadgate', open.id.split('/').at(-1) ?? '', {
    $type: 'app.bsky.feed.threadgate',
    post: open.id,
    hiddenReplies: [unseen.id],
    createdAt: new Date(fixture.clock.nowMs()).toISOString(),
  });

  const shown = await social.getPostComments(open);
  const all = await social.getPostComments(open, { getHidden: true });

  expect(post.replyAudience).toBe('followers');
  expect(shown.items.map(({ id }) => id)).toEqual([seen.id]);
  expect(new Set(all.items.map(({ root }) => [root.id, root.hidden ?? false].join()))).toEqual(
    new Set([`${seen.id},false`, `${unseen.id},true`]),
  );
  expect(all.items.find(({ id }) => id === unseen.id)?.replies).toMatchObject([{ depth: 1, post: { id: below.id } }]);
});

test('a trend links to a feed, and the feed is a topic', async () => {
  await using fixture = await openBluesky();
  const { social } = fixture;
  const [trend] = await social.getTrends();

  const topic = await social.getTopic(trend?.url ?? '');
  const posts = await social.getTopicPosts(topic);

  expect(topic).toMatchObject({ platform: 'bluesky', kind: 'feed', name: trend?.name });
  expect(topic.id).toMatch(/^at:\/\/did:.*\/app\.bsky\.feed\.generator\//);
  expect(posts.length).toBeGreaterThan(0);
  expect(posts.items.filter(({ replyTo }) => replyTo)).toEqual([]);
});

test('a new pin replaces the previous one and changes nothing else in the profile', async () => {
  await using fixture = await openBluesky();
  const { social } = fixture;
  const me = await social.getUserInfo();
  const [first, second] = [await social.createPost('1'), await social.createPost('2')];

  await social.pinPost(first);
  await social.pinPost(second);
  await social.unpinPost(first);
  const pinned = await social.getUserInfo();
  await social.unpinPost(second);

  expect(pinned).toMatchObject({ pinnedPostIds: [second.id], displayName: me.displayName, bio: me.bio });
  expect((await social.getUserInfo()).pinnedPostIds).toBeUndefined();
  const [theirs] = await social.getPosts(fixture.other);
  await expect(social.pinPost(theirs ?? '')).rejects.toMatchObject({ fault: 'forbidden' });
});

test('notifications of a user who is not followed are refused with the reason', async () => {
  await using fixture = await openBluesky();
  const { social } = fixture;

  await expect(social.enableUserNotification(fixture.other)).rejects.toMatchObject({
    fault: 'rejected',
    message: expect.stringContaining('follow the user first'),
  });
  await social.followUser(fixture.other);

  expect(await social.enableUserNotification(fixture.other)).toBe(true);
  expect(await social.getUserInfo(fixture.other)).toMatchObject({ viewer: { following: true, notifying: true } });
  expect(await social.disableUserNotification(fixture.other)).toBe(true);
});

test('follows and reposts can be undone before the AppView shows them', async () => {
  await using fixture = await openBluesky();
  const { social, sandbox, clock } = fixture;
  const [theirs] = await social.getPosts(fixture.other);
  sandbox.faults.add({ platform: 'bluesky', kind: 'delayedVisibility', method: 'POST', ms: 60_000 });

  await social.followUser(fixture.other);
  await social.unfollowUser(fixture.other);
  await social.repostPost(theirs ?? '');
  await social.deleteRepost(theirs ?? '');
  await clock.advance(60_000);

  expect(await social.getUserInfo(fixture.other)).toMatchObject({ viewer: { following: false } });
  expect(await social.postDetail(theirs ?? '')).toMatchObject({ viewer: { reposted: false } });
});

test('a list that the AppView does not show yet has its name and its members', async () => {
  await using fixture = await openBluesky();
  const { social, sandbox } = fixture;
  const list = await social.createList('Before', {});
  sandbox.faults.add({ platform: 'bluesky', kind: 'delayedVisibility', method: 'POST', ms: 60_000 });

  const hidden = await social.createList('Runners', { description: 'Fast ones' });
  const added = await social.addListMember(hidden, fixture.other);

  expect(added).toEqual({ ...hidden, memberCount: 1, fetchedAt: added.fetchedAt });
  expect(await social.getList(hidden)).toEqual({ ...added, fetchedAt: expect.any(Date) });
  expect(Array.from(await social.getListMember(hidden), ({ handle }) => handle)).toEqual([fixture.other]);
  expect(await social.removeListMember(hidden, fixture.other)).toMatchObject({ id: hidden.id, memberCount: 0 });
  expect(await social.getListMember(hidden)).toHaveLength(0);
  expect(await social.deleteList(hidden)).toBe(true);
  await expect(social.addListMember(hidden, fixture.other)).rejects.toMatchObject({ fault: 'missing' });
  await expect(social.getListMember(hidden)).rejects.toMatchObject({ fault: 'missing' });
  expect(await social.getList(list)).toMatchObject({ name: 'Before', memberCount: 0 });
});

test('the member count of a list is current after each change', async () => {
  await using fixture = await openBluesky();
  const { social } = fixture;

  const list = await social.createList('Runners', { description: 'Fast ones', key: 'k', since: new Date(fixture.clock.nowMs()) });
  const again = await social.createList('Runners', { description: 'Fast ones', key: 'k', since: new Date(fixture.clock.nowMs()) });
  const withAda = await social.addListMember(list, fixture.other);
  const twice = await social.addListMember(list, fixture.other);
  const without = await social.removeListMember(list, fixture.other);

  expect(again.id).toBe(list.id);
  expect(await social.getList(list)).toMatchObject({
    name: 'Runners',
    description: 'Fast ones',
    visibility: 'public',
    owner: { handle: fixture.handle },
  });
  expect([list, withAda, twice, without].map(({ memberCount }) => memberCount)).toEqual([0, 1, 1, 0]);
  expect(await social.deleteList(list)).toBe(true);
  expect(await social.deleteList(list)).toBe(true);
  await expect(social.getList(list)).rejects.toMatchObject({ fault: 'missing' });
});

test('the same video is uploaded once', async () => {
  using folder = temporaryFolder();
  await using fixture = await openBluesky();
  const { social, clock } = fixture;
  const clip = fileWith(MP4, { folder, name: 'clip.mp4' });

  const first = await whileSleeping(clock, social.createPost('1', { files: [clip] }));
  const second = await whileSleeping(clock, social.createPost('2', { files: [clip] }));

  expect(second.media[0]?.id).toBe(first.media[0]?.id);
});

test('without points for writes, the error contains the time of the next attempt, and reads continue', async () => {
  await using fixture = await openBluesky();
  const { social } = fixture;
  await fixture.order('spend', { points: 4999 });

  await expect(social.createPost('too many')).rejects.toMatchObject({ fault: 'rateLimited', retryAt: expect.any(Date) });

  expect(await social.getUserInfo()).toMatchObject({ handle: fixture.handle });
});

test('an unknown post is missing by its address, its URL and any other name', async () => {
  await using fixture = await openBluesky();
  const { social } = fixture;
  const gone = await social.createPost('short-lived');
  await social.deletePost(gone);

  for (const name of [
    gone.id,
    gone.url ?? '',
    'https://a.test/profile/x',
    'nonsense',
    `at://${fixture.other}/app.bsky.feed.post/2222222222222`,
  ]) {
    await expect(social.postDetail(name)).rejects.toMatchObject({ fault: 'missing' });
    await expect(social.getPostComments(name)).rejects.toMatchObject({ fault: 'missing' });
  }
});

test('a repost of a simulated person stands for its post', async () => {
  await using fixture = await openBluesky();
  const { social, other } = fixture;
  for (const followed of (await social.getUserFollowings(other)).items.slice(0, 10)) await social.followUser(followed);
  const home = await social.getHomeTimeline({ timelineType: 'HomeLatestTimeline', pages: 3, waitTime: 0 });
  const repost = home.items.find(({ repostOf }) => repostOf !== undefined);
  if (!repost) throw new Error('nobody reposted');

  await social.likePost(repost);

  expect(await social.postDetail(repost)).toMatchObject({ id: repost.repostOf, viewer: { liked: true } });
});
