import { expect, test } from 'vitest';
import { PlatformError } from '#src/errors.ts';
import { SocialAsync } from '#src/social/social.ts';
import { openSocial } from '../../adapters/sandbox/open-social.ts';
import { accountsOf, ALL, chatterNow, formsOf, signIn } from '../../support/sandbox-people.ts';

test('a user is named by handle, id or record, and comes back as the world has them', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const held = accountsOf(ground).find('ada');
  const ada = await social.getUserInfo('ada');

  const named = await Promise.all(formsOf(ada).map((form) => social.getUserInfo(form)));
  const ids = await Promise.all([ada.id, 'ada', '@ada', 'ADA'].map((form) => social.getUserId(form)));

  expect(ada).toMatchObject({ id: held?.id, displayName: held?.displayName, bio: held?.bio, createdAt: held?.createdAt });
  expect(named).toEqual(named.map(() => ada));
  expect(ids).toEqual(ids.map(() => held?.id));
});

test('a list of users comes back as a list, in its order, without those whom there is not', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const ada = await social.getUserInfo('ada');
  const grace = await social.getUserInfo('grace');

  const found = await social.getUserInfo([grace, ada.id, 'nobody_at_all', '@linus']);

  expect(found.map(({ handle }) => handle)).toEqual(['grace', 'ada', 'linus']);
});

test('without a name it is the signed-in user, and somebody whom there is not is missing', async () => {
  await using ground = await openSocial();
  const grace = await signIn(ground, 'grace');

  const me = await grace.getUserInfo();

  expect(me.handle).toBe('grace');
  expect(me.viewer).toBeUndefined();
  await expect(grace.getUserInfo('nobody_at_all')).rejects.toThrow(PlatformError);
  await expect(grace.getUserId('nobody_at_all')).rejects.toMatchObject({ fault: 'missing' });
});

test("someone's posts are all that they wrote, replies only where they are wanted, and the profile counts them", async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const ada = await social.getUserInfo('ada');
  const held = chatterNow(ground).filter(({ authorId, community, onTimeline }) => authorId === ada.id && (!community || onTimeline));

  const [withReplies, ...without] = await Promise.all([
    social.getPosts('ada', { replies: true, ...ALL }),
    ...formsOf(ada).map((form) => social.getPosts(form, ALL)),
  ]);

  expect(withReplies.items.map(({ id }) => id)).toEqual(held.map(({ id }) => id));
  expect(ada.postCount).toBe(held.length);
  expect(held.some(({ replyTo }) => replyTo)).toBe(true);
  for (const { items } of without) expect(items.map(({ id }) => id)).toEqual(held.filter(({ replyTo }) => !replyTo).map(({ id }) => id));
});

test("someone's media are those of their posts that have pictures", async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const held = chatterNow(ground).find(
    ({ media, community, authorId }) => media.length > 0 && !community && !accountsOf(ground).isProtected(authorId),
  );
  const author = await social.getUserInfo(held?.authorId);

  const [posts, ...media] = await Promise.all([
    social.getPosts(author, { replies: true, ...ALL }),
    ...formsOf(author).map((form) => social.getUserMedia(form, ALL)),
  ]);

  const wanted = posts.items.filter((post) => post.media.length > 0);
  expect(wanted.map(({ id }) => id)).toContain(held?.id);
  for (const { items } of media) expect(items).toEqual(wanted);
});

test('highlights begin with what is pinned, and go on with what most people like', async () => {
  await using ground = await openSocial();
  const ada = await signIn(ground, 'ada');
  const social = new SocialAsync(ground);
  const own = await ada.createPost('Read this first.');

  await ada.pinPost(own);
  const [first, ...others] = (await social.getUserHighlights('ada', ALL)).items;
  const { pinnedPostIds } = await social.getUserInfo('ada');
  const posts = await social.getPosts('ada', ALL);

  expect([first?.id, pinnedPostIds]).toEqual([own.id, [own.id]]);
  const mostLikes = posts.items
    .filter(({ id }) => id !== own.id)
    .map(({ counts }) => counts.likes)
    .toSorted((a, b) => b - a);
  expect(others.map(({ counts }) => counts.likes)).toEqual(mostLikes.slice(0, 5));

  await ada.unpinPost(own);
  expect((await social.getUserInfo('ada')).pinnedPostIds).toEqual([]);
});

test('followers and followings are two sides of the same, and the profile counts them', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const ada = await social.getUserInfo('ada');

  const followers = await social.getUserFollowers(ada, ALL);
  const followings = await social.getUserFollowings('@ada', ALL);

  expect([ada.followerCount, ada.followingCount]).toEqual([followers.length, followings.length]);
  expect(Math.min(followers.length, followings.length)).toBeGreaterThan(20);
  for (const follower of followers.items.slice(0, 5)) {
    const theirs = await social.getUserFollowings(follower, ALL);
    expect(theirs.items.map(({ handle }) => handle)).toContain('ada');
    expect(theirs.length).toBe(follower.followingCount);
  }
  for (const followed of followings.items.slice(0, 5)) {
    const theirs = await social.getUserFollowers(followed.id, ALL);
    expect(theirs.items.map(({ handle }) => handle)).toContain('ada');
    expect(theirs.length).toBe(followed.followerCount);
  }
});

test('every form of a user leads to the same lists', async () => {
  await using ground = await openSocial();
  const grace = await signIn(ground, 'grace');
  const ada = await grace.getUserInfo('ada');

  for (const list of ['getUserFollowers', 'getUserFollowings', 'getUserSubscribers', 'getMutualFollowers', 'getUserHighlights'] as const) {
    const answers = await Promise.all(formsOf(ada).map(async (form) => (await grace[list](form, ALL)).items.map(({ id }) => id)));

    expect(answers, list).toEqual(answers.map(() => answers[0]));
  }
});

test('subscribers are some of the followers', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);

  const subscribers = await social.getUserSubscribers('barbara', ALL);

  const followers = await social.getUserFollowers('barbara', ALL);
  expect(subscribers.length).toBeGreaterThan(0);
  expect(subscribers.length).toBeLessThan(followers.length);
  expect(followers.items.map(({ id }) => id)).toEqual(expect.arrayContaining(subscribers.items.map(({ id }) => id)));
});

test('mutual followers are those of the followers whom the signed-in user follows', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const [one, two, three] = (await social.getUserFollowers('ada', ALL)).items;

  const before = await social.getMutualFollowers('ada', ALL);
  for (const follower of [one, three]) await social.followUser(follower?.id ?? '');
  const after = await social.getMutualFollowers('ada', ALL);

  expect(before.items).toEqual([]);
  expect(after.items.map(({ id }) => id)).toEqual([one?.id, three?.id]);
  expect(after.items.map(({ id }) => id)).not.toContain(two?.id);
});

test('suggested are twenty whom the signed-in user neither follows nor blocks', async () => {
  await using ground = await openSocial();
  const grace = await signIn(ground, 'grace');
  const [first, second] = await grace.getSuggestedUsers();

  await grace.followUser(first?.id ?? '');
  await grace.blockUser(second?.id ?? '');
  const suggested = await grace.getSuggestedUsers();

  expect(suggested).toHaveLength(20);
  expect(suggested.map(({ id }) => id)).not.toContain(first?.id);
  expect(suggested.map(({ id }) => id)).not.toContain(second?.id);
  expect(suggested.filter(({ viewer, handle }) => viewer?.following || handle === 'grace')).toEqual([]);
});
