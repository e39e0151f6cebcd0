import type { AtpAgent, AppBskyFeedPost } from '@atproto/api';
import { expect, test } from 'vitest';
import { fromTid, toTid } from '../../bluesky/encoding.ts';
import { PNG } from '../../../test/support/media-files.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { at, didOf, openBluesky, type BlueskyGround } from './open-bluesky.ts';

const POST = 'app.bsky.feed.post';

test('a record stands under the key that its writer chose, with the content id of what it is', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const rkey = keyAt(ground, 1);

  const { data } = await put(agent, rkey, postSaying('once', ground));
  const read = await agent.com.atproto.repo.getRecord({ repo: didOf(agent), collection: POST, rkey });

  expect(data).toMatchObject({ uri: `at://${didOf(agent)}/${POST}/${rkey}`, validationStatus: 'valid' });
  expect(read.data).toMatchObject({ uri: data.uri, cid: data.cid, value: { $type: POST, text: 'once' } });
  expect(await ground.standing()).toEqual(['once']);
});

test('the same record under the same key again is no change, and says so without a commit', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const record = postSaying('once', ground);

  const first = await put(agent, keyAt(ground, 1), record, null);
  const second = await put(agent, keyAt(ground, 1), record, null);

  expect(second.data.cid).toBe(first.data.cid);
  expect([first.data.commit === undefined, second.data.commit === undefined]).toEqual([false, true]);
  expect(await ground.standing()).toEqual(['once']);
});

test('another record under a key at which nothing was expected is refused', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const { data } = await put(agent, keyAt(ground, 1), postSaying('once', ground), null);

  const refused = put(agent, keyAt(ground, 1), postSaying('other', ground), null);

  await expect(refused).rejects.toMatchObject({ status: 400, error: 'InvalidSwap', message: `Record was at ${data.cid}` });
  expect(await ground.standing()).toEqual(['once']);
});

test('a record is replaced by who knows what stands, and by nobody who is wrong about it', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const rkey = keyAt(ground, 1);
  const first = await put(agent, rkey, postSaying('first', ground));

  await put(agent, rkey, postSaying('second', ground), first.data.cid);
  const late = put(agent, rkey, postSaying('third', ground), first.data.cid);

  await expect(late).rejects.toMatchObject({ error: 'InvalidSwap' });
  expect(await ground.standing()).toEqual(['second']);
});

test('createRecord chooses a key, and breaks at one that is taken', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const create = (text: string, rkey?: string) =>
    agent.com.atproto.repo.createRecord({ repo: didOf(agent), collection: POST, record: postSaying(text, ground), ...(rkey && { rkey }) });

  const [first, second] = [await create('one'), await create('two')];
  await create('three', keyAt(ground, 5));

  expect(first.data.uri).not.toBe(second.data.uri);
  expect(fromTid(first.data.uri.split('/').at(-1) ?? '')).toBeDefined();
  await expect(create('four', keyAt(ground, 5))).rejects.toMatchObject({ status: 500, error: 'InternalServerError' });
  expect(await ground.standing()).toEqual(['one', 'two', 'three']);
});

test('what is gone already is deleted without a failure', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const { uri } = await agent.post({ text: 'short-lived' });

  await agent.deletePost(uri);
  await agent.deletePost(uri);

  expect(await ground.standing()).toEqual([]);
  expect((await agent.getPosts({ uris: [uri] })).data.posts).toEqual([]);
  const rkey = uri.split('/').at(-1) ?? '';
  const read = agent.com.atproto.repo.getRecord({ repo: didOf(agent), collection: POST, rkey });
  await expect(read).rejects.toMatchObject({ status: 400, error: 'RecordNotFound' });
});

test('a key that is free again can be used again', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const rkey = keyAt(ground, 1);
  const { data } = await put(agent, rkey, postSaying('first', ground));
  await agent.deletePost(data.uri);

  await put(agent, rkey, postSaying('second', ground), null);

  expect(await ground.standing()).toEqual(['second']);
  expect((await agent.getPosts({ uris: [data.uri] })).data.posts.map(({ record }) => record['text'])).toEqual(['second']);
});

test('of several writes all are made, or none', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const create = (place: number, text: string) => ({
    $type: 'com.atproto.repo.applyWrites#create' as const,
    collection: POST,
    rkey: keyAt(ground, place),
    value: postSaying(text, ground),
  });

  const { data } = await agent.com.atproto.repo.applyWrites({ repo: didOf(agent), writes: [create(1, 'one'), create(2, 'two')] });
  const broken = agent.com.atproto.repo.applyWrites({ repo: didOf(agent), writes: [create(3, 'three'), create(2, 'again')] });
  await expect(broken).rejects.toMatchObject({ status: 500 });

  expect(data.results?.map(({ $type }) => $type)).toEqual(Array.from({ length: 2 }, () => 'com.atproto.repo.applyWrites#createResult'));
  expect(await ground.standing()).toEqual(['one', 'two']);
});

test('writes that rely on a commit are refused once there is another', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const first = await put(agent, keyAt(ground, 1), postSaying('one', ground));
  const swapCommit = first.data.commit?.cid ?? '';
  const write = (text: string) =>
    agent.com.atproto.repo.createRecord({ repo: didOf(agent), collection: POST, record: postSaying(text, ground), swapCommit });

  await write('two');

  await expect(write('three')).rejects.toMatchObject({ status: 400, error: 'InvalidSwap' });
  expect(await ground.standing()).toEqual(['one', 'two']);
});

test.for<[name: string, change: object, message: string]>([
  ['a text of more than 300 characters', { text: '👨‍👩‍👧‍👧'.repeat(301) }, 'Record/text must not be longer than'],
  ['no instant', { createdAt: undefined }, 'Record/createdAt must have the property "createdAt"'],
  ['an instant without a zone', { createdAt: '2026-11-20T18:00:00' }, 'Record/createdAt'],
  ['four languages', { langs: ['en', 'de', 'fr', 'it'] }, 'Record/langs'],
  ['an answer to no record', { reply: { root: { uri: 'https://x', cid: 'y' }, parent: { uri: 'x', cid: 'y' } } }, 'Record/reply'],
  ['a facet without bytes', { facets: [{ index: { byteStart: -1, byteEnd: 2 }, features: [] }] }, 'Record/facets'],
  ['the type of another collection', { $type: 'app.bsky.feed.like' }, 'Invalid $type'],
  ['a number that is not whole', { extra: 1.5 }, 'no whole number'],
])('a post with %s is refused', async ([, change, message]) => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const record = { ...postSaying('text', ground), ...change };

  const refused = agent.com.atproto.repo.createRecord({ repo: didOf(agent), collection: POST, record });

  await expect(refused).rejects.toMatchObject({ status: 400, error: 'InvalidRequest', message: expect.stringContaining(message) });
  expect(await ground.standing()).toEqual([]);
});

test('what is no lexicon that the server knows is kept as it is, and a key has to be one of its collection', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const write = (collection: string, rkey: string, validate?: boolean) =>
    agent.com.atproto.repo.putRecord({
      repo: didOf(agent),
      collection,
      rkey,
      record: { $type: collection, anything: [1, null, 'x'] },
      ...(validate !== undefined && { validate }),
    });

  expect((await write('test.sandbox.note', 'my-key')).data.validationStatus).toBe('unknown');
  await expect(write('test.sandbox.note', 'other', true)).rejects.toMatchObject({ status: 400 });
  await expect(write('app.bsky.feed.like', 'my-key', false)).rejects.toMatchObject({ message: expect.stringContaining('TID') });
  await expect(write('app.bsky.actor.profile', 'other', false)).rejects.toMatchObject({ message: expect.stringContaining('self') });
});

test('nobody writes to a repository of somebody else', async () => {
  await using ground = await openBluesky();
  const [agent, ada] = [await ground.signIn(), await ground.signIn('ada')];
  const { uri } = await ada.post({ text: 'mine' });

  const write = agent.com.atproto.repo.createRecord({ repo: didOf(ada), collection: POST, record: postSaying('not mine', ground) });

  await expect(write).rejects.toMatchObject({ status: 401, error: 'AuthenticationRequired' });
  await expect(agent.deletePost(uri)).rejects.toMatchObject({ status: 401 });
  expect(await ground.standing()).toEqual(['mine']);
});

test('a list of records goes through all of them, the latest first or the earliest', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  for (let place = 1; place <= 5; place++) await put(agent, keyAt(ground, place), postSaying(`${place}`, ground));
  const list = async (reverse: boolean) => {
    const texts: unknown[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await agent.com.atproto.repo.listRecords({
        repo: didOf(agent),
        collection: POST,
        limit: 2,
        reverse,
        ...(cursor && { cursor }),
      });
      texts.push(...data.records.map(({ value }) => value['text']));
      cursor = data.cursor;
    } while (cursor !== undefined);
    return texts;
  };

  expect(await list(false)).toEqual(['5', '4', '3', '2', '1']);
  expect(await list(true)).toEqual(['1', '2', '3', '4', '5']);
});

test('a file is found by what is in it, and a post shows only what is there', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const { blob } = (await agent.uploadBlob(PNG, { encoding: 'image/png' })).data;
  const again = (await agent.uploadBlob(PNG, { encoding: 'application/octet-stream' })).data.blob;

  const picture = await agent.com.atproto.sync.getBlob({ did: didOf(agent), cid: blob.ref.toString() });
  ground.clock.set(ground.clock.nowMs() + 2 * 3_600_000);
  const embed = { $type: 'app.bsky.embed.images', images: [{ image: blob, alt: '' }] } as const;
  const late = agent.post({ text: 'late', embed });

  expect(again.ref.toString()).toBe(blob.ref.toString());
  expect(again.mimeType).toBe('image/png');
  expect(Buffer.from(picture.data)).toEqual(PNG);
  await expect(late).rejects.toMatchObject({ status: 400, error: 'BlobNotFound' });
});

test('what was written, and what is in the files, outlives a restart', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/sandbox.sqlite`;
  let [uri, cid, head] = ['', '', ''];
  {
    await using ground = await openBluesky({ file });
    const agent = await ground.signIn();
    const { blob } = (await agent.uploadBlob(PNG, { encoding: 'image/png' })).data;
    const embed = { $type: 'app.bsky.embed.images', images: [{ image: blob, alt: 'one pixel' }] } as const;
    const post = await agent.post({ text: 'kept', embed, createdAt: at(ground.clock) });
    const gone = await agent.post({ text: 'gone', createdAt: at(ground.clock) });
    await agent.deletePost(gone.uri);
    [uri, cid] = [post.uri, post.cid];
    head = (await agent.like(uri, cid)).uri;
  }
  await using ground = await openBluesky({ file });
  const agent = await ground.signIn();
  const [post] = (await agent.getPosts({ uris: [uri] })).data.posts;

  expect(post).toMatchObject({ uri, cid, likeCount: 1, viewer: { like: head }, embed: { images: [{ alt: 'one pixel' }] } });
  expect(await ground.standing()).toEqual(['kept']);
});

function keyAt({ clock }: BlueskyGround, place: number): string {
  return toTid({ atUs: clock.nowMs() * 1000 + place, clock: 7 });
}

function postSaying(text: string, { clock }: BlueskyGround): AppBskyFeedPost.Record {
  return { $type: POST, text, createdAt: at(clock) };
}

function put(agent: AtpAgent, rkey: string, record: AppBskyFeedPost.Record, swapRecord?: string | null) {
  // Null says that nothing may stand there; the client's types know only the id of a record.
  const swap = swapRecord === undefined ? {} : { swapRecord: swapRecord as string };
  return agent.com.atproto.repo.putRecord({ repo: didOf(agent), collection: POST, rkey, record, ...swap });
}
