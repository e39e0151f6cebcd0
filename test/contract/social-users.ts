import { expect } from 'vitest';
import type { User } from '#src/clients/social/records/user.ts';
import { falling, handlesOf, idsOf, namesOf, timesOf, whole, type PromiseTest } from './social-fixture.ts';

const DAY_MS = 86_400_000;

/** Users and their relations. */
export function socialUsersContract(promise: PromiseTest): void {
  promise(
    'a user is found by handle, by @handle and by id; the default is the signed-in user',
    ['getUserInfo'],
    async ({ ground, social }) => {
      const user: User = await social.getUserInfo(ground.other);
      const me = await social.getUserInfo();
      const both = await social.getUserInfo([ground.handle, ground.other]);

      expect(user).toMatchObject({ handle: ground.other, createdAt: expect.any(Date) });
      expect(await social.getUserInfo(`@${ground.other}`)).toEqual(user);
      expect(await social.getUserInfo(user.id)).toEqual(user);
      expect(await social.getUserId(ground.other)).toBe(user.id);
      expect(me.handle).toBe(ground.handle);
      expect(both).toEqual([me, user]);
    },
  );

  promise('an unknown user is reported as missing', ['getUserInfo', 'getPosts'], async ({ social }) => {
    await expect(social.getUserInfo('nobody_at_all')).rejects.toMatchObject({ fault: 'missing' });
    await expect(social.getPosts('nobody_at_all')).rejects.toMatchObject({ fault: 'missing' });
  });

  promise('a user has the data of the world', ['getUserInfo'], async ({ ground, social }) => {
    const user = await social.getUserInfo(ground.other);
    const truth = await ground.truth?.getUserInfo(ground.other);

    expect(user.viewer).toMatchObject({ following: false, blocking: false });
    if (truth) expect(user).toMatchObject({ displayName: truth.displayName, bio: truth.bio, followerCount: truth.followerCount });
  });

  promise('a search for people finds users', ['search.filter=People'], async ({ ground, social }) => {
    const found = await social.search(ground.other, { filter: 'People' });

    expect(found.items).toContainEqual(await social.getUserInfo(ground.other));
  });

  promise(
    'followers and followings equal those of the world, and each other',
    ['getUserFollowers', 'getUserFollowings'],
    async ({ ground, social }) => {
      const followers = await social.getUserFollowers(ground.other, whole);
      const followings = await social.getUserFollowings(ground.other, whole);
      const [first] = followers;
      if (!first) throw new Error(`nobody follows ${ground.other}`);

      expect(handlesOf(await social.getUserFollowings(first, whole))).toContain(ground.other);
      if (!ground.truth) return;
      expect(new Set(namesOf(followers))).toEqual(new Set(namesOf(await ground.truth.getUserFollowers(ground.other, whole))));
      expect(new Set(namesOf(followings))).toEqual(new Set(namesOf(await ground.truth.getUserFollowings(ground.other, whole))));
    },
  );

  promise(
    'a follow is visible to both users, and can be removed',
    ['followUser', 'unfollowUser', 'getUserFollowers'],
    async ({ ground, social }) => {
      const followed = await social.followUser(ground.other);
      const during = await social.getUserFollowers(ground.other, whole);
      await social.followUser(followed);
      const unfollowed = await social.unfollowUser(ground.other);
      const after = await social.getUserFollowers(ground.other, whole);

      expect(followed).toMatchObject({ handle: ground.other, viewer: { following: true } });
      expect(handlesOf(during)).toContain(ground.handle);
      expect(unfollowed).toMatchObject({ handle: ground.other, viewer: { following: false } });
      expect(handlesOf(after)).not.toContain(ground.handle);
    },
  );

  promise(
    'mutual followers of a user are those whom the signed-in user follows',
    ['getMutualFollowers', 'followUser', 'getUserFollowers'],
    async ({ ground, social }) => {
      const follower = (await social.getUserFollowers(ground.other, whole)).items.find(({ protected: asks }) => !asks);
      if (!follower) throw new Error(`nobody follows ${ground.other}`);
      const before = await social.getMutualFollowers(ground.other);
      await social.followUser(follower);

      const known = await social.getMutualFollowers(ground.other, whole);

      expect(handlesOf(before)).not.toContain(follower.handle);
      expect(handlesOf(known)).toContain(follower.handle);
    },
  );

  promise('a blocked user is listed, and can be unblocked', ['blockUser', 'unblockUser', 'getBlockedUsers'], async ({ ground, social }) => {
    const blocked = await social.blockUser(ground.other);
    const during = await social.getBlockedUsers();
    const unblocked = await social.unblockUser(ground.other);

    expect(blocked).toMatchObject({ handle: ground.other, viewer: { blocking: true } });
    expect(handlesOf(during)).toEqual([ground.other]);
    expect(unblocked).toMatchObject({ handle: ground.other, viewer: { blocking: false } });
    expect((await social.getBlockedUsers()).length).toBe(0);
  });

  promise(
    'suggestions contain neither followed users nor the signed-in user',
    ['getSuggestedUsers', 'followUser'],
    async ({ ground, social }) => {
      const [first] = await social.getSuggestedUsers();
      if (!first) throw new Error('nobody is suggested');
      await social.followUser(first);

      const suggested = handlesOf(await social.getSuggestedUsers());

      expect(suggested).not.toContain(first.handle);
      expect(suggested).not.toContain(ground.handle);
    },
  );

  promise(
    'new posts of a user appear in notifications only while they are enabled',
    ['enableUserNotification', 'disableUserNotification', 'getPostNotifications', 'followUser'],
    async ({ ground, social }) => {
      await social.followUser(ground.other);
      await social.enableUserNotification(ground.other);
      const sinceMs = ground.clock.nowMs();
      await ground.clock.advance(3 * DAY_MS);

      const news = await social.getPostNotifications();
      await social.disableUserNotification(ground.other);

      expect(news.length).toBeGreaterThan(0);
      expect(new Set(news.items.map(({ author }) => author.handle))).toEqual(new Set([ground.other]));
      expect(Math.min(...timesOf(news))).toBeGreaterThanOrEqual(sinceMs);
      expect(timesOf(news)).toEqual(falling(timesOf(news)));
    },
  );

  promise('the media of a user are all posts with media, without reposts', ['getUserMedia'], async ({ ground, social }) => {
    const media = await social.getUserMedia(ground.other, whole);
    const all = await social.getPosts(ground.other, { ...whole, replies: true });

    expect(idsOf(media)).toEqual(idsOf(all.items.filter((post) => post.media.length > 0 && post.repostOf === undefined)));
  });

  promise(
    'a pinned post is a highlight until it is unpinned',
    ['pinPost', 'unpinPost', 'getUserHighlights'],
    async ({ ground, social }) => {
      const post = await social.createPost('look at this');
      await social.createPost('not at that');

      await social.pinPost(post);
      await social.pinPost(post);
      const during = await social.getUserHighlights(ground.handle);
      const pinned = await social.postDetail(post);
      await social.unpinPost(post);

      expect(idsOf(during)[0]).toBe(post.id);
      expect(pinned.viewer?.pinned).toBe(true);
      expect((await social.postDetail(post)).viewer?.pinned).toBe(false);
    },
  );
}
