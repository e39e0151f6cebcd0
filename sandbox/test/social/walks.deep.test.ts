import { expect, test } from 'vitest';
import { SocialAsync } from '#src/clients/social/social.ts';
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

test.for(walks)('%s continues a walk without gaps and repeats after new items', async ([, walk]) => {
  await using fixture = await openSocial();
  const [grace, fanfare] = [await signIn(fixture, 'grace'), new SocialAsync(fixture)];
  for (const { id } of (await grace.getUserFollowers('barbara', { pages: 'all', waitTime: 0 })).items.slice(0, 30))
    await grace.followUser(id);
  const uncut = await walk(grace, { pages: 'all', waitTime: 0 });

  const first = await walk(grace, { pages: 1, waitTime: 0 });
  await fanfare.followUser('ada');
  await fanfare.createPost('My cat at the #speedrun', { community: 'speedrunners', postOnTimeline: true });
  const rest = await walk(await signIn(fixture, 'grace'), { pages: 'all', waitTime: 0, cursor: first.cursor });

  expect(uncut.length).toBeGreaterThan(20);
  expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(uncut.items.map(({ id }) => id));
});
