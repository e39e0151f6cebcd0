import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { HOME_TIMELINE_TYPE_FOLLOWING } from '#src/clients/social/enumerations.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { openSocial, type SandboxFixture } from '../../../test/adapters/sandbox/open-social.ts';
import { ALL, chatterNow, protectedPerson, signIn } from '../../../test/support/sandbox-people.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

const MINUTE_MS = 60_000;
const FOLLOWING = { timelineType: HOME_TIMELINE_TYPE_FOLLOWING, ...ALL } as const;

test('a repost is an item in the timelines of its author and of the followers', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const [ada, grace] = [await signIn(fixture, 'ada'), await signIn(fixture, 'grace')];
  await grace.followUser('fanfare');
  const list = await grace.createList('Announcers');
  await grace.addListMember(list, 'fanfare');
  const post = await ada.createPost('Look at this', { replyTo: await ada.createPost('Hello') });
  await fixture.clock.advance(MINUTE_MS);

  await social.repostPost(post);
  await grace.likePost(post);
  const [item] = await social.getPosts('fanfare');
  const seen = [
    (await grace.getHomeTimeline(FOLLOWING)).at(0),
    (await grace.getListPosts(list)).at(0),
    (await social.getHomeTimeline(FOLLOWING)).at(0),
  ];

  expect(item).toMatchObject({ repostOf: post.id, text: 'Look at this', author: { handle: 'fanfare' }, counts: { reposts: 1, likes: 1 } });
  expect(item?.id).not.toBe(post.id);
  expect(item?.replyTo).toBeUndefined();
  expect(item?.viewer?.reposted).toBe(true);
  expect(item?.createdAt.getTime()).toBe(post.createdAt.getTime() + MINUTE_MS);
  expect(seen.map((one) => one?.id)).toEqual([item?.id, item?.id, item?.id]);
  expect(await social.postDetail(item?.url ?? '')).toEqual(item);
  expect(await (await fetch(item?.url ?? '')).text()).toContain('reposted');
});

test('a withdrawn repost is missing, and a new repost is another item', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const post = await (await signIn(fixture, 'ada')).createPost('Look at this');
  const idsOf = async (): Promise<readonly string[]> => (await social.getPosts('fanfare')).items.map(({ id }) => id);

  await social.repostPost(post);
  await social.repostPost(post);
  const first = await idsOf();
  await social.deleteRepost(first[0] ?? '');
  const none = await idsOf();
  await social.repostPost(post);
  const second = await idsOf();
  await social.deletePost(second[0] ?? '');

  expect([first.length, none.length, second.length, (await idsOf()).length]).toEqual([1, 0, 1, 0]);
  expect(second).not.toEqual(first);
  expect((await social.postDetail(post)).counts.reposts).toBe(0);
  await expect(social.postDetail(first[0] ?? '')).rejects.toMatchObject({ fault: 'missing' });
});

test('actions on a repost apply to the original post', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const ada = await signIn(fixture, 'ada');
  const post = await ada.createPost('Which?', { poll: { options: ['a', 'b'] } });
  await social.repostPost(post);
  const [item] = await social.getPosts('fanfare');
  if (!item) throw new Error('the timeline has no repost');

  await social.likePost(item);
  await social.bookmarkPost(item);
  await social.votePoll(item, [1]);
  const reply = await social.createPost('This one', { replyTo: item });
  const quote = await social.createPost('See', { quote: item });
  const after = await social.postDetail(post);

  expect([reply.replyTo?.postId, quote.quoted?.postId]).toEqual([post.id, post.id]);
  expect(after.counts).toEqual({ likes: 1, reposts: 1, replies: 1, quotes: 1, bookmarks: 1 });
  expect(after.poll?.totalVotes).toBe(1);
  expect((await social.getBookmarks()).items.map(({ id }) => id)).toEqual([post.id]);
  await expect(social.editPost(item, 'mine now')).rejects.toMatchObject({ fault: 'forbidden' });
  await expect(ada.deletePost(item)).resolves.toBe(true);
  expect((await social.getPosts('fanfare')).items.some(({ repostOf }) => repostOf)).toBe(false);
});

test('a repost of a hidden post is hidden, and a block hides reposts', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const shy = protectedPerson(fixture);
  const [post] = await (await signIn(fixture, shy.handle)).getPosts(shy.handle);
  const [ada, grace] = [await signIn(fixture, 'ada'), await signIn(fixture, 'grace')];
  await ada.followUser(shy.id);
  await grace.followUser('ada');
  const open = await social.createPost('for everybody');

  await ada.repostPost(post ?? '');
  await ada.repostPost(open);
  const seen = await repostedBy(ada, 'ada');
  const unseen = await repostedBy(grace, 'ada');
  await social.blockUser('grace');
  const apart = await repostedBy(grace, 'ada');
  await ada.blockUser('grace');

  expect(seen.slice(0, 2)).toEqual([open.id, post?.id]);
  expect(unseen).toContain(open.id);
  expect(unseen).not.toContain(post?.id);
  expect(apart).not.toContain(open.id);
  expect(await repostedBy(grace, 'ada')).toEqual([]);
});

test('searches, mentions and topics do not contain reposts', async () => {
  await using fixture = await openSocial();
  const [social, ada] = [new SocialAsync(fixture), await signIn(fixture, 'ada')];
  const post = await ada.createPost('Zanzibar, @fanfare! #Zanzibar');
  await (await signIn(fixture, 'grace')).repostPost(post);

  const lists = [await social.search('zanzibar', { filter: 'Latest' }), await social.getMentions(), await social.getTopicPosts('zanzibar')];

  expect(lists.map(({ items }) => items.map((item) => 'id' in item && item.id))).toEqual([[post.id], [post.id], [post.id]]);
  expect((await social.getTopic('zanzibar')).postCount).toBe(1);
});

test('generated reposts are in the timelines of their authors', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const popular = chatterNow(fixture).find(({ reposts, likes, community }) => reposts > 1 && likes < 100 && community === undefined);
  const post = await social.postDetail(popular?.id ?? '');
  const fans = (await social.getPostReposts(post, ALL)).items;

  const items = await Promise.all(fans.map(({ id }) => repostOf(social, id, post)));

  expect(fans.length).toBe(post.counts.reposts);
  const visible = items.filter((item) => item !== undefined);
  expect(visible.length).toBeGreaterThan(0);
  for (const item of visible) {
    expect(item.createdAt.getTime()).toBeGreaterThan(post.createdAt.getTime());
    expect(item.createdAt.getTime()).toBeLessThanOrEqual(fixture.clock.nowMs());
    expect(await social.postDetail(item)).toEqual(item);
  }
});

test('a repost survives a restart with its id and its time', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/sandbox.sqlite`;
  const read = async (fixture: SandboxFixture): Promise<readonly unknown[]> =>
    (await new SocialAsync(fixture).getPosts('fanfare')).items.map(({ id, repostOf: original, createdAt }) => [id, original, createdAt]);
  let before: readonly unknown[];
  {
    await using fixture = await openSocial({ file });
    await new SocialAsync(fixture).repostPost(await (await signIn(fixture, 'ada')).createPost('Look at this'));
    before = await read(fixture);
  }

  await using fixture = await openSocial({ file });

  expect(before.length).toBe(1);
  expect(await read(fixture)).toEqual(before);
});

async function repostedBy(social: SocialAsync, user: string): Promise<readonly (string | undefined)[]> {
  const posts = await social.getPosts(user, ALL).catch(() => ({ items: [] }));
  return posts.items.filter((post) => post.repostOf !== undefined).map((post) => post.repostOf);
}

async function repostOf(social: SocialAsync, user: string, { id }: Post): Promise<Post | undefined> {
  return (await social.getPosts(user, ALL)).items.find((item) => item.repostOf === id);
}
