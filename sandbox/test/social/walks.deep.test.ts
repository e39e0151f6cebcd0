import { expect, test } from 'vitest';
import { SocialAsync } from '#src/social/social.ts';
import { openSocial } from '../../../test/adapters/sandbox/open-social.ts';
import { signIn } from '../../../test/support/sandbox-people.ts';

interface Walking {
  readonly pages: number | 'all';
  readonly waitTime: number;
  readonly cursor?: string | undefined;
}
interface Walked {
  readonly items: readonly { readonly id: string }[];
  readonly length: number;
  readonly cursor: string | undefined;
}
type Walk = (social: SocialAsync, walking: Walking) => PromiseLike<Walked>;

const walks: readonly (readonly [string, Walk])[] = [
  ['getPosts', (social, walking) => social.getPosts('ada', { replies: true, ...walking })],
  ['getUserFollowers', (social, walking) => social.getUserFollowers('ada', walking)],
  ['getUserFollowings', (social, walking) => social.getUserFollowings('ada', walking)],
  ['getMutualFollowers', (social, walking) => social.getMutualFollowers('barbara', walking)],
  ['search for the latest', (social, walking) => social.search('cat', { filter: 'Latest', ...walking })],
  ['search for people', (social, walking) => social.search('chess', { filter: 'People', ...walking })],
  ['the latest home timeline', (social, walking) => social.getHomeTimeline({ timelineType: 'HomeLatestTimeline', ...walking })],
  ['searchGifs', (social, walking) => social.searchGifs('happy', walking)],
  ['getTopicPosts', (social, walking) => social.getTopicPosts('speedrun', { replies: true, ...walking })],
  ['getCommunityPosts', (social, walking) => social.getCommunityPosts('speedrunners', walking)],
  ['getCommunityMembers', (social, walking) => social.getCommunityMembers('speedrunners', walking)],
];

test.for(walks)('%s goes on where a walk was cut, with nothing twice and nothing left out, whatever came in front', async ([, walk]) => {
  await using ground = await openSocial();
  const [grace, fanfare] = [await signIn(ground, 'grace'), new SocialAsync(ground)];
  for (const { id } of (await grace.getUserFollowers('barbara', { pages: 'all', waitTime: 0 })).items.slice(0, 30))
    await grace.followUser(id);
  const uncut = await walk(grace, { pages: 'all', waitTime: 0 });

  const first = await walk(grace, { pages: 1, waitTime: 0 });
  await fanfare.followUser('ada');
  await fanfare.createPost('My cat at the #speedrun', { community: 'speedrunners', postOnTimeline: true });
  const rest = await walk(await signIn(ground, 'grace'), { pages: 'all', waitTime: 0, cursor: first.cursor });

  expect(uncut.length).toBeGreaterThan(20);
  expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(uncut.items.map(({ id }) => id));
});

test('lists, bookmarks, blocks and notifications are walked in pages of twenty', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const ada = await signIn(ground, 'ada');
  await social.enableUserNotification('ada');
  const list = await social.createList('Everybody');
  const others = (await social.getUserFollowers('barbara', { pages: 2, waitTime: 0 })).items.slice(0, 25);
  for (const { id } of others) {
    await social.bookmarkPost(await ada.createPost('Hello'));
    await social.createList('One more');
    await social.addListMember(list, id);
    await social.blockUser(id);
  }

  for (const walk of [
    (walking) => social.getBookmarks(walking),
    (walking) => social.getLists(walking),
    (walking) => social.getListMember(list, walking),
    (walking) => social.getBlockedUsers(walking),
    (walking) => social.getPostNotifications(walking),
  ] satisfies ((walking: Walking) => PromiseLike<Walked>)[]) {
    const first = await walk({ pages: 1, waitTime: 0 });
    const rest = await walk({ pages: 'all', waitTime: 0, cursor: first.cursor });
    const uncut = await walk({ pages: 'all', waitTime: 0 });

    expect(first.length).toBe(20);
    expect([...first.items, ...rest.items]).toEqual(uncut.items);
    expect(new Set(uncut.items.map(({ id }) => id)).size).toBeGreaterThanOrEqual(25);
  }
});
