import { AppBskyFeedPost, AppBskyFeedThreadgate, jsonToLex } from '@atproto/api';
import { expect, test } from 'vitest';
import { recoverWrite } from '#src/clients/operation/client.ts';
import { createPost } from '#src/clients/social/posts.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { fileWith, MP4, PNG } from '../../support/media-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { openBluesky } from './open-bluesky.ts';

const since = new Date('2026-11-20T17:59:58.123Z');
const wanted = { key: 'delivery-1', since };

test('the record of a post fits the lexicon', async () => {
  using folder = temporaryFolder();
  await using fixture = await openBluesky();
  const { social, other } = fixture;
  const card = fileWith(PNG, { folder, name: 'card.png' });
  const begun = await social.createPost('first');
  await social.createPost(`@${other} plays https://a.test/1 #chess 👩‍👩‍👧`, { replyTo: begun, quote: begun, files: [[card, 'A card'], card] });

  const [first, second] = await fixture.records();

  for (const one of [first, second])
    expect(AppBskyFeedPost.validateRecord(jsonToLex(one?.record as never))).toMatchObject({ success: true });
  expect(second?.record).toMatchObject({
    reply: { root: { uri: begun.id }, parent: { uri: begun.id } },
    embed: {
      $type: 'app.bsky.embed.recordWithMedia',
      record: { record: { uri: begun.id } },
      media: { images: [{ alt: 'A card', aspectRatio: { width: 1, height: 1 } }, { alt: '' }] },
    },
  });
});

test('a new post equals the post that the AppView shows', async () => {
  using folder = temporaryFolder();
  await using fixture = await openBluesky();
  const { social, other } = fixture;
  const begun = await social.createPost('first');
  const files = [[fileWith(PNG, { folder, name: 'card.png' }), 'A card']] as const;

  const post = await social.createPost(`hello @${other} #chess`, { replyTo: begun, quote: begun, files, filter: undefined });
  const shown = await social.postDetail(post.url ?? '');

  const { media, quoted, ...rest } = shown;
  expect(rest).toEqual({ ...post, media: undefined, quoted: undefined });
  expect(quoted).toEqual({ postId: begun.id, state: 'accepted', text: 'first' });
  expect(media).toMatchObject([{ kind: 'image', altText: 'A card', width: 1, height: 1 }]);
  expect(post.entities).toMatchObject([{ type: 'mention', start: 6, end: 7 + other.length }, { type: 'hashtag' }]);
});

test('a reply to a reply has the first post of the thread as its conversation', async () => {
  await using fixture = await openBluesky();
  const { social } = fixture;
  const first = await social.createPost('1');
  const second = await social.createPost('2', { replyTo: first });

  const third = await social.createPost('3', { replyTo: second });

  expect(third).toMatchObject({ conversationId: first.id, replyTo: { postId: second.id, userId: first.author.id } });
});

test('a thread is created before the AppView shows its posts', async () => {
  await using fixture = await openBluesky();
  const { social, sandbox, clock } = fixture;
  sandbox.faults.add({ platform: 'bluesky', kind: 'delayedVisibility', method: 'POST', ms: 60_000 });

  const first = await social.createPost('1');
  const second = await social.createPost('2', { replyTo: first });
  await social.likePost(first);
  const { items: before } = await social.getPosts(fixture.handle, { replies: true });
  const detail = await social.postDetail(second.id);
  await social.unlikePost(first);
  await clock.advance(60_000);
  const { items: after } = await social.getPosts(fixture.handle, { replies: true });

  expect(before).toEqual([]);
  expect(detail).toEqual(second);
  expect(after.map(({ text }) => text)).toEqual(['2', '1']);
  expect(await social.postDetail(first)).toMatchObject({ viewer: { liked: false } });
});

test.each([
  ['ByInvitation', [{ $type: 'app.bsky.feed.threadgate#mentionRule' }], 'mentioned'],
  ['Community', [{ $type: 'app.bsky.feed.threadgate#followingRule' }], 'following'],
  ['Followers', [{ $type: 'app.bsky.feed.threadgate#followerRule' }], 'followers'],
  ['Nobody', [], 'nobody'],
] as const)('a post is created with its reply rule: %s', async (filter, allow, replyAudience) => {
  await using fixture = await openBluesky();
  const { social, platform } = fixture;

  const post = await social.createPost('not for all', { filter, ...wanted });
  const again = await social.createPost('not for all', { filter, ...wanted });
  const recovery = await recoverWrite(social, createPost.declared, { text: 'not for all', filter }, { ...wanted, taken: new Set() });
  const gate = await fixture.readRecord(post.id.replace('feed.post', 'feed.threadgate'));

  expect(post).toMatchObject({ replyAudience });
  expect(again).toEqual(post);
  expect(recovery).toEqual({ found: post });
  expect(gate).toMatchObject({ post: post.id, allow });
  expect(AppBskyFeedThreadgate.validateRecord(gate)).toMatchObject({ success: true });
  expect(await fixture.postTexts()).toEqual(['not for all']);
  expect(await social.postDetail(post)).toMatchObject({ replyAudience });
  await expect(new SocialAsync({ platform }).createPost('x', { filter: 'Verified' })).rejects.toMatchObject({
    name: 'UnsupportedParameter',
  });
});

test('a reply with a reply rule is refused', async () => {
  await using fixture = await openBluesky();
  const post = await fixture.social.createPost('1');

  await expect(fixture.social.createPost('2', { replyTo: post, filter: 'Nobody' })).rejects.toMatchObject({ name: 'ValidationError' });
});

test('a reply that the reply rule forbids is refused', async () => {
  await using fixture = await openBluesky();
  const ada = await fixture.as('ada');
  const post = await ada.createPost('mine alone', { filter: 'Nobody' });

  await expect(fixture.social.createPost('but', { replyTo: post })).rejects.toMatchObject({ fault: 'forbidden' });
});

test('a restart between a write and its answer creates no second post', async () => {
  using folder = temporaryFolder();
  await using fixture = await openBluesky();
  const card = fileWith(PNG, { folder, name: 'card.png' });
  const draft = { files: [card], filter: 'Followers' as const, ...wanted };
  fixture.sandbox.faults.add({ platform: 'bluesky', kind: 'resetAfter', method: 'POST', route: 'applyWrites', times: 1 });

  await expect(fixture.social.createPost('once', draft)).rejects.toMatchObject({ fault: 'unanswered' });
  const restarted = new SocialAsync({ platform: fixture.adapter(), clock: fixture.clock });
  const params = { text: 'once', files: [card], filter: 'Followers' };
  const recovery = await recoverWrite(restarted, createPost.declared, params, { ...wanted, taken: new Set() });
  const again = await restarted.createPost('once', draft);

  expect(recovery).toEqual({ found: again });
  expect(await fixture.postTexts()).toEqual(['once']);
});

test('the record depends on the key and the instant', async () => {
  await using fixture = await openBluesky();
  const { social } = fixture;

  const post = await social.createPost('once', wanted);
  const other = await social.createPost('once', { ...wanted, key: 'delivery-2' });
  const later = await social.createPost('once', { ...wanted, since: new Date(since.getTime() + 60_000) });

  expect(new Set([post.id, other.id, later.id]).size).toBe(3);
  expect(post.createdAt).toEqual(since);
});

test('a second attempt with another text returns the first post', async () => {
  await using fixture = await openBluesky();
  const { social } = fixture;
  const first = await social.createPost('as it was', wanted);

  const second = await social.createPost('changed', wanted);

  expect(second).toEqual(first);
  expect(await fixture.postTexts()).toEqual(['as it was']);
});

test.each([
  ['a text that is too long', 'x'.repeat(301), {}],
  ['a text of too many bytes', '👩‍👩‍👧‍👦'.repeat(130), {}],
  ['nothing at all', '', {}],
])('%s is refused before any request', async (_, text, options) => {
  await using fixture = await openBluesky();
  const before = await fixture.requests();

  await expect(fixture.social.createPost(text, options)).rejects.toMatchObject({ name: 'ValidationError', path: 'text' });

  expect(await fixture.requests()).toBe(before);
});

test('a post accepts an upload, and refuses an unknown upload id', async () => {
  using folder = temporaryFolder();
  await using fixture = await openBluesky();
  const { social } = fixture;

  const card = await social.uploadMedia(fileWith(PNG, { folder, name: 'card.png' }), { altText: 'A card' });
  const post = await social.createPost('look', { files: [card] });

  expect(card).toMatchObject({ platform: 'bluesky', kind: 'image', state: 'ready', sha256: expect.stringMatching(/^[\da-f]{64}$/) });
  expect(post.media).toMatchObject([{ kind: 'image', altText: 'A card', width: 1, height: 1 }]);
  await expect(social.createPost('look', { files: [{ ...card, id: 'media-1' }] })).rejects.toMatchObject({ name: 'ValidationError' });
});

test('the pictures of a post do not share the line', async () => {
  using folder = temporaryFolder();
  await using fixture = await openBluesky();
  const { social, clock, sandbox } = fixture;
  const card = fileWith(PNG, { folder, name: 'card.png' });
  sandbox.faults.add({ platform: 'bluesky', route: 'uploadBlob', kind: 'delay', ms: 1_000 });
  const beganMs = clock.nowMs();

  const files = ['first', 'second', 'third'].map((altText) => ({ path: card, altText }));
  const post = await whileSleeping(clock, social.createPost('look', { files }));

  expect(clock.nowMs() - beganMs).toBeGreaterThanOrEqual(files.length * 1_000);
  expect(post.media).toMatchObject([{ altText: 'first' }, { altText: 'second' }, { altText: 'third' }]);
});

test('a post has a video after the video service has processed it', async () => {
  using folder = temporaryFolder();
  await using fixture = await openBluesky();
  const { social, clock } = fixture;
  const files = [[fileWith(MP4, { folder, name: 'clip.mp4' }), 'A clip']] as const;

  const post = await whileSleeping(clock, social.createPost('watch', { files }));

  expect(post.media).toMatchObject([{ kind: 'video', altText: 'A clip', state: 'ready' }]);
  expect((await fixture.records())[0]?.record).toMatchObject({
    embed: { $type: 'app.bsky.embed.video', video: { mimeType: 'video/mp4' } },
  });
  expect((await social.postDetail(post)).media).toMatchObject([{ kind: 'video', altText: 'A clip' }]);
});

test('without an AppView, posts succeed and reads fail with a clear message', async () => {
  await using fixture = await openBluesky();
  const { social, clock } = fixture;
  await fixture.order('upstreams', { upstream: 'appView', on: false });

  const first = await social.createPost('still here');
  const second = await whileSleeping(clock, social.createPost('and here', { replyTo: first }));

  expect(second.replyTo).toMatchObject({ postId: first.id });
  await expect(whileSleeping(clock, social.getPosts(fixture.handle))).rejects.toMatchObject({
    fault: 'unavailable',
    message: expect.stringMatching(/needs an AppView/),
  });
});

test.each([
  'https://bsky.app/profile/%zz/post/3l',
  'https://bsky.app/profile/ada.test/post/%E0',
  'https://bsky.app/profile/ada.test/constructor/3l',
])('a post at %s is missing', async (address) => {
  await using fixture = await openBluesky();

  await expect(fixture.social.postDetail(address)).rejects.toMatchObject({ fault: 'missing' });
});

test('files that one post cannot show are refused before any upload', async () => {
  using folder = temporaryFolder();
  await using fixture = await openBluesky();
  const { social, clock } = fixture;
  const [clip, card] = [fileWith(MP4, { folder, name: 'clip.mp4' }), fileWith(PNG, { folder, name: 'card.png' })];
  const uploaded = await social.uploadMedia(card);
  const before = await fixture.requests();

  for (const files of [
    [card, clip],
    [clip, card],
    [clip, clip],
    [uploaded, clip],
  ]) {
    await expect(
      whileSleeping(clock, social.createPost('both', { files, replyTo: 'at://did:plc:ada/app.bsky.feed.post/1' })),
    ).rejects.toMatchObject({
      name: 'ValidationError',
      message: expect.stringContaining('four pictures or one video'),
    });
  }

  expect(await fixture.requests()).toBe(before);
});

test('a post with an expired upload fails with advice', async () => {
  using folder = temporaryFolder();
  await using fixture = await openBluesky();
  const card = await fixture.social.uploadMedia(fileWith(PNG, { folder, name: 'card.png' }));
  await fixture.clock.advance(2 * 3_600_000);

  await expect(fixture.social.createPost('too late', { files: [card] })).rejects.toMatchObject({
    fault: 'rejected',
    message: expect.stringContaining('the upload has expired: upload again'),
  });
});
