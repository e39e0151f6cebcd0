import { expect } from 'vitest';
import type { User } from '#src/clients/social/records/user.ts';
import { falling, handlesOf, idsOf, namesOf, timesOf, whole, type PromiseTest } from './social-fixture.ts';

const DAY_MS = 86_400_000;

/** Users and their relations. */
export function socialUsersContract(promise: PromiseTest): void {
  promise(
    'a user is found by handle, by @handle and by id; the default is the signed-in user',
    ['getUserInfo'],
    async ({ fixture, social }) => {
      const user: User = await social.getUserInfo(fixture.other);
      const me = await social.getUserInfo();
      const both = await social.getUserInfo([fixture.handle, fixture.other]);

      expect(user).toMatchObject({ handle: fixture.other, createdAt: expect.any(Date) });
      expect(await social.getUserInfo(`@${fixture.other}`)).toEqual(user);
      expect(await social.getUserInfo(` @${fixture.other} `)).toEqual(user);
      expect(await social.getUserInfo(user.id)).toEqual(user);
      expect(await social.getUserId(fixture.other)).toBe(user.id);
      expect(me.handle).toBe(fixture.handle);
      expect(both).toEqual([me, user]);
    },
  );

  promise('an unknown user is reported as missing', ['getUserInfo', 'getPosts'], async ({ fixture, social }) => {
    await expect(social.getUserInfo('nobody_at_all')).rejects.toMatchObject({ fault: 'missing' });
    await expect(social.getUserInfo([fixture.other, 'nobody_at_all'])).rejects.toMatchObject({ fault: 'missing' });
    await expect(social.getPosts('nobody_at_all')).rejects.toMatchObject({ fault: 'missing' });
  });

  promise('a user has the data of the world', ['getUserInfo'], async ({ fixture, social }) => {
    const user = await social.getUserInfo(fixture.other);
    const truth = await fixture.truth?.getUserInfo(fixture.other);

    expect(user.viewer).toMatchObject({ following: false, blocking: false });
    if (truth) expect(user).toMatchObject({ displayName: truth.displayName, bio: truth.bio, followerCount: truth.followerCount });
  });

  promise('a search for people finds users', ['search.filter=People'], async ({ fixture, social }) => {
    const found = await social.search(fixture.other, { filter: 'People' });

    expect(found.items).toContainEqual(await social.getUserInfo(fixture.other));
  });

  promise(
    'followers and followings equal those of the world, and each other',
    ['getUserFollowers', 'getUserFollowings'],
    async ({ fixture, social }) => {
      const followers = await social.getUserFollowers(fixture.other, whole);
      const followings = await social.getUserFollowings(fixture.other, whole);
      const [first] = followers;
      if (!first) throw new Error(`nobody follows ${fixture.other}`);

      expect(handlesOf(await social.getUserFollowings(first, whole))).toContain(fixture.other);
      if (!fixture.truth) return;
      expect(new Set(namesOf(followers))).toEqual(new Set(namesOf(await fixture.truth.getUserFollowers(fixture.other, whole))));
      expect(new Set(namesOf(followings))).toEqual(new Set(namesOf(await fixture.truth.getUserFollowings(fixture.other, whole))));
    },
  );

  promise(
    'a follow is visible to both users, and can be removed',
    ['followUser', 'unfollowUser', 'getUserFollowers'],
    async ({ fixture, social }) => {
      const followed = await social.followUser(fixture.other);
      const during = await social.getUserFollowers(fixture.other, whole);
      await social.followUser(followed);
      const unfollowed = await social.unfollowUser(fixture.other);
      const after = await social.getUserFollowers(fixture.other, whole);

      expect(followed).toMatchObject({ handle: fixture.other, viewer: { following: true } });
      expect(handlesOf(during)).toContain(fixture.handle);
      expect(unfollowed).toMatchObject({ handle: fixture.other, viewer: { following: false } });
      expect(handlesOf(after)).not.toContain(fixture.handle);
    },
  );

  promise('an account can neither follow nor block itself', ['followUser', 'blockUser', 'getBlockedUsers'], async ({ fixture, social }) => {
    await expect(social.followUser(fixture.handle)).rejects.toThrow(fixture.platform.name);
    await expect(social.blockUser(fixture.handle)).rejects.toThrow(fixture.platform.name);

    expect((await social.getBlockedUsers()).length).toBe(0);
  });

  promise(
    'mutual followers of a user are those whom the signed-in user follows',
    ['getMutualFollowers', 'followUser', 'getUserFollowers'],
    async ({ fixture, social }) => {
      const follower = (await social.getUserFollowers(fixture.other, whole)).items.find(({ protected: asks }) => !asks);
      if (!follower) throw new Error(`nobody follows ${fixture.other}`);
      const before = await social.getMutualFollowers(fixture.other);
      await social.followUser(follower);

      const known = await social.getMutualFollowers(fixture.other, whole);

      expect(handlesOf(before)).not.toContain(follower.handle);
      expect(handlesOf(known)).toContain(follower.handle);
    },
  );

  promise(
    'a blocked user is listed, and can be unblocked',
    ['blockUser', 'unblockUser', 'getBlockedUsers'],
    async ({ fixture, social }) => {
      const blocked = await social.blockUser(fixture.other);
      const during = await social.getBlockedUsers();
      const unblocked = await social.unblockUser(fixture.other);

      expect(blocked).toMatchObject({ handle: fixture.other, viewer: { blocking: true } });
      expect(handlesOf(during)).toEqual([fixture.other]);
      expect(unblocked).toMatchObject({ handle: fixture.other, viewer: { blocking: false } });
      expect((await social.getBlockedUsers()).length).toBe(0);
    },
  );

  promise(
    'suggestions contain neither followed users nor the signed-in user',
    ['getSuggestedUsers', 'followUser'],
    async ({ fixture, social }) => {
      const [first] = await social.getSuggestedUsers();
      if (!first) throw new Error('nobody is suggested');
      await social.followUser(first);

      const suggested = handlesOf(await social.getSuggestedUsers());

      expect(suggested).not.toContain(first.handle);
      expect(suggested).not.toContain(fixture.handle);
    },
  );

  promise(
    'new posts of a user appear in notifications only while they are enabled',
    ['enableUserNotification', 'disableUserNotification', 'getPostNotifications', 'followUser'],
    async ({ fixture, social }) => {
      await social.followUser(fixture.other);
      await social.enableUserNotification(fixture.other);
      const sinceMs = fixture.clock.nowMs();
      await fixture.clock.advance(3 * DAY_MS);

      const news = await social.getPostNotifications();
      await social.disableUserNotification(fixture.other);

      expect(news.length).toBeGreaterThan(0);
      expect(new Set(news.items.map(({ author }) => author.handle))).toEqual(new Set([fixture.other]));
      expect(Math.min(...timesOf(news))).toBeGreaterThanOrEqual(sinceMs);
      expect(timesOf(news)).toEqual(falling(timesOf(news)));
    },
  );

  promise('the media of a user are all posts with media, without reposts', ['getUserMedia'], async ({ fixture, social }) => {
    const media = await social.getUserMedia(fixture.other, whole);
    const all = await social.getPosts(fixture.other, { ...whole, replies: true });

    expect(idsOf(media)).toEqual(idsOf(all.items.filter((post) => post.media.length > 0 && post.repostOf === undefined)));
  });

  promise(
    'a pinned post is a highlight until it is unpinned',
    ['pinPost', 'unpinPost', 'getUserHighlights'],
    async ({ fixture, social }) => {
      const post = await social.createPost('look at this');
      await social.createPost('not at that');

      await social.pinPost(post);
      await social.pinPost(post);
      const during = await social.getUserHighlights(fixture.handle);
      const pinned = await social.postDetail(post);
      await social.unpinPost(post);

      expect(idsOf(during)[0]).toBe(post.id);
      expect(pinned.viewer?.pinned).toBe(true);
      expect((await social.postDetail(post)).viewer?.pinned).toBe(false);
    },
  );
}
