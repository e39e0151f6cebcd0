import type { AppBskyFeedPost, AtpAgent } from '@atproto/api';
import { expect, test } from 'vitest';
import { fromTid, toTid } from '../../bluesky/encoding.ts';
import { PNG } from '../../../test/support/media-files.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { openBluesky, POST, type BlueskyFixture } from './open-bluesky.ts';

test('a record has the key and the content id that the write returned', async () => {
  await using server = await openBluesky();
  const agent = await server.signIn();

  const { data } = await put(agent, keyAt(server, 1), server.record('once'));
  const read = await agent.com.atproto.repo.getRecord({ repo: agent.assertDid, collection: POST, rkey: keyAt(server, 1) });

  expect(data.uri).toBe(`at://${agent.assertDid}/${POST}/${keyAt(server, 1)}`);
  expect(read.data).toMatchObject({ uri: data.uri, cid: data.cid, value: { $type: POST, text: 'once' } });
});

test('a write that expects a free key succeeds again with the same record, and fails with another one', async () => {
  await using server = await openBluesky();
  const agent = await server.signIn();
  const record = server.record('once');

  const first = await put(agent, keyAt(server, 1), record, null);
  const second = await put(agent, keyAt(server, 1), record, null);
  const refused = put(agent, keyAt(server, 1), server.record('other'), null);

  expect(second.data).toEqual(first.data);
  await expect(refused).rejects.toMatchObject({ status: 400, error: 'InvalidSwap', message: `Record was at ${first.data.cid}` });
  expect(await server.texts()).toEqual(['once']);
});

test('a write that expects a record replaces only that record', async () => {
  await using server = await openBluesky();
  const agent = await server.signIn();
  const rkey = keyAt(server, 1);
  const first = await put(agent, rkey, server.record('first'));

  await put(agent, rkey, server.record('second'), first.data.cid);

  await expect(put(agent, rkey, server.record('third'), first.data.cid)).rejects.toMatchObject({ error: 'InvalidSwap' });
  expect(await server.texts()).toEqual(['second']);
});

test('createRecord chooses a key, and fails for a key in use', async () => {
  await using server = await openBluesky();
  const agent = await server.signIn();
  const create = (text: string, rkey?: string) =>
    agent.com.atproto.repo.createRecord({ repo: agent.assertDid, collection: POST, record: server.record(text), ...(rkey && { rkey }) });

  const [first, second] = [await create('one'), await create('two')];
  await create('three', keyAt(server, 5));

  expect(first.data.uri).not.toBe(second.data.uri);
  expect(fromTid(first.data.uri.split('/').at(-1) ?? '')).toBeDefined();
  await expect(create('four', keyAt(server, 5))).rejects.toMatchObject({ status: 500, error: 'InternalServerError' });
  expect(await server.texts()).toEqual(['one', 'two', 'three']);
});

test('a deletion succeeds twice, and the key can be used again', async () => {
  await using server = await openBluesky();
  const agent = await server.signIn();
  const { data } = await put(agent, keyAt(server, 1), server.record('first'));

  await agent.deletePost(data.uri);
  await agent.deletePost(data.uri);
  const read = agent.com.atproto.repo.getRecord({ repo: agent.assertDid, collection: POST, rkey: keyAt(server, 1) });
  await expect(read).rejects.toMatchObject({ status: 400, error: 'RecordNotFound' });
  expect((await agent.getPosts({ uris: [data.uri] })).data.posts).toEqual([]);

  await put(agent, keyAt(server, 1), server.record('second'), null);
  expect(await server.texts()).toEqual(['second']);
  expect((await agent.getPosts({ uris: [data.uri] })).data.posts).toMatchObject([{ record: { text: 'second' } }]);
});

test('applyWrites makes all writes or none', async () => {
  await using server = await openBluesky();
  const agent = await server.signIn();
  const create = (index: number, text: string) => ({
    $type: 'com.atproto.repo.applyWrites#create' as const,
    collection: POST,
    rkey: keyAt(server, index),
    value: server.record(text),
  });
  const apply = (...writes: ReturnType<typeof create>[]) => agent.com.atproto.repo.applyWrites({ repo: agent.assertDid, writes });

  const { data } = await apply(create(1, 'one'), create(2, 'two'));
  await expect(apply(create(3, 'three'), create(2, 'again'))).rejects.toMatchObject({ status: 500 });

  expect(data.results?.map(({ $type }) => $type)).toEqual(Array.from({ length: 2 }, () => 'com.atproto.repo.applyWrites#createResult'));
  expect(await server.texts()).toEqual(['one', 'two']);
});

test.for<[name: string, change: object, message: string]>([
  ['a text of more than 300 characters', { text: '👨‍👩‍👧‍👧'.repeat(301) }, 'Record/text must not be longer than'],
  ['no instant', { createdAt: undefined }, 'Record/createdAt'],
  ['an instant without a zone', { createdAt: '2026-11-20T18:00:00' }, 'Record/createdAt'],
  ['a reply to something else than a record', { reply: { root: { uri: 'https://x', cid: 'y' }, parent: {} } }, 'Record/reply'],
  ['a facet without bytes', { facets: [{ index: { byteStart: -1, byteEnd: 2 }, features: [] }] }, 'Record/facets'],
  ['an embed with a wrong field', { embed: { $type: 'app.bsky.embed.record', record: { uri: 'x', cid: 'y' } } }, 'Record/embed'],
  ['the type of another collection', { $type: 'app.bsky.feed.like' }, 'Invalid $type'],
])('a post with %s is refused', async ([, change, message]) => {
  await using server = await openBluesky();
  const agent = await server.signIn();
  const record = { ...server.record('text'), ...change };

  const refused = agent.com.atproto.repo.createRecord({ repo: agent.assertDid, collection: POST, record });

  await expect(refused).rejects.toMatchObject({ status: 400, error: 'InvalidRequest', message: expect.stringContaining(message) });
});

test('the server stores records of unknown collections, and checks the keys of known ones', async () => {
  await using server = await openBluesky();
  const agent = await server.signIn();
  const write = (collection: string, rkey: string, record: object) =>
    agent.com.atproto.repo.putRecord({ repo: agent.assertDid, collection, rkey, record: { $type: collection, ...record } });

  expect((await write('test.sandbox.note', 'my-key', { anything: [1, null, 'x'] })).success).toBe(true);
  await expect(write(POST, 'my-key', server.record('x'))).rejects.toMatchObject({ message: expect.stringContaining('TID') });
  await expect(write('app.bsky.actor.profile', 'other', {})).rejects.toMatchObject({ message: expect.stringContaining('self') });
});

test('an account cannot write to the repository of another account', async () => {
  await using server = await openBluesky();
  const [agent, ada] = [await server.signIn(), await server.signIn('ada')];
  const { uri } = await ada.post({ text: 'mine' });

  const write = agent.com.atproto.repo.createRecord({ repo: ada.assertDid, collection: POST, record: server.record('not mine') });

  await expect(write).rejects.toMatchObject({ status: 401, error: 'AuthenticationRequired' });
  await expect(agent.deletePost(uri)).rejects.toMatchObject({ status: 401 });
  expect(await server.texts()).toEqual(['mine']);
});

test('listRecords lists all records of a collection, newest first', async () => {
  await using server = await openBluesky();
  const agent = await server.signIn();
  for (let index = 1; index <= 5; index++) await put(agent, keyAt(server, index), server.record(`${index}`));
  const texts: unknown[] = [];

  for (let cursor: string | undefined, page = 1; page === 1 || cursor !== undefined; page++) {
    const query = { repo: agent.assertDid, collection: POST, limit: 2, ...(cursor && { cursor }) };
    const { data } = await agent.com.atproto.repo.listRecords(query);
    texts.push(...data.records.map(({ value }) => value['text']));
    cursor = data.cursor;
  }

  expect(texts).toEqual(['5', '4', '3', '2', '1']);
});

test('the same content is the same file, and the server deletes a file that no record contains after an hour', async () => {
  await using server = await openBluesky();
  const agent = await server.signIn();
  const { blob } = (await agent.uploadBlob(PNG, { encoding: 'image/png' })).data;
  const again = (await agent.uploadBlob(PNG, { encoding: 'application/octet-stream' })).data.blob;

  const picture = await agent.com.atproto.sync.getBlob({ did: agent.assertDid, cid: blob.ref.toString() });
  server.clock.set(server.clock.nowMs() + 2 * 3_600_000);
  const late = agent.post({ text: 'late', embed: { $type: 'app.bsky.embed.images', images: [{ image: blob, alt: '' }] } });

  expect(again.ref.toString()).toBe(blob.ref.toString());
  expect(again.mimeType).toBe('image/png');
  expect(Buffer.from(picture.data)).toEqual(PNG);
  await expect(late).rejects.toMatchObject({ status: 400, error: 'BlobNotFound' });
});

test('records and files survive a restart', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/sandbox.sqlite`;
  let [uri, cid, like, picture] = ['', '', '', ''];
  {
    await using server = await openBluesky({ file });
    const agent = await server.signIn();
    const { blob } = (await agent.uploadBlob(PNG, { encoding: 'image/png' })).data;
    const embed = { $type: 'app.bsky.embed.images', images: [{ image: blob, alt: 'one pixel' }] } as const;
    ({ uri, cid } = await agent.post({ ...server.record('kept'), embed }));
    await agent.deletePost((await agent.post(server.record('gone'))).uri);
    [like, picture] = [(await agent.like(uri, cid)).uri, blob.ref.toString()];
  }
  await using server = await openBluesky({ file });
  const agent = await server.signIn();
  server.clock.set(server.clock.nowMs() + 2 * 3_600_000);
  const [post] = (await agent.getPosts({ uris: [uri] })).data.posts;

  expect(post).toMatchObject({ uri, cid, likeCount: 1, viewer: { like }, embed: { images: [{ alt: 'one pixel' }] } });
  expect(await server.texts()).toEqual(['kept']);
  expect((await agent.com.atproto.sync.getBlob({ did: agent.assertDid, cid: picture })).success).toBe(true);
});

function keyAt({ clock }: BlueskyFixture, index: number): string {
  return toTid(clock.nowMs() * 1000 + index);
}

function put(agent: AtpAgent, rkey: string, record: AppBskyFeedPost.Record, swapRecord?: string | null) {
  // Null means a free key; the types of the client have only content ids.
  const swap = swapRecord === undefined ? {} : { swapRecord: swapRecord as string };
  return agent.com.atproto.repo.putRecord({ repo: agent.assertDid, collection: POST, rkey, record, ...swap });
}
