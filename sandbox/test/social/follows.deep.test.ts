import { expect, test } from 'vitest';
import { SocialAsync } from '#src/clients/social/social.ts';
import { openSocial } from '../../../test/adapters/sandbox/open-social.ts';
import { ALL, protectedPerson, signIn } from '../../../test/support/sandbox-people.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

test('a person can end a generated follow, and a new follow becomes the latest one', async () => {
  await using fixture = await openSocial();
  const ada = await signIn(fixture, 'ada');
  const before = (await ada.getUserFollowings('ada', ALL)).items.map(({ id }) => id);
  const last = before.at(-1) ?? '';

  await ada.unfollowUser(last);
  const without = (await ada.getUserFollowings('ada', ALL)).items.map(({ id }) => id);
  await ada.followUser(last);
  const again = (await ada.getUserFollowings('ada', ALL)).items.map(({ id }) => id);

  expect(without).toEqual(before.slice(0, -1));
  expect(again).toEqual([last, ...without]);
});

test('only followers see the posts of a protected person, in every list', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const { id, handle } = protectedPerson(fixture);
  const self = await signIn(fixture, handle);
  const secret = await self.createPost('Zanzibar #zanzibar');

  async function seen(client: SocialAsync): Promise<readonly number[]> {
    const [posts, found, about] = await Promise.all([
      client.getPosts(id, ALL),
      client.search('Zanzibar', ALL),
      client.search('#zanzibar', ALL),
    ]);
    return [posts.length, found.length, about.length];
  }
  const viewerPosts = await seen(self);
  const otherPosts = await seen(social);
  const hidden = await social.getUserInfo(id);

  expect(hidden).toMatchObject({ handle, protected: true, postCount: 0 });
  expect(otherPosts).toEqual([0, 0, 0]);
  expect(viewerPosts).toEqual([expect.any(Number), 1, 1]);
  await expect(social.postDetail(secret)).rejects.toMatchObject({ fault: 'missing' });

  await social.followUser(id);

  expect(await seen(social)).toEqual(viewerPosts);
  expect(await social.postDetail(secret)).toMatchObject({ text: secret.text, visibility: 'followers' });
});

test('a block ends the follows of two people, hides their posts from each other, and prevents new follows', async () => {
  await using fixture = await openSocial();
  const [ada, grace] = await Promise.all([signIn(fixture, 'ada'), signIn(fixture, 'grace')]);
  await Promise.all([ada.followUser('grace'), grace.followUser('ada'), grace.enableUserNotification('ada')]);
  const post = await ada.createPost('Zanzibar');
  const answer = await grace.createPost('Zanzibar, too', { replyTo: post });

  const blocked = await ada.blockUser('grace');

  expect(blocked).toMatchObject({
    handle: 'grace',
    postCount: 0,
    viewer: { blocking: true, following: false, followedBy: false, canDm: false },
  });
  expect((await ada.getBlockedUsers(ALL)).items.map(({ handle }) => handle)).toEqual(['grace']);
  expect((await grace.getBlockedUsers(ALL)).items).toEqual([]);
  for (const [client, other, theirs] of [
    [ada, 'grace', answer],
    [grace, 'ada', post],
  ] as const) {
    const handles = async (list: AsyncIterable<{ readonly handle: string }>): Promise<readonly string[]> =>
      (await Array.fromAsync(list)).map(({ handle }) => handle);

    expect((await client.getUserInfo(other)).viewer).toMatchObject({ following: false, followedBy: false, notifying: false, canDm: false });
    expect((await client.getPosts(other, ALL)).items).toEqual([]);
    expect((await client.getUserHighlights(other, ALL)).items).toEqual([]);
    expect((await client.search('Zanzibar', ALL)).length).toBe(1);
    expect(
      (await client.search(other, { filter: 'People', ...ALL })).items.filter((found) => 'handle' in found && found.handle === other),
    ).toEqual([]);
    expect(await handles(client.getUserFollowers(other, ALL))).not.toContain(other === 'ada' ? 'grace' : 'ada');
    expect((await client.getPostNotifications(ALL)).items).toEqual([]);
    await expect(client.postDetail(theirs)).rejects.toMatchObject({ fault: 'missing' });
    await expect(client.createPost('hello', { replyTo: theirs })).rejects.toMatchObject({ fault: 'missing' });
    await expect(client.followUser(other)).rejects.toMatchObject({ fault: 'forbidden' });
    await expect(client.enableUserNotification(other)).rejects.toMatchObject({ fault: 'forbidden' });
  }
});

test('an account cannot follow, block or subscribe to itself or to a missing account', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const writes = ['followUser', 'unfollowUser', 'blockUser', 'unblockUser', 'enableUserNotification', 'disableUserNotification'] as const;

  for (const write of writes) {
    await expect(social[write]('fanfare'), write).rejects.toMatchObject({ fault: 'rejected' });
    await expect(social[write]('nobody_at_all'), write).rejects.toMatchObject({ fault: 'missing' });
  }
});

test('follows, blocks, notifications and bookmarks survive a restart with their order', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/sandbox.sqlite`;
  async function state(social: SocialAsync): Promise<unknown> {
    const [followings, blocked, bookmarks, linus] = await Promise.all([
      social.getUserFollowings('fanfare', ALL),
      social.getBlockedUsers(ALL),
      social.getBookmarks(ALL),
      social.getUserInfo('linus'),
    ]);
    return [[followings, blocked, bookmarks].map(({ items }) => items.map(({ id }) => id)), linus.viewer];
  }
  async function change(): Promise<unknown> {
    await using fixture = await openSocial({ file });
    const social = new SocialAsync(fixture);
    for (const user of ['ada', 'grace', 'margaret']) await social.followUser(user);
    await social.unfollowUser('ada');
    await social.followUser('ada');
    for (const user of ['dennis', 'barbara']) await social.blockUser(user);
    await social.enableUserNotification('linus');
    const posts = await social.search('the', { filter: 'Latest' });
    for (const { id } of posts.items.slice(0, 3)) await social.bookmarkPost(id);
    await social.unbookmarkPost(posts.items[0]?.id ?? '');
    await social.bookmarkPost(posts.items[0]?.id ?? '');
    return await state(social);
  }

  const before = await change();
  await using fixture = await openSocial({ file });
  const after = await state(new SocialAsync(fixture));

  expect(after).toEqual(before);
  expect(after).toMatchObject([
    [expect.objectContaining({ length: 3 }), expect.objectContaining({ length: 2 }), expect.objectContaining({ length: 3 })],
    { notifying: true },
  ]);
});
