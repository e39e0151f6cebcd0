import { expect, test } from 'vitest';
import { isPublic } from '#src/clients/operation/audience.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import type { InteractionView } from '../../support/discord-sandbox.ts';
import { fileWith, PNG } from '../../support/media-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { HOSTILE } from '../cards/hostile-records.ts';
import { type LookupsFixture, openLookups } from './fixture.ts';

function descriptionsIn({ message }: InteractionView): readonly string[] {
  return (message?.embeds ?? []).map(({ description }) => (typeof description === 'string' ? description : ''));
}

/** The addresses of the posts on the cards. */
function postsIn(view: InteractionView): readonly (string | undefined)[] {
  return descriptionsIn(view).map((text) => /\[open\]\(([^)]+)\)/u.exec(text)?.[1]);
}

function urlsOf(items: readonly unknown[]): readonly (string | undefined)[] {
  return items.map((item) => (item as Post).url); // a search for posts returns posts
}

test('/social user shows a profile and its link', async () => {
  await using fixture = await openLookups({ accounts: ['sandbox'] });
  const ada = await fixture.social.getUserInfo('ada');

  const view = await fixture.command('social user', { user: '@ada' });

  expect(view).toMatchObject({ outcome: 'message', ephemeral: true });
  expect(view.message?.embeds).toMatchObject([{ title: expect.stringMatching(/^Ada/), url: ada.url }]);
  const { followerCount, followingCount, postCount, bio } = ada;
  expect(descriptionsIn(view)[0]?.replaceAll(/\d{9,}/gu, '…')).toBe(
    `-# \\@ada\n${bio}\n**${followerCount}** followers · follows ${followingCount} · ${postCount} posts · since <t:…:D>`,
  );
  expect(JSON.stringify(view.message?.components)).toContain(`"label":"To the profile","url":"${ada.url}"`);
});

test('/social posts shows the newest posts first, with replies on demand', async () => {
  await using fixture = await openLookups({ accounts: ['sandbox'] });
  const posts = (await fixture.social.getPosts('ada')).items;
  const withReplies = (await fixture.social.getPosts('ada', { replies: true })).items;

  const view = await fixture.command('social posts', { user: 'ada' });
  const second = await fixture.click(view.message, 'Next');
  const all = await fixture.command('social posts', { user: 'ada', replies: 'yes' });

  expect(view.message?.content).toBe('Posts of **Ada**:');
  expect(postsIn(view)).toEqual(urlsOf(posts.slice(0, 5)));
  expect(postsIn(second)).toEqual(urlsOf(posts.slice(5, 10)));
  expect(postsIn(all)).toEqual(urlsOf(withReplies.slice(0, 5)));
});

/** A post that only followers can read. */
async function postForFollowers({ social, world }: LookupsFixture): Promise<Post> {
  // People with many followers are not protected.
  for (const { handle } of world.world.people.toReversed()) {
    if ((await social.getUserInfo(handle)).protected !== true) continue;
    await social.followUser(handle);
    const [post] = (await social.getPosts(handle)).items;
    if (post) return post;
  }
  throw new Error('no protected person has a post');
}

test('/social shows no post that not everyone can read', async () => {
  await using fixture = await openLookups({ accounts: ['sandbox'] });
  const post = await postForFollowers(fixture);

  const all = await fixture.command('social posts', { user: post.author.handle });
  const one = await fixture.command('social post', { post: post.id });
  const thread = await fixture.command('social thread', { post: post.id });

  expect(post.visibility).toBe('followers');
  for (const view of [all, one, thread]) expect(JSON.stringify(view)).not.toContain(post.url);
});

test('/social shows no post of a community, because a community may be for invited members only', async () => {
  await using fixture = await openLookups({ accounts: ['sandbox'] });
  const communities = await fixture.social.getCommunityPosts('chess-club');
  const [post] = communities.items;

  const all = await fixture.command('social posts', { user: post?.author.handle ?? '' });
  const one = await fixture.command('social post', { post: post?.id ?? '' });
  const thread = await fixture.command('social thread', { post: post?.id ?? '' });

  expect(post?.communityId).toBe('chess-club');
  for (const view of [all, one, thread]) expect(JSON.stringify(view)).not.toContain(post?.url);
});

test('/social post shows one post by its id or its address: text, time, poll, quote and counts', async () => {
  await using fixture = await openLookups({ accounts: ['sandbox'] });
  const quoted = await fixture.social.createPost('What shall we play tonight?\nSay it *here*: https://example.org/a_b');
  const post = await fixture.social.createPost('You decide', { quote: quoted, poll: { options: ['Chess', 'Go'], durationMinutes: 60 } });

  const view = await fixture.command('social post', { post: quoted.url ?? '' });
  const withPoll = await fixture.command('social post', { post: post.id });

  expect(descriptionsIn(view)[0]).toMatch(
    /^What shall we play tonight\?\nSay it \\\*here\\\*: https:\/\/example\.org\/a_b\n-# <t:\d+:R> · \[open\]\(/u,
  );
  const [shown = ''] = descriptionsIn(withPoll);
  expect(shown).toMatch(
    /^You decide\n▸ Chess \*\*0%\*\*\n▸ Go \*\*0%\*\*\n-# 0 votes · ends <t:\d+:R>\n> What shall we play tonight\? Say it \\\*here/u,
  );
});

test('a post shows its first picture with the alt text', async () => {
  await using fixture = await openLookups({ accounts: ['sandbox'] });
  using folder = temporaryFolder();
  const picture = fileWith(PNG, { folder, name: 'cat.png' });
  const post = await fixture.social.createPost('Look', { files: [[picture, 'A cat on a keyboard']] });

  const view = await fixture.command('social post', { post: post.id });

  expect(view.message?.embeds[0]).toMatchObject({ image: { url: post.media[0]?.url } });
  expect(descriptionsIn(view)[0]).toContain('\n-# Picture: A cat on a keyboard\n');
});

test('/social thread shows a post and its replies in pages', async () => {
  await using fixture = await openLookups({ accounts: ['sandbox'] });
  const root = await fixture.social.createPost('Ask me anything');
  const answers: Post[] = [];
  for (let number = 1; number <= 6; number++) answers.push(await fixture.social.createPost(`Question ${number}`, { replyTo: root }));
  const inner = await fixture.social.createPost('And the answer', { replyTo: answers[0] ?? root });

  const first = await fixture.command('social thread', { post: root.id });
  const second = await fixture.click(first.message, 'Next');

  const threads = (await fixture.social.getPostComments(root)).items;
  const order = [root, ...threads.flatMap(({ root: answer, replies }) => [answer, ...replies.map(({ post }) => post)])];
  expect(order.map(({ id }) => id)).toContain(inner.id);
  expect(postsIn(first)).toEqual(urlsOf(order.slice(0, 5)));
  expect(postsIn(second)).toEqual(urlsOf(order.slice(5)));
  expect(descriptionsIn(first)[1]).toContain('-# ↳ Reply · ');
});

test('/social search finds posts and users', async () => {
  await using fixture = await openLookups({ accounts: ['sandbox'] });
  const best = (await fixture.social.search('#speedrun')).items;
  const latest = (await fixture.social.search('#speedrun', { filter: 'Latest' })).items;
  const people = (await fixture.social.search('br', { filter: 'People' })).items;

  const bestView = await fixture.command('social search', { keyword: '#speedrun' });
  const latestView = await fixture.command('social search', { keyword: '#speedrun', for: 'Latest' });
  const peopleView = await fixture.command('social search', { keyword: 'br', for: 'People' });

  expect(bestView.message?.content).toBe('Best matches for **\\#speedrun**:');
  expect(postsIn(bestView)).toEqual(urlsOf(best.slice(0, 5)));
  expect(postsIn(latestView)).toEqual(urlsOf(latest.slice(0, 5)));
  expect(peopleView.message?.embeds.map(({ url }) => url)).toEqual(urlsOf(people.slice(0, 5)));
});

test('/social search continues after the first page of the platform', async () => {
  await using fixture = await openLookups({ accounts: ['sandbox'] });
  const { items } = await fixture.social.search('#speedrun', { pages: 3, waitTime: 0 });
  const all = urlsOf(items.filter((item) => isPublic(item)));

  let view = await fixture.command('social search', { keyword: '#speedrun' });
  const seen = [...postsIn(view)];
  for (let page = 1; page < 7; page++) {
    view = await fixture.click(view.message, 'Next');
    seen.push(...postsIn(view));
  }

  expect(seen).toEqual(all.slice(0, 35));
});

test('/social trends lists trends, ten per page', async () => {
  await using fixture = await openLookups({ accounts: ['sandbox'] });
  const trends = await fixture.social.getTrends();

  const first = await fixture.command('social trends');
  const second = await fixture.click(first.message, 'Next');

  const lines = [first, second].flatMap((view) => descriptionsIn(view)[0]?.split('\n') ?? []);
  expect(lines).toEqual(
    trends.map(
      ({ rank, name, postCount = 0 }) =>
        `**${rank}\\.** \\#${name.replace(/^#/u, '')} · ${postCount} ${postCount === 1 ? 'post' : 'posts'}`,
    ),
  );
});

test.for([
  ['social user', { user: 'nobody_at_all' }, 'There is no user “nobody\\_at\\_all”. Check the spelling, or use `/social search`.'],
  ['social posts', { user: 'nobody_at_all' }, 'There is no user “nobody\\_at\\_all”. Check the spelling, or use `/social search`.'],
  ['social post', { post: 'no-such-post' }, 'This post does not exist or was deleted. Copy its address from the platform and try again.'],
  ['social thread', { post: 'no-such-post' }, 'This post does not exist or was deleted. Copy its address from the platform and try again.'],
] as const)('/%s of an unknown record is an error only for the user', async ([command, options, content]) => {
  await using fixture = await openLookups({ accounts: ['sandbox'] });

  expect(await fixture.command(command, options)).toMatchObject({ ephemeral: true, message: { content } });
});

test('any text of a post is shown and pings no one', async () => {
  await using fixture = await openLookups({ accounts: ['sandbox'] });
  let shown = 0;
  for (const text of HOSTILE.map((one) =>
    [...new Intl.Segmenter().segment(one)]
      .slice(0, 450)
      .map(({ segment }) => segment)
      .join(''),
  )) {
    const post = await fixture.social.createPost(`. ${text}`).catch(() => undefined);
    if (!post) continue;
    shown++;
    const view = await fixture.command('social post', { post: post.id });
    expect(view, text.slice(0, 50)).toMatchObject({
      outcome: 'message',
      ephemeral: true,
      message: { pinged: { everyone: false, roles: [], users: [] } },
    });
  }
  expect(shown).toBeGreaterThan(12);
});
