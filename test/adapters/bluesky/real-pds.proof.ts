import { fetch } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bluesky, type BlueskyOptions } from '#adapters/bluesky/index.ts';
import { perform, recoverWrite } from '#src/clients/operation/client.ts';
import { tokensInMemory } from '#src/http/secrets/account-tokens.ts';
import { createPost } from '#src/clients/social/posts.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { fileWith, PNG } from '../../support/media-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { cutAt } from './cutting.ts';
import { startRealPds, type RealPds } from './real-pds.ts';

const POST = 'app.bsky.feed.post';
const since = new Date();
const tokens = tokensInMemory();
let pds: RealPds;

beforeAll(async () => {
  pds = await startRealPds();
});
afterAll(async () => pds[Symbol.asyncDispose]());

function signedIn(options: Partial<BlueskyOptions> = {}): SocialAsync {
  const { handle, appPassword } = pds.accounts.ada;
  return new SocialAsync({ platform: bluesky({ url: pds.url, plcUrl: pds.plcUrl, handle, appPassword, tokens, ...options }) });
}

async function texts(): Promise<readonly (string | undefined)[]> {
  return (await pds.records(pds.accounts.ada.did, POST)).map(({ value }) => value.text);
}

test('the adapter signs in at the server in the DID document, and stores the session', async () => {
  const post = await signedIn().createPost('hello');

  expect(post.author).toMatchObject({ id: pds.accounts.ada.did, handle: 'ada.test' });
  expect(await tokens.load()).toMatchObject({ did: pds.accounts.ada.did, pds: pds.url });
  expect(await texts()).toEqual(['hello']);
});

test('a stored session is used without a password, and a refused token is refreshed', async () => {
  await tokens.save({ ...((await tokens.load()) as object), accessJwt: 'expired' }); // saved by the test before

  await signedIn({ appPassword: undefined }).createPost('from a kept session');

  expect(await texts()).toContain('from a kept session');
});

test('a post with a mention, a link, a tag and a picture is stored unchanged', async () => {
  using folder = temporaryFolder();
  const text = '👩‍👩‍👧 @grace.test plays https://a.test/1 #chess';
  const files = [[fileWith(PNG, { folder, name: 'card.png' }), 'A card']] as const;

  const post = await signedIn().createPost(text, { files });

  const record = (await pds.records(pds.accounts.ada.did, POST)).find(({ uri }) => uri === post.id)?.value;
  expect(record).toMatchObject({
    text,
    facets: [
      { index: { byteStart: 19, byteEnd: 30 }, features: [{ did: pds.accounts.grace.did }] },
      { features: [{ uri: 'https://a.test/1' }] },
      { features: [{ tag: 'chess' }] },
    ],
    embed: { images: [{ alt: 'A card', aspectRatio: { width: 1, height: 1 }, image: { mimeType: 'image/png' } }] },
  });
  expect(post.media).toMatchObject([{ kind: 'image', altText: 'A card' }]);
});

test('a link is posted with a card, whose picture the server stores', async () => {
  const since = new Date();
  const text = `now: ${pds.url}/ada`;

  const post = await signedIn().createPost(text, { key: 'card', since });
  const again = await signedIn().createPost(text, { key: 'card', since });

  const record = (await pds.records(pds.accounts.ada.did, POST)).find(({ uri }) => uri === post.id)?.value;
  const external = { uri: `${pds.url}/ada`, title: 'Ada & Grace', description: 'Live!', thumb: { mimeType: 'image/png' } };
  expect(record).toMatchObject({ text, embed: { $type: 'app.bsky.embed.external', external } });
  expect(again).toMatchObject({ id: post.id, card: post.card });
  expect(post.card).toMatchObject({ url: `${pds.url}/ada`, title: 'Ada & Grace', description: 'Live!' });
  expect(Buffer.from(await (await fetch(post.card?.imageUrl ?? '')).arrayBuffer())).toEqual(PNG);
});

test('a thread, a quote and a reply rule are stored', async () => {
  const social = signedIn();

  const first = await social.createPost('1', { filter: 'Followers' });
  const second = await social.createPost('2', { replyTo: first });
  const third = await social.createPost('3', { replyTo: second, quote: first });

  expect(third).toMatchObject({ conversationId: first.id, replyTo: { postId: second.id }, quoted: { postId: first.id } });
  expect(await pds.records(pds.accounts.ada.did, 'app.bsky.feed.threadgate')).toMatchObject([{ value: { post: first.id } }]);
});

test('a like, a repost, a follow and a list are records, and can be removed', async () => {
  const social = signedIn();
  const { ada, grace } = pds.accounts;
  const post = await social.createPost('worth it');

  await social.likePost(post);
  await social.repostPost(post);
  await social.followUser('grace.test');
  const list = await social.createList('Runners');
  const done = await Promise.all(
    ['feed.like', 'feed.repost', 'graph.follow', 'graph.list'].map((kind) => pds.records(ada.did, `app.bsky.${kind}`)),
  );
  await social.unlikePost(post);
  await social.deleteRepost(post);
  await social.unfollowUser('grace.test');
  await social.deleteList(list);
  const undone = await Promise.all(
    ['feed.like', 'feed.repost', 'graph.follow', 'graph.list'].map((kind) => pds.records(ada.did, `app.bsky.${kind}`)),
  );

  expect(done).toMatchObject([
    [{ value: { subject: { uri: post.id } } }],
    [{ value: { subject: { uri: post.id } } }],
    [{ value: { subject: grace.did } }],
    [{ uri: list.id }],
  ]);
  expect(undone).toEqual([[], [], [], []]);
});

test('a pin is added to the profile, and removed', async () => {
  const social = signedIn();
  const post = await social.createPost('at the top');

  await social.pinPost(post);
  const [pinned] = await pds.records(pds.accounts.ada.did, 'app.bsky.actor.profile');
  await social.unpinPost(post);
  const [unpinned] = await pds.records(pds.accounts.ada.did, 'app.bsky.actor.profile');

  expect(pinned?.value).toMatchObject({ pinnedPost: { uri: post.id } });
  expect(unpinned?.value).not.toHaveProperty('pinnedPost');
});

test('a deleted post is gone, and a second deletion succeeds', async () => {
  const social = signedIn();
  const post = await social.createPost('short-lived');

  expect(await social.deletePost(post)).toBe(true);
  expect(await social.deletePost(post)).toBe(true);

  expect(await texts()).not.toContain('short-lived');
  await expect(social.postDetail(post)).rejects.toMatchObject({ fault: 'missing' });
});

test.each(['plain', 'gated'])('a repeated %s post with the same key is one post, even with another text', async (kind) => {
  const social = signedIn();
  const options = { key: `again ${kind}`, since, ...(kind === 'gated' && { filter: 'Nobody' as const }) };

  const first = await social.createPost(`first ${kind}`, options);
  const again = await social.createPost(`first ${kind}`, options);
  const other = await social.createPost(`second ${kind}`, options);

  expect([again.id, other.id, other.text]).toEqual([first.id, first.id, first.text]);
  expect((await texts()).filter((text) => text?.includes(kind))).toEqual([`first ${kind}`]);
});

test('a post is created exactly once after a kill at any request', async () => {
  using folder = temporaryFolder();
  const card = fileWith(PNG, { folder, name: 'card.png' });
  let kills = 0;
  for (const when of ['before', 'after'] as const) {
    for (let at = 1; at <= 12; at++) {
      const params = { text: `@grace.test once, killed ${when} request ${at}`, files: [card], filter: 'Followers' };
      const key = params.text;
      const kill = new AbortController();
      await using cutter = cutAt(at, when, () => kill.abort(new Error('killed')));

      await perform(signedIn({ dispatcher: cutter.dispatcher }), createPost.declared, params, { key, since, signal: kill.signal }).catch(
        () => undefined,
      );
      const recovery = await recoverWrite(signedIn(), createPost.declared, params, { key, since, taken: new Set() });
      if (recovery === 'absent') await perform(signedIn(), createPost.declared, params, { key, since });

      expect((await texts()).filter((text) => text === params.text)).toHaveLength(1);
      if (!kill.signal.aborted) break;
      kills += 1;
    }
  }

  expect(kills).toBeGreaterThanOrEqual(8);
});

test('an operation that needs an AppView fails with this reason on a server without one', async () => {
  await expect(signedIn().getPosts('grace.test')).rejects.toMatchObject({ message: expect.stringContaining('needs an AppView') });
});
