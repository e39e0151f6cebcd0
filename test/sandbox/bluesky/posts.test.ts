import { AppBskyEmbedExternal, AppBskyFeedDefs, RichText, lexicons, type AppBskyFeedGetPostThread, type AtpAgent } from '@atproto/api';
import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { MP4, PNG } from '../../support/media-files.ts';
import { at, didOf, openBluesky } from './open-bluesky.ts';

const DISCOVER = 'at://did:plc:z72i7hdynmk6r22z27h6tvur/app.bsky.feed.generator/whats-hot';

test('a post that was written as a record stands in every feed, and nothing of it was changed', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const text = new RichText({ text: 'Grüße an @ada.sandbox.test 👨‍👩‍👧: https://example.com/a?b=c #späti' });
  await text.detectFacets(agent);

  const { uri } = await agent.post({ text: text.text, facets: text.facets ?? [], langs: ['de'], createdAt: at(ground.clock) });

  const views = [
    (await agent.getPosts({ uris: [uri] })).data.posts[0],
    (await agent.getTimeline()).data.feed[0]?.post,
    (await agent.getAuthorFeed({ actor: didOf(agent) })).data.feed[0]?.post,
    (await agent.app.bsky.feed.searchPosts({ q: '#späti' })).data.posts[0],
  ];
  expect(views.map((view) => view?.uri)).toEqual([uri, uri, uri, uri]);
  expect(text.facets).toHaveLength(3);
  expect(views[0]?.record).toMatchObject({ text: text.text, facets: text.facets, langs: ['de'] });
});

test('the card of a link stands as it was written, alone and beside a quote, and is no file of the post', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const { data } = await agent.uploadBlob(PNG, { encoding: 'image/png' });
  const said = { uri: 'https://example.com/a?b=c', title: 'Grüße  👨‍👩‍👧', description: '' };
  const card = { $type: 'app.bsky.embed.external' as const, external: { ...said, thumb: data.blob } };
  const { uri, cid } = await agent.post({ text: said.uri, embed: card, createdAt: at(ground.clock) });
  const record = { $type: 'app.bsky.embed.record' as const, record: { uri, cid } };

  const second = await agent.post({
    text: 'beside',
    embed: { $type: 'app.bsky.embed.recordWithMedia', record, media: card },
    createdAt: at(ground.clock),
  });

  const { posts } = (await agent.getPosts({ uris: [uri, second.uri] })).data;
  const [alone, beside] = posts.map(({ embed }) => embed);
  const external = { ...said, thumb: expect.stringContaining(data.blob.ref.toString()) };
  expect(posts[0]?.record).toMatchObject({ embed: { external: said } });
  expect(alone).toEqual({ $type: 'app.bsky.embed.external#view', external });
  expect(beside).toMatchObject({ media: { $type: 'app.bsky.embed.external#view', external }, record: { record: { uri } } });
  for (const view of posts) expect(lexicons.validate('app.bsky.feed.defs#postView', view)).toMatchObject({ success: true });
  const { thumb = '' } = AppBskyEmbedExternal.isView(alone) ? alone.external : {};
  expect(Buffer.from(await (await fetch(thumb)).arrayBuffer())).toEqual(PNG);
  expect((await agent.getAuthorFeed({ actor: didOf(agent), filter: 'posts_with_media' })).data.feed).toEqual([]);
});

test.each([
  ['without a title', { uri: 'https://example.com', description: '' }],
  ['whose address is none', { uri: 'example', title: '', description: '' }],
  [
    'whose picture nobody uploaded',
    {
      uri: 'https://example.com',
      title: '',
      description: '',
      thumb: {
        $type: 'blob',
        ref: { $link: 'bafkreibme22gw2h7y2h7tg2fhqotaqjucnbc24deqo72b6mkl2egezxhvy' },
        mimeType: 'image/png',
        size: 1,
      },
    },
  ],
])('a card %s is refused', async (_, external) => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const record = { text: 'card', createdAt: at(ground.clock), embed: { $type: 'app.bsky.embed.external', external } };

  await expect(agent.com.atproto.repo.createRecord({ repo: didOf(agent), collection: 'app.bsky.feed.post', record })).rejects.toMatchObject(
    { status: 400 },
  );
});

test('every post that people wrote by themselves is a record as the lexicon has it, and stays the same', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const pages = async () => {
    const items = [];
    for (const term of ['the', '#', 'a']) {
      items.push(...(await agent.app.bsky.feed.searchPosts({ q: term, limit: 100 })).data.posts);
    }
    return items;
  };

  const posts = await pages();
  ground.clock.set(ground.clock.nowMs() + 3_600_000);
  const later = new Map((await pages()).map(({ uri, cid }) => [uri, cid]));

  expect(posts.length).toBeGreaterThan(100);
  for (const { record, uri, cid } of posts) {
    lexicons.assertValidRecord('app.bsky.feed.post', record);
    expect(later.get(uri) ?? cid).toBe(cid);
  }
  const kinds = new Set(posts.map(({ embed }) => embed?.$type));
  expect([...kinds]).toEqual(expect.arrayContaining(['app.bsky.embed.images#view', 'app.bsky.embed.record#view']));
});

test('a record of people is read from their repositories, and the feed has the same one', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const [post] = (await agent.app.bsky.feed.searchPosts({ q: 'the' })).data.posts;
  const [, , repo = '', collection = '', rkey = ''] = (post?.uri ?? '').split('/');

  const { data } = await agent.com.atproto.repo.getRecord({ repo, collection, rkey });
  const listed = await agent.com.atproto.repo.listRecords({ repo, collection, limit: 100 });

  expect(data).toMatchObject({ uri: post?.uri, cid: post?.cid, value: post?.record });
  expect(listed.data.records.map(({ uri }) => uri)).toContain(post?.uri);
});

test('pictures are shown with their descriptions, and what is behind their addresses is the picture', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const { blob: image } = (await agent.uploadBlob(PNG, { encoding: 'image/png' })).data;
  const aspectRatio = { width: 1, height: 1 };

  const images = await agent.post({ text: '', embed: { $type: 'app.bsky.embed.images', images: [{ image, alt: 'dot', aspectRatio }] } });
  const items = Array.from({ length: 6 }, () => ({ $type: 'app.bsky.embed.gallery#image' as const, image, alt: 'dots', aspectRatio }));
  const gallery = await agent.post({ text: '', embed: { $type: 'app.bsky.embed.gallery', items } });
  const external = { uri: 'https://example.com', title: 'A page', description: 'About it', thumb: image };
  const link = await agent.post({ text: '', embed: { $type: 'app.bsky.embed.external', external } });

  const shown = (await agent.getPosts({ uris: [images.uri, gallery.uri, link.uri] })).data.posts.map(({ embed }) => embed);
  expect(shown).toMatchObject([
    { $type: 'app.bsky.embed.images#view', images: [{ alt: 'dot', aspectRatio }] },
    { $type: 'app.bsky.embed.gallery#view', items: Array.from({ length: 6 }, () => ({ alt: 'dots', aspectRatio })) },
    { $type: 'app.bsky.embed.external#view', external: { uri: 'https://example.com', title: 'A page' } },
  ]);
  const address = (shown[0] as { images: { fullsize: string }[] }).images[0]?.fullsize ?? ''; // as it was just seen
  expect(Buffer.from(await (await globalThis.fetch(address)).arrayBuffer())).toEqual(PNG);
  const media = await agent.getAuthorFeed({ actor: didOf(agent), filter: 'posts_with_media' });
  expect(media.data.feed.map(({ post }) => post.uri)).toEqual([gallery.uri, images.uri]);
});

test('five pictures, and a video that is none, are refused', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const { blob: image } = (await agent.uploadBlob(PNG, { encoding: 'image/png' })).data;
  const { blob: video } = (await agent.uploadBlob(MP4, { encoding: 'video/mp4' })).data;

  const many = agent.post({
    text: '',
    embed: { $type: 'app.bsky.embed.images', images: Array.from({ length: 5 }, () => ({ image, alt: '' })) },
  });
  await expect(many).rejects.toMatchObject({ status: 400 });
  const picture = agent.post({ text: '', embed: { $type: 'app.bsky.embed.video', video: image } });
  await expect(picture).rejects.toMatchObject({ status: 400, error: 'InvalidMimeType' });
  const { uri } = await agent.post({ text: '', embed: { $type: 'app.bsky.embed.video', video, alt: 'nothing moves' } });

  const [post] = (await agent.getPosts({ uris: [uri] })).data.posts;
  expect(post?.embed).toMatchObject({ $type: 'app.bsky.embed.video#view', cid: video.ref.toString(), alt: 'nothing moves' });
  expect((await agent.getAuthorFeed({ actor: didOf(agent), filter: 'posts_with_video' })).data.feed).toHaveLength(1);
});

test('a picture is at most two million bytes', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const upload = async (bytes: number) =>
    (await agent.uploadBlob(Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]), { encoding: 'image/png' })).data.blob;
  const post = async (bytes: number) =>
    agent.post({ text: '', embed: { $type: 'app.bsky.embed.images', images: [{ image: await upload(bytes), alt: '' }] } });

  await post(2_000_000);

  await expect(post(2_000_001)).rejects.toMatchObject({ status: 400, error: 'BlobTooLarge' });
});

test('an answer knows its parent and the root, and the thread shows it below', async () => {
  await using ground = await openBluesky();
  const [agent, ada] = [await ground.signIn(), await ground.signIn('ada')];
  const root = await agent.post({ text: 'root' });
  const middle = await ada.post({ text: 'middle', reply: { root, parent: root } });
  const leaf = await agent.post({ text: 'leaf', reply: { root, parent: middle } });

  const fromRoot = (await agent.getPostThread({ uri: root.uri })).data.thread;
  const fromLeaf = (await agent.getPostThread({ uri: leaf.uri })).data.thread;
  const flat = (await agent.getPostThread({ uri: root.uri, depth: 1 })).data.thread;

  expect(below(fromRoot)).toEqual(['root', ['middle', ['leaf']]]);
  expect(below(flat)).toEqual(['root', ['middle']]);
  expect(above(fromLeaf)).toEqual(['leaf', 'middle', 'root']);
  const [item] = (await agent.getAuthorFeed({ actor: didOf(agent) })).data.feed;
  expect(item).toMatchObject({
    post: { uri: leaf.uri },
    reply: { root: { uri: root.uri }, parent: { uri: middle.uri }, grandparentAuthor: { did: didOf(agent) } },
  });
  const without = await agent.getAuthorFeed({ actor: didOf(agent), filter: 'posts_no_replies' });
  expect(without.data.feed.map(({ post }) => post.uri)).toEqual([root.uri]);
});

test('a quote shows what it quotes, and says so when that is gone', async () => {
  await using ground = await openBluesky();
  const [agent, ada] = [await ground.signIn(), await ground.signIn('ada')];
  const post = await agent.post({ text: 'worth repeating' });
  const quote = await ada.post({ text: 'this', embed: { $type: 'app.bsky.embed.record', record: post } });
  const shown = async () => (await agent.getPosts({ uris: [quote.uri] })).data.posts[0]?.embed;

  expect(await shown()).toMatchObject({
    record: { $type: 'app.bsky.embed.record#viewRecord', uri: post.uri, value: { text: 'worth repeating' } },
  });
  expect((await agent.app.bsky.feed.getQuotes({ uri: post.uri })).data.posts.map(({ uri }) => uri)).toEqual([quote.uri]);
  await agent.deletePost(post.uri);

  expect(await shown()).toMatchObject({ record: { $type: 'app.bsky.embed.record#viewNotFound', uri: post.uri } });
});

test('a like and a repost are counted once, name who gave them, and are taken back', async () => {
  await using ground = await openBluesky();
  const [agent, ada] = [await ground.signIn(), await ground.signIn('ada')];
  const { uri, cid } = await agent.post({ text: 'good news' });
  const view = async () => (await ada.getPosts({ uris: [uri] })).data.posts[0];

  await ada.like(uri, cid);
  const like = await ada.like(uri, cid);
  const repost = await ada.repost(uri, cid);

  expect(await view()).toMatchObject({ likeCount: 1, repostCount: 1, viewer: { like: like.uri, repost: repost.uri } });
  expect((await ada.getLikes({ uri })).data.likes.map(({ actor }) => actor.handle)).toEqual(['ada.sandbox.test']);
  expect((await ada.getRepostedBy({ uri })).data.repostedBy.map(({ handle }) => handle)).toEqual(['ada.sandbox.test']);
  const [item] = (await agent.getAuthorFeed({ actor: didOf(ada) })).data.feed;
  expect(item).toMatchObject({ post: { uri }, reason: { $type: 'app.bsky.feed.defs#reasonRepost', uri: repost.uri } });

  await ada.deleteLike(like.uri);
  await ada.deleteRepost(repost.uri);

  const after = await view();
  expect([after?.likeCount, after?.repostCount, after?.viewer?.like, after?.viewer?.repost]).toEqual([0, 0, undefined, undefined]);
});

test('one post is pinned, and stands first where pins are asked for', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const pinned = await agent.post({ text: 'about us', createdAt: at(ground.clock) });
  ground.clock.set(ground.clock.nowMs() + 1000);
  const other = await agent.post({ text: 'news', createdAt: at(ground.clock) });

  await agent.upsertProfile((existing) => ({ ...existing, pinnedPost: { uri: pinned.uri, cid: pinned.cid } }));

  const profile = await agent.getProfile({ actor: didOf(agent) });
  const { feed } = (await agent.getAuthorFeed({ actor: didOf(agent), includePins: true })).data;
  expect(profile.data).toMatchObject({ displayName: 'Fanfare', pinnedPost: { uri: pinned.uri } });
  expect(feed.map(({ post }) => post.uri)).toEqual([pinned.uri, other.uri]);
  expect(feed[0]).toMatchObject({ reason: { $type: 'app.bsky.feed.defs#reasonPin' }, post: { viewer: { pinned: true } } });
});

test('at most 25 posts are asked for at once, and what is not there is left out', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const { uri } = await agent.post({ text: 'here' });

  expect((await agent.getPosts({ uris: [uri, `${uri.slice(0, -1)}x`] })).data.posts).toHaveLength(1);
  const many = agent.app.bsky.feed.getPosts({ uris: Array.from({ length: 26 }, () => uri) });
  await expect(many).rejects.toMatchObject({ status: 400, error: 'InvalidRequest' });
  await expect(agent.getPostThread({ uri: `${uri.slice(0, -1)}x` })).rejects.toMatchObject({ status: 400, error: 'NotFound' });
});

test('a bookmark is kept for oneself', async () => {
  await using ground = await openBluesky();
  const [agent, ada] = [await ground.signIn(), await ground.signIn('ada')];
  const { uri, cid } = await ada.post({ text: 'read later' });

  await agent.app.bsky.bookmark.createBookmark({ uri, cid });
  await agent.app.bsky.bookmark.createBookmark({ uri, cid });

  const { bookmarks } = (await agent.app.bsky.bookmark.getBookmarks()).data;
  expect(bookmarks).toMatchObject([{ subject: { uri, cid }, item: { uri, viewer: { bookmarked: true }, bookmarkCount: 1 } }]);
  expect((await ada.app.bsky.bookmark.getBookmarks()).data.bookmarks).toEqual([]);
  await agent.app.bsky.bookmark.deleteBookmark({ uri });
  expect((await agent.app.bsky.bookmark.getBookmarks()).data.bookmarks).toEqual([]);
});

test('a feed goes on where its page ended, and gives each post once', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();

  const walked = await walk(agent, 7);
  const whole = (await agent.app.bsky.feed.getFeed({ feed: DISCOVER, limit: 28 })).data.feed.map(({ post }) => post.uri);

  expect(walked.slice(0, 28)).toEqual(whole);
  expect(new Set(walked).size).toBe(walked.length);
  expect((await agent.app.bsky.feed.getFeedGenerator({ feed: DISCOVER })).data).toMatchObject({ isOnline: true, view: { uri: DISCOVER } });
  const missing = agent.app.bsky.feed.getFeed({ feed: `${DISCOVER}-not` });
  await expect(missing).rejects.toMatchObject({ status: 400, error: 'UnknownFeed' });
});

test('what is talked about has a feed of its own', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();

  const [trend] = (await agent.app.bsky.unspecced.getTrends({ limit: 5 })).data.trends;
  const [, , actor, , rkey] = trend?.link.split('/') ?? [];
  const feed = `at://${actor}/app.bsky.feed.generator/${rkey}`;
  const { data } = await agent.app.bsky.feed.getFeed({ feed, limit: 5 });

  expect(trend).toMatchObject({ topic: expect.any(String), postCount: expect.any(Number), status: 'hot' });
  expect(data.feed).toHaveLength(5);
  for (const { post } of data.feed) expect(String(post.record['text']).toLowerCase()).toContain(`#${trend?.topic.toLowerCase()}`);
});

test('the newer search knows people, hashtags and media', async () => {
  await using ground = await openBluesky();
  const [agent, ada] = [await ground.signIn(), await ground.signIn('ada')];
  const { uri } = await ada.post({ text: 'a very rare word: zyzzyva #rare' });
  const search = async (params: Parameters<AtpAgent['app']['bsky']['feed']['searchPostsV2']>[0]) =>
    (await agent.app.bsky.feed.searchPostsV2(params)).data.posts.map((post) => post.uri);

  expect(await search({ query: 'zyzzyva' })).toEqual([uri]);
  expect(await search({ query: 'from:ada.sandbox.test zyzzyva' })).toEqual([uri]);
  expect(await search({ hashtags: ['rare'], authors: [didOf(ada)] })).toEqual([uri]);
  expect(await search({ query: 'zyzzyva', hasMedia: true })).toEqual([]);
  expect(await search({ query: 'zyzzyva', following: true })).toEqual([]);
  expect(await search({ query: '"rare word"' })).toContain(uri);
  const pictures = (await agent.app.bsky.feed.searchPostsV2({ hasMedia: true })).data.posts;
  expect(pictures.length).toBeGreaterThan(0);
  expect(pictures.every(({ embed }) => embed !== undefined)).toBe(true);
});

async function walk(agent: AtpAgent, limit: number): Promise<readonly string[]> {
  const uris: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 8; page++) {
    const { data } = await agent.app.bsky.feed.getFeed({ feed: DISCOVER, limit, ...(cursor !== undefined && { cursor }) });
    uris.push(...data.feed.map(({ post }) => post.uri));
    cursor = data.cursor;
  }
  return uris;
}

type ThreadPart = AppBskyFeedGetPostThread.OutputSchema['thread'];
type Below = readonly (string | Below)[];

function below(thread: ThreadPart | undefined): Below {
  if (!AppBskyFeedDefs.isThreadViewPost(thread)) return [];
  return [textOf(thread.post), ...(thread.replies ?? []).map(below)];
}

function above(thread: ThreadPart | undefined): readonly string[] {
  return AppBskyFeedDefs.isThreadViewPost(thread) ? [textOf(thread.post), ...above(thread.parent)] : [];
}

function textOf({ record }: AppBskyFeedDefs.PostView): string {
  return String(record['text']);
}
