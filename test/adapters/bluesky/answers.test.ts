import { expect, test } from 'vitest';
import { tidOf } from '#adapters/bluesky/repo.ts';
import { FeedView, ListView, toFeedTopic, toUserList } from '#adapters/bluesky/wire/list.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { DID, refused, scriptBluesky, session } from './script-bluesky.ts';

const since = new Date('2026-11-20T18:00:00Z');
const kept = (url: string): object => session(1, url);
const did = encodeURIComponent(DID);
const AUTHOR_FEED = `GET /xrpc/app.bsky.feed.getAuthorFeed?limit=100&actor=${did}&filter=posts_no_replies`;

const author = { did: DID, handle: 'ada.test' };
const OWN_PROFILE = [`GET /xrpc/app.bsky.actor.getProfile?actor=${did}`, { json: author }] as const;
const view = (rkey: string, more: object = {}): object => ({
  uri: `at://${DID}/app.bsky.feed.post/${rkey}`,
  cid: 'bafyreia',
  author,
  record: { $type: 'app.bsky.feed.post', text: 'Grüße 👋', createdAt: '2026-11-20T17:00:00Z' },
  indexedAt: '2026-11-20T17:00:01Z',
  ...more,
});

test('a post with missing and null fields is readable', async () => {
  const bare = view('1', { record: { text: null, createdAt: 'yesterday' }, labels: null, embed: null, viewer: null, likeCount: null });
  await using scripted = await scriptBluesky(
    [[AUTHOR_FEED, { json: { feed: [{ post: bare, reply: null, reason: null }], cursor: null } }]],
    {
      kept,
    },
  );

  const [post] = await scripted.social.getPosts(DID);

  expect(post).toMatchObject({
    id: `at://${DID}/app.bsky.feed.post/1`,
    url: 'https://bsky.app/profile/ada.test/post/1',
    author: { id: DID, handle: 'ada.test', displayName: 'ada.test' },
    text: '',
    entities: [],
    createdAt: new Date('2026-11-20T17:00:01Z'),
    media: [],
    counts: { likes: 0, reposts: 0, replies: 0, quotes: 0 },
    replyAudience: 'everyone',
  });
});

test('links that the app of Bluesky shortens are complete, and texts of other links stay', async () => {
  const long = 'https://www.example.com/articles/2026/the-finale?from=feed';
  const written = (text: string, links: readonly (readonly [shown: string, uri: string])[]): object => ({
    text,
    facets: links.map(([shown, uri]) => {
      const byteStart = Buffer.byteLength(text.slice(0, text.indexOf(shown)));
      return {
        index: { byteStart, byteEnd: byteStart + Buffer.byteLength(shown) },
        features: [{ $type: 'app.bsky.richtext.facet#link', uri }],
      };
    }),
  });
  const record = written('Grüße: www.example.com/articles/202..., twitch.tv/ada and my page (example.org...)', [
    ['www.example.com/articles/202...', long],
    ['twitch.tv/ada', 'https://twitch.tv/ada'],
    ['my page', 'https://ada.test'],
    ['example.org...', 'https://example.org.evil.test/'],
  ]);
  const embed = {
    $type: 'app.bsky.embed.record#view',
    record: {
      $type: 'app.bsky.embed.record#viewRecord',
      uri: 'at://did:plc:grace/app.bsky.feed.post/1',
      value: written('twitch.tv/grace', [['twitch.tv/grace', 'https://twitch.tv/grace']]),
    },
  };
  await using scripted = await scriptBluesky([[AUTHOR_FEED, { json: { feed: [{ post: view('1', { record, embed }) }] } }]], { kept });

  const [post] = await scripted.social.getPosts(DID);

  expect(post?.text).toBe(`Grüße: ${long}, https://twitch.tv/ada and my page (example.org...)`);
  expect(post?.entities.map(({ start, end }) => post.text.slice(start, end))).toEqual([
    long,
    'https://twitch.tv/ada',
    'my page',
    'example.org...',
  ]);
  expect(post?.quoted?.text).toBe('https://twitch.tv/grace');
});

test('posts, lists and feeds of an author without a valid handle have URLs with the DID', async () => {
  const creator = { did: 'did:plc:grace', handle: 'handle.invalid' };
  const list = { uri: 'at://did:plc:grace/app.bsky.graph.list/1', creator, name: 'Friends' };
  const feed = { uri: 'at://did:plc:grace/app.bsky.feed.generator/1', creator, displayName: 'Games' };
  const post = { ...view('1', { author: creator }), uri: 'at://did:plc:grace/app.bsky.feed.post/1' };
  await using scripted = await scriptBluesky([[AUTHOR_FEED, { json: { feed: [{ post }] } }]], { kept });

  const [shown] = await scripted.social.getPosts(DID);

  expect(shown).toMatchObject({
    url: 'https://bsky.app/profile/did:plc:grace/post/1',
    author: { url: 'https://bsky.app/profile/did:plc:grace', handle: 'handle.invalid' },
  });
  expect(toUserList(ListView.parse(list), since).url).toBe('https://bsky.app/profile/did:plc:grace/lists/1');
  expect(toFeedTopic(FeedView.parse(feed), since).url).toBe('https://bsky.app/profile/did:plc:grace/feed/1');
});

test('a page with a null list is empty, and one without the list is malformed', async () => {
  await using scripted = await scriptBluesky(
    [[AUTHOR_FEED, { json: { feed: null } }], OWN_PROFILE, [AUTHOR_FEED, { json: { error: 'internal' } }]],
    { kept },
  );

  expect((await scripted.social.getPosts(DID)).items).toEqual([]);
  await expect(scripted.social.getPosts(DID)).rejects.toMatchObject({ fault: 'malformed' });
});

test('an instant without T and zone is in UTC', async () => {
  const old = view('1', { record: { text: 'old', createdAt: '2026-11-20 02:14:17' } });
  await using scripted = await scriptBluesky([[AUTHOR_FEED, { json: { feed: [{ post: old }] } }]], { kept });

  const [post] = await scripted.social.getPosts(DID);

  expect(post?.createdAt).toEqual(new Date('2026-11-20T02:14:17Z'));
});

test('a repost has the reposter as its author, and the text of the post', async () => {
  const by = { did: 'did:plc:grace', handle: 'grace.test', displayName: 'Grace' };
  const reason = {
    $type: 'app.bsky.feed.defs#reasonRepost',
    by,
    uri: 'at://did:plc:grace/app.bsky.feed.repost/9',
    indexedAt: '2026-11-20T17:30:00Z',
  };
  await using scripted = await scriptBluesky([[AUTHOR_FEED, { json: { feed: [{ post: view('1'), reason }] } }]], { kept });

  const [post] = await scripted.social.getPosts(DID);

  expect(post).toMatchObject({
    id: 'at://did:plc:grace/app.bsky.feed.repost/9',
    repostOf: `at://${DID}/app.bsky.feed.post/1`,
    author: { handle: 'grace.test' },
    text: 'Grüße 👋',
    createdAt: new Date('2026-11-20T17:30:00Z'),
  });
});

test.each([
  [
    'pictures',
    {
      $type: 'app.bsky.embed.images#view',
      images: [{ thumb: 'https://cdn.test/t', fullsize: 'https://cdn.test/f', alt: 'A card', aspectRatio: { width: 2, height: 1 } }],
    },
    [{ kind: 'image', url: 'https://cdn.test/f', previewUrl: 'https://cdn.test/t', altText: 'A card', width: 2, height: 1 }],
  ],
  [
    'a gallery',
    { $type: 'app.bsky.embed.gallery#view', items: [{ thumbnail: 'https://cdn.test/t', fullsize: 'https://cdn.test/f', alt: '' }] },
    [{ kind: 'image', url: 'https://cdn.test/f', previewUrl: 'https://cdn.test/t' }],
  ],
  [
    'a video beside a quote',
    {
      $type: 'app.bsky.embed.recordWithMedia#view',
      record: { record: { $type: 'app.bsky.embed.record#viewNotFound', uri: `at://${DID}/app.bsky.feed.post/0`, notFound: true } },
      media: { $type: 'app.bsky.embed.video#view', cid: 'bafk', playlist: 'https://video.test/p.m3u8', presentation: 'gif' },
    },
    [{ id: 'bafk', kind: 'gif', url: 'https://video.test/p.m3u8' }],
  ],
  ['something newer', { $type: 'app.bsky.embed.hologram#view', holograms: [] }, []],
])('a post shows %s', async (_, embed, media) => {
  await using scripted = await scriptBluesky([[AUTHOR_FEED, { json: { feed: [{ post: view('1', { embed }) }] } }]], { kept });

  const [post] = await scripted.social.getPosts(DID);

  expect(post?.media).toMatchObject(media);
});

test('a post has the card of its link, with and without a quote', async () => {
  const external = { uri: 'https://a.test/1', title: 'A', description: '', thumb: 'https://cdn.test/t' };
  const alone = { $type: 'app.bsky.embed.external#view', external };
  const quoted = { $type: 'app.bsky.embed.record#viewNotFound', uri: `at://${DID}/app.bsky.feed.post/0`, notFound: true };
  const beside = {
    $type: 'app.bsky.embed.recordWithMedia#view',
    record: { record: quoted },
    media: { ...alone, external: { uri: 'https://a.test/2' } },
  };
  const feed = [
    { post: view('1', { embed: alone }) },
    { post: view('2', { embed: beside }) },
    { post: view('3', { embed: { ...alone, external: 1 } }) },
  ];
  await using scripted = await scriptBluesky([[AUTHOR_FEED, { json: { feed } }]], { kept });

  const posts = await scripted.social.getPosts(DID);

  expect(posts.items.map(({ card, media }) => ({ card, media }))).toEqual([
    { card: { url: 'https://a.test/1', title: 'A', description: undefined, imageUrl: 'https://cdn.test/t' }, media: [] },
    { card: { url: 'https://a.test/2', title: 'https://a.test/2', description: undefined, imageUrl: undefined }, media: [] },
    { card: undefined, media: [] },
  ]);
  expect(posts.items[1]?.quoted).toMatchObject({ state: 'unavailable' });
});

const DEPTH = 100_000;
const endless = (key: 'media' | 'record', kind: string): string =>
  `{"$type":"app.bsky.embed.recordWithMedia${kind}","${key}":`.repeat(DEPTH) + '{}' + '}'.repeat(DEPTH);

test.each(['media', 'record'] as const)('a post with endlessly nested embeds in %s is readable', async (key) => {
  const feed = JSON.stringify({ feed: [{ post: view('1', { embed: 'EMBED' }) }] }).replace('"EMBED"', endless(key, '#view'));
  const record = JSON.stringify({ uri: `at://${DID}/app.bsky.feed.post/2`, cid: 'c', value: { text: 'own', embed: 'EMBED' } });
  const uri = `at://${DID}/app.bsky.feed.post/2`;
  await using scripted = await scriptBluesky(
    [
      [AUTHOR_FEED, { text: feed }],
      [`GET /xrpc/app.bsky.feed.getPosts?uris=${encodeURIComponent(uri)}`, { json: { posts: [] } }],
      [
        `GET /xrpc/com.atproto.repo.getRecord?repo=${did}&collection=app.bsky.feed.post&rkey=2`,
        { text: record.replace('"EMBED"', endless(key, '')) },
      ],
      [`GET /xrpc/com.atproto.repo.getRecord?repo=${did}&collection=app.bsky.actor.profile&rkey=self`, refused(400, 'RecordNotFound')],
    ],
    { kept },
  );

  const [post] = await scripted.social.getPosts(DID);
  const detail = await scripted.social.postDetail(uri);

  expect([post, detail]).toMatchObject([
    { media: [], quoted: undefined },
    { text: 'own', media: [], quoted: undefined },
  ]);
});

test.each([
  ['viewRecord', { value: { text: 'said' } }, { state: 'accepted', text: 'said' }],
  ['viewBlocked', { blocked: true }, { state: 'blocked' }],
  ['viewDetached', { detached: true }, { state: 'unavailable' }],
])('a quoted record can be a %s', async (kind, more, quoted) => {
  const uri = `at://${DID}/app.bsky.feed.post/0`;
  const embed = { $type: 'app.bsky.embed.record#view', record: { $type: `app.bsky.embed.record#${kind}`, uri, ...more } };
  await using scripted = await scriptBluesky([[AUTHOR_FEED, { json: { feed: [{ post: view('1', { embed }) }] } }]], { kept });

  const [post] = await scripted.social.getPosts(DID);

  expect(post?.quoted).toEqual({ postId: uri, ...quoted });
});

test('bookmarks of deleted and blocked posts are omitted', async () => {
  const uri = `at://${DID}/app.bsky.feed.post/0`;
  const bookmarks = [
    { subject: { uri, cid: 'c' }, item: { $type: 'app.bsky.feed.defs#notFoundPost', uri, notFound: true } },
    { subject: { uri, cid: 'c' }, item: { $type: 'app.bsky.feed.defs#blockedPost', uri, blocked: true, author: { did: DID } } },
    { subject: { uri, cid: 'c' }, item: { $type: 'app.bsky.feed.defs#postView', ...view('1') } },
  ];
  await using scripted = await scriptBluesky([['GET /xrpc/app.bsky.bookmark.getBookmarks?limit=100', { json: { bookmarks } }]], { kept });

  expect((await scripted.social.getBookmarks()).items.map(({ id }) => id)).toEqual([`at://${DID}/app.bsky.feed.post/1`]);
});

test.each([
  [refused(400, 'InvalidRequest', 'Profile not found'), 'missing'],
  [refused(400, 'InvalidRequest', 'Could not find blob: bafkreia'), 'rejected'],
  [refused(400, 'BlobNotFound', 'Could not find blob: bafkreia'), 'rejected'],
  [refused(400, 'InvalidRequest', 'Error: actor must be a valid did or a handle'), 'rejected'],
  [refused(400, 'AccountTakedown', 'Account has been taken down'), 'forbidden'],
  [refused(400, 'BlockedActor'), 'forbidden'],
  [refused(403, 'Forbidden'), 'forbidden'],
  [refused(429, 'RateLimitExceeded'), 'rateLimited'],
  [refused(400, 'constructor', 'not an own name'), 'rejected'],
  [{ status: 400, text: '' }, 'rejected'],
  [{ status: 400, text: '<html>Bad Request</html>' }, 'malformed'],
  [{ status: 200, text: '' }, 'malformed'],
  [{ json: { feed: [{ post: { uri: 7 } }] } }, 'malformed'],
] as const)('the refusal %j has the fault %s', async (reply, fault) => {
  const isRepeated = fault === 'rateLimited';
  await using scripted = await scriptBluesky(
    [
      ...Array.from({ length: isRepeated ? 3 : 1 }, () => [AUTHOR_FEED, reply] as const),
      // The profile can tell why the feed is missing.
      ...(fault === 'missing' ? [[OWN_PROFILE[0], reply] as const] : []),
    ],
    { kept },
  );

  await expect(whileSleeping(scripted.clock, scripted.social.getPosts(DID))).rejects.toMatchObject({ fault, platform: 'bluesky' });
});

test.each([
  [502, 'UpstreamFailure', 'Upstream Failure', 3],
  [501, 'MethodNotImplemented', 'Method Not Implemented', 1],
  [400, 'InvalidRequest', 'No service configured for app.bsky.feed.getAuthorFeed', 1],
])('the answer %i %s of a server without an AppView has a clear message', async (status, name, message, attempts) => {
  const reply = refused(status, name, message);
  await using scripted = await scriptBluesky(
    Array.from({ length: attempts }, () => [AUTHOR_FEED, reply] as const),
    { kept },
  );

  await expect(whileSleeping(scripted.clock, scripted.social.getPosts(DID))).rejects.toMatchObject({
    fault: 'unavailable',
    message: expect.stringContaining('app.bsky.feed.getAuthorFeed needs an AppView'),
  });
});

const PUT = 'POST /xrpc/com.atproto.repo.putRecord';
const PROFILE = `GET /xrpc/com.atproto.repo.getRecord?repo=${did}&collection=app.bsky.actor.profile&rkey=self`;
const NO_PROFILE = [PROFILE, refused(400, 'RecordNotFound', 'Could not locate record')] as const;

test.each([['an odd CID', { json: { uri: 'at://elsewhere', cid: 42, validationStatus: null } }]])(
  'a post succeeds when its server accepts it, even if it answers with %s',
  async (_, reply) => {
    await using scripted = await scriptBluesky([[PUT, reply], NO_PROFILE], { kept });

    const post = await scripted.social.createPost('hello');

    expect(post).toMatchObject({
      text: 'hello',
      author: { id: DID, displayName: 'ada.test' },
      createdAt: new Date(scripted.clock.nowMs()),
    });
    expect(scripted.written()).toEqual([
      {
        repo: DID,
        collection: 'app.bsky.feed.post',
        rkey: post.id.split('/').at(-1),
        record: { $type: 'app.bsky.feed.post', text: 'hello', createdAt: '2026-11-20T18:00:00.000Z' },
        swapRecord: null,
      },
    ]);
  },
);

test.each([
  ['reports an existing record', refused(400, 'InvalidSwap', 'Record was at bafy')],
  ['fails', refused(500, 'InternalServerError', 'Internal Server Error')],
  ['sends an empty answer', { status: 200, text: '' }],
  ['sends a page', { status: 200, text: '<html>OK</html>' }],
])('if the server %s, the adapter reads the stored record', async (_, reply) => {
  const value = { $type: 'app.bsky.feed.post', text: 'hello', createdAt: '2026-11-20T18:00:00.000Z' };
  const key = { key: 'k', since };
  await using first = await scriptBluesky([[PUT, { json: { uri: 'at://here' } }], NO_PROFILE], { kept });
  const { id } = await first.social.createPost('hello', key);
  const find = `GET /xrpc/com.atproto.repo.getRecord?repo=${did}&collection=app.bsky.feed.post&rkey=${id.split('/').at(-1)}`;
  await using scripted = await scriptBluesky([[PUT, reply], [find, { json: { uri: id, cid: 'bafy', value } }], NO_PROFILE], { kept });

  expect(await scripted.social.createPost('hello', key)).toMatchObject({ id, text: 'hello' });
});

test('if the server fails without a stored record, the write fails with the same error', async () => {
  await using broken = await scriptBluesky(
    [
      [PUT, refused(500, 'InternalServerError')],
      [
        `GET /xrpc/com.atproto.repo.getRecord?repo=${did}&collection=app.bsky.feed.post&rkey=${tidOf('k', since)}`,
        refused(400, 'RecordNotFound'),
      ],
    ],
    { kept },
  );

  await expect(broken.social.createPost('hello', { key: 'k', since })).rejects.toMatchObject({
    fault: 'unavailable',
    status: 500,
  });
});

test('reads continue after the limit of writes is used up', async () => {
  const used = {
    'ratelimit-limit': '5000',
    'ratelimit-remaining': '0',
    'ratelimit-reset': '1795201200',
    'ratelimit-policy': '5000;w=3600',
  };
  await using scripted = await scriptBluesky(
    [[PUT, { json: { uri: 'at://here' }, headers: used }], NO_PROFILE, [AUTHOR_FEED, { json: { feed: [] } }], OWN_PROFILE],
    {
      kept,
    },
  );

  await scripted.social.createPost('the last one');
  await expect(scripted.social.createPost('one too many')).rejects.toMatchObject({
    fault: 'rateLimited',
    sentNothing: true,
    retryAt: new Date(1_795_201_200_000),
  });
  expect((await scripted.social.getPosts(DID)).items).toEqual([]);
});
