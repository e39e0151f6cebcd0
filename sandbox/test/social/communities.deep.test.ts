import { expect, test } from 'vitest';
import { SocialAsync } from '#src/social/social.ts';
import { communitiesOf } from '../../social/communities.ts';
import { openSocial } from '../../../test/adapters/sandbox/open-social.ts';
import { accountsOf, ALL, chatterNow, signIn } from '../../../test/support/sandbox-people.ts';

test('there are a dozen communities around games, each with its members, an admin and moderators', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const held = communitiesOf(ground.sandbox.world).all;

  const communities = await Promise.all(held.map(({ id }) => social.getCommunity(id)));

  expect(communities.map(({ id }) => id)).toContain('speedrunners');
  expect(communities).toHaveLength(12);
  for (const [index, community] of communities.entries()) {
    const [members, byId, mods] = await Promise.all([
      social.getCommunityMembers(community, ALL),
      social.getCommunityMembers(community.id),
      social.getCommunityMembers(community, { filter: 'Mods', ...ALL }),
    ]);
    const ids = members.items.map(({ id }) => id);
    expect(ids).toEqual([...(held[index]?.roles.keys() ?? [])]);
    expect(byId.items).toEqual(members.items.slice(0, 20));
    expect(mods.items).toEqual(members.items.slice(0, 5));
    expect(community.memberCount).toBe(ids.length);
    expect(community.role).toBe(ids.includes('fanfare') ? 'member' : 'none');
    expect(ids.includes('fanfare')).toBe(community.joinPolicy === 'open');
  }
  await expect(social.getCommunity('none')).rejects.toMatchObject({ fault: 'missing' });
});

test('roles are those of whoever asks', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const [admin, moderator, ...rest] = (await social.getCommunityMembers('chess-club', ALL)).items;
  const member = rest.find(({ handle }) => handle !== 'fanfare' && rest.findIndex((other) => other.handle === handle) > 4);

  const roles = await Promise.all(
    [admin, moderator, member].map(async (user) => (await (await signIn(ground, user?.handle ?? '')).getCommunity('chess-club')).role),
  );

  expect(roles).toEqual(['admin', 'moderator', 'member']);
});

test('the posts of a community are those that its members wrote in it: newest first, or most liked first', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const people = accountsOf(ground);
  const community = await social.getCommunity('valorant-nights');
  const members = new Set((await social.getCommunityMembers(community, ALL)).items.map(({ id }) => id));

  const [posts, byId, latest, top] = await Promise.all([
    social.getCommunityPosts(community, ALL),
    social.getCommunityPosts(community.id, ALL),
    social.getCommunityPosts(community, { filter: 'Latest', ...ALL }),
    social.getCommunityPosts(community, { filter: 'Top', ...ALL }),
  ]);

  const held = chatterNow(ground).filter((post) => post.community === community.id && !people.isProtected(post.authorId));
  expect(posts.items.map(({ id }) => id)).toEqual(held.map(({ id }) => id));
  expect(posts.length).toBeGreaterThan(5);
  expect([byId.items, latest.items]).toEqual([posts.items, posts.items]);
  expect(posts.items.filter(({ author, communityId }) => !members.has(author.id) || communityId !== community.id)).toEqual([]);
  const likes = top.items.map(({ counts }) => counts.likes);
  expect(likes).toEqual(likes.toSorted((a, b) => b - a));
  expect(top.length).toBe(posts.length);
});

test('a post in a community stays in it, unless it is on the timeline, too', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const ada = await signIn(ground, 'ada');
  await ada.followUser('fanfare');
  const community = await social.getCommunity('speedrunners');
  const inside = await social.createPost('for us', { community });
  const outside = await social.createPost('for all', { community: community.id, postOnTimeline: true });

  const lists = await Promise.all([
    social.getCommunityPosts(community),
    social.getPosts('fanfare'),
    ada.getHomeTimeline({ timelineType: 'HomeLatestTimeline', ...ALL }),
  ]);

  const viewerPosts = lists.map(({ items }) => items.filter(({ author }) => author.handle === 'fanfare').map(({ id }) => id));
  expect(viewerPosts).toEqual([[outside.id, inside.id], [outside.id], [outside.id]]);
});

test('into a community that is not open only its members post, and one by invitation only they read', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const [insider] = (await social.getCommunityMembers('orchard-keepers')).items;
  const member = await signIn(ground, insider?.handle ?? '');

  const post = await member.createPost('A quiet word', { community: 'orchard-keepers' });

  expect((await member.getCommunityPosts('orchard-keepers')).items[0]).toEqual(post);
  expect((await social.getCommunityPosts('orchard-keepers')).items).toEqual([]);
  await expect(social.postDetail(post)).rejects.toMatchObject({ fault: 'missing' });
  for (const community of ['orchard-keepers', 'factory-floor']) {
    await expect(social.createPost('Let me in', { community })).rejects.toMatchObject({ fault: 'forbidden' });
  }
  await expect(social.createPost('Anybody?', { community: 'none' })).rejects.toMatchObject({ fault: 'missing' });
});
