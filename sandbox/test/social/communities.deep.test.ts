import { expect, test } from 'vitest';
import { SocialAsync } from '#src/clients/social/social.ts';
import { openSocial } from '../../../test/adapters/sandbox/open-social.ts';
import { ALL, signIn } from '../../../test/support/sandbox-people.ts';

test('a community shows the role of the signed-in account', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const [admin, moderator, ...rest] = (await social.getCommunityMembers('chess-club', ALL)).items;
  const member = rest.find(({ handle }) => handle !== 'fanfare' && rest.findIndex((other) => other.handle === handle) > 4);

  const roles = await Promise.all(
    [admin, moderator, member].map(async (user) => (await (await signIn(fixture, user?.handle ?? '')).getCommunity('chess-club')).role),
  );

  expect(roles).toEqual(['admin', 'moderator', 'member']);
});

test('timelines show a post in a community only with postOnTimeline', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const ada = await signIn(fixture, 'ada');
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

test('only members can post in a closed community, and only members can read a community with invitations', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const [insider] = (await social.getCommunityMembers('orchard-keepers')).items;
  const member = await signIn(fixture, insider?.handle ?? '');

  const post = await member.createPost('A quiet word', { community: 'orchard-keepers' });

  expect((await member.getCommunityPosts('orchard-keepers')).items[0]).toEqual(post);
  expect((await social.getCommunityPosts('orchard-keepers')).items).toEqual([]);
  await expect(social.postDetail(post)).rejects.toMatchObject({ fault: 'missing' });
  for (const community of ['orchard-keepers', 'factory-floor']) {
    await expect(social.createPost('Let me in', { community })).rejects.toMatchObject({ fault: 'forbidden' });
  }
  await expect(social.createPost('Anybody?', { community: 'none' })).rejects.toMatchObject({ fault: 'missing' });
});
