import { expect, test } from 'vitest';
import { SocialAsync } from '#src/clients/social/social.ts';
import { fileWith, MP4 } from '../../support/media-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { openBluesky } from './open-bluesky.ts';

test('a post succeeds with an expired token', async () => {
  await using ground = await openBluesky();
  const { social } = ground;
  await ground.order('expire', {});

  await social.createPost('still there');

  expect(await ground.postTexts()).toEqual(['still there']);
});

test('a revoked session is replaced by a new one', async () => {
  await using ground = await openBluesky();
  await ground.order('revoke', {});
  await ground.order('expire', {});

  await ground.social.createPost('back again');

  expect(await ground.postTexts()).toEqual(['back again']);
});

test('a revoked app password fails with a clear message', async () => {
  await using ground = await openBluesky();
  await ground.order('revoke', { passwords: true });
  await ground.order('expire', {});

  await expect(ground.social.createPost('hello')).rejects.toMatchObject({
    fault: 'unauthorized',
    message: expect.stringContaining('app password'),
  });
});

test('an account that is taken down fails with forbidden', async () => {
  await using ground = await openBluesky();
  await ground.order('takedown', {});

  await expect(ground.social.createPost('hello')).rejects.toMatchObject({ fault: 'forbidden' });
});

test('an app password without messages can post, and messages fail with a clear message', async () => {
  await using ground = await openBluesky();
  const { handle, appPasswordWithoutMessages: appPassword } = await ground.account('fanfare');
  const social = new SocialAsync({ platform: ground.adapter({ appPassword }), clock: ground.clock });

  await expect(social.sendMessage(ground.other, 'hello')).rejects.toMatchObject({
    fault: 'forbidden',
    message: expect.stringMatching(/app password does not allow.*create a new app password/),
  });
  expect(await social.createPost('hello')).toMatchObject({ author: { handle } });
});

test('without a chat service, the error names the service', async () => {
  await using ground = await openBluesky();
  await ground.order('upstreams', { upstream: 'chat', on: false });

  await expect(whileSleeping(ground.clock, ground.social.getInbox())).rejects.toMatchObject({
    fault: 'unavailable',
    message: expect.stringContaining('needs a chat service'),
  });
});

test('a message to a failing chat service is unanswered', async () => {
  await using ground = await openBluesky();
  const { social, sandbox } = ground;
  await social.sendMessage(ground.other, 'first');
  sandbox.faults.add({ platform: 'bluesky', kind: 'status', status: 500, route: 'sendMessage', times: 1 });

  await expect(social.sendMessage(ground.other, 'second')).rejects.toMatchObject({ fault: 'unanswered', status: 500 });
});

test('a message contains a post, and a second reaction replaces the first', async () => {
  await using ground = await openBluesky();
  const { social } = ground;
  const post = await social.createPost('look at this');

  const message = await social.sendMessage(ground.other, 'look #chess', { quotePost: post });
  await social.sendMessageReaction('🎉', message);
  await social.sendMessageReaction('👍🏽', message);
  const { messages = [], participants } = await social.getConversation(message.conversationId);
  const { messages: later } = await social.getConversation(message.conversationId, { maxId: message.id });

  expect(message).toMatchObject({
    sharedPostId: post.id,
    entities: [{ type: 'hashtag', start: 5, end: 11 }],
    sender: { handle: ground.handle },
  });
  expect(messages.at(-1)).toMatchObject({ id: message.id, reactions: [{ emoji: '👍🏽', user: { handle: ground.handle } }] });
  expect(new Set(participants.map(({ handle }) => handle))).toEqual(new Set([ground.handle, ground.other]));
  expect(later).toEqual([]);
});

test('hidden replies are omitted unless requested', async () => {
  await using ground = await openBluesky();
  const { social } = ground;
  const ada = await ground.as('ada');
  const post = await social.createPost('what do you think?', { filter: 'Followers', key: 'k', since: new Date(ground.clock.nowMs()) });
  const open = await social.createPost('and you?');
  const [seen, unseen] = [await ada.createPost('fine', { replyTo: open }), await ada.createPost('rude', { replyTo: open })];
  const below = await social.createPost('really?', { replyTo: unseen });
  await ground.put('app.bsky.feed.threadgate', open.id.split('/').at(-1) ?? '', {
    $type: 'app.bsky.feed.threadgate',
    post: open.id,
    hiddenReplies: [unseen.id],
    createdAt: new Date(ground.clock.nowMs()).toISOString(),
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
  await using ground = await openBluesky();
  const { social } = ground;
  const [trend] = await social.getTrends();

  const topic = await social.getTopic(trend?.url ?? '');
  const posts = await social.getTopicPosts(topic);

  expect(topic).toMatchObject({ platform: 'bluesky', kind: 'feed', name: trend?.name });
  expect(topic.id).toMatch(/^at:\/\/did:.*\/app\.bsky\.feed\.generator\//);
  expect(posts.length).toBeGreaterThan(0);
  expect(posts.items.filter(({ replyTo }) => replyTo)).toEqual([]);
});

test('a new pin replaces the previous one and changes nothing else in the profile', async () => {
  await using ground = await openBluesky();
  const { social } = ground;
  const me = await social.getUserInfo();
  const [first, second] = [await social.createPost('1'), await social.createPost('2')];

  await social.pinPost(first);
  await social.pinPost(second);
  await social.unpinPost(first);
  const pinned = await social.getUserInfo();
  await social.unpinPost(second);

  expect(pinned).toMatchObject({ pinnedPostIds: [second.id], displayName: me.displayName, bio: me.bio });
  expect((await social.getUserInfo()).pinnedPostIds).toBeUndefined();
  const [theirs] = await social.getPosts(ground.other);
  await expect(social.pinPost(theirs ?? '')).rejects.toMatchObject({ fault: 'forbidden' });
});

test('notifications of a user who is not followed are refused with the reason', async () => {
  await using ground = await openBluesky();
  const { social } = ground;

  await expect(social.enableUserNotification(ground.other)).rejects.toMatchObject({
    fault: 'rejected',
    message: expect.stringContaining('follow the user first'),
  });
  await social.followUser(ground.other);

  expect(await social.enableUserNotification(ground.other)).toBe(true);
  expect(await social.getUserInfo(ground.other)).toMatchObject({ viewer: { following: true, notifying: true } });
  expect(await social.disableUserNotification(ground.other)).toBe(true);
});

test('follows and reposts can be undone before the AppView shows them', async () => {
  await using ground = await openBluesky();
  const { social, sandbox, clock } = ground;
  const [theirs] = await social.getPosts(ground.other);
  sandbox.faults.add({ platform: 'bluesky', kind: 'delayedVisibility', method: 'POST', ms: 60_000 });

  await social.followUser(ground.other);
  await social.unfollowUser(ground.other);
  await social.repostPost(theirs ?? '');
  await social.deleteRepost(theirs ?? '');
  await clock.advance(60_000);

  expect(await social.getUserInfo(ground.other)).toMatchObject({ viewer: { following: false } });
  expect(await social.postDetail(theirs ?? '')).toMatchObject({ viewer: { reposted: false } });
});

test('a list that the AppView does not show yet has its name and its members', async () => {
  await using ground = await openBluesky();
  const { social, sandbox } = ground;
  const list = await social.createList('Before', {});
  sandbox.faults.add({ platform: 'bluesky', kind: 'delayedVisibility', method: 'POST', ms: 60_000 });

  const hidden = await social.createList('Runners', { description: 'Fast ones' });
  const added = await social.addListMember(hidden, ground.other);

  expect(added).toEqual({ ...hidden, memberCount: 1, fetchedAt: added.fetchedAt });
  expect(await social.getList(hidden)).toEqual({ ...added, fetchedAt: expect.any(Date) });
  expect(Array.from(await social.getListMember(hidden), ({ handle }) => handle)).toEqual([ground.other]);
  expect(await social.removeListMember(hidden, ground.other)).toMatchObject({ id: hidden.id, memberCount: 0 });
  expect(await social.getListMember(hidden)).toHaveLength(0);
  expect(await social.deleteList(hidden)).toBe(true);
  await expect(social.addListMember(hidden, ground.other)).rejects.toMatchObject({ fault: 'missing' });
  await expect(social.getListMember(hidden)).rejects.toMatchObject({ fault: 'missing' });
  expect(await social.getList(list)).toMatchObject({ name: 'Before', memberCount: 0 });
});

test('the member count of a list is current after each change', async () => {
  await using ground = await openBluesky();
  const { social } = ground;

  const list = await social.createList('Runners', { description: 'Fast ones', key: 'k', since: new Date(ground.clock.nowMs()) });
  const again = await social.createList('Runners', { description: 'Fast ones', key: 'k', since: new Date(ground.clock.nowMs()) });
  const withAda = await social.addListMember(list, ground.other);
  const twice = await social.addListMember(list, ground.other);
  const without = await social.removeListMember(list, ground.other);

  expect(again.id).toBe(list.id);
  expect(await social.getList(list)).toMatchObject({
    name: 'Runners',
    description: 'Fast ones',
    visibility: 'public',
    owner: { handle: ground.handle },
  });
  expect([list, withAda, twice, without].map(({ memberCount }) => memberCount)).toEqual([0, 1, 1, 0]);
  expect(await social.deleteList(list)).toBe(true);
  expect(await social.deleteList(list)).toBe(true);
  await expect(social.getList(list)).rejects.toMatchObject({ fault: 'missing' });
});

test('the same video is uploaded once', async () => {
  using folder = temporaryFolder();
  await using ground = await openBluesky();
  const { social, clock } = ground;
  const clip = fileWith(MP4, { folder, name: 'clip.mp4' });

  const first = await whileSleeping(clock, social.createPost('1', { files: [clip] }));
  const second = await whileSleeping(clock, social.createPost('2', { files: [clip] }));

  expect(second.media[0]?.id).toBe(first.media[0]?.id);
});

test('without points for writes, the error contains the time of the next attempt, and reads continue', async () => {
  await using ground = await openBluesky();
  const { social } = ground;
  await ground.order('spend', { points: 4999 });

  await expect(social.createPost('too many')).rejects.toMatchObject({ fault: 'rateLimited', retryAt: expect.any(Date) });

  expect(await social.getUserInfo()).toMatchObject({ handle: ground.handle });
});

test('an unknown post is missing by its address, its URL and any other name', async () => {
  await using ground = await openBluesky();
  const { social } = ground;
  const gone = await social.createPost('short-lived');
  await social.deletePost(gone);

  for (const name of [
    gone.id,
    gone.url ?? '',
    'https://a.test/profile/x',
    'nonsense',
    `at://${ground.other}/app.bsky.feed.post/2222222222222`,
  ]) {
    await expect(social.postDetail(name)).rejects.toMatchObject({ fault: 'missing' });
    await expect(social.getPostComments(name)).rejects.toMatchObject({ fault: 'missing' });
  }
});
