import { join } from 'node:path';
import { fetch, FormData } from 'undici';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createPost, idOf, openX, type OpenX } from './open-x.ts';

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const MP4 = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'), Buffer.alloc(5000, 7)]);

describe('posts', () => {
  test('the official client reads and writes the current names', async () => {
    await using x = await openX();
    const client = await x.xdkOf();

    const { data } = await client.posts.create({ text: 'Current names' });
    const read = await client.posts.getById(data?.id ?? '', { postFields: ['created_at', 'public_metrics'], expansions: ['author_id'] });

    expect(read).toMatchObject({
      data: { id: data?.id, authorId: x.selfId, editHistoryPostIds: [data?.id], publicMetrics: { repostCount: 0 } },
      includes: { users: [{ id: x.selfId }] },
    });
  });

  test('a client of the older names works with an X of the older names only', async () => {
    await using current = await openX();
    await using older = await openX({ names: 'tweet' });
    const read = async (x: OpenX) => {
      const { v2 } = x.twitterApi((await x.session()).accessToken);
      const { data } = await v2.tweet('Older names');
      return (await v2.singleTweet(data.id, { 'tweet.fields': ['author_id', 'public_metrics'] })).data;
    };

    expect(await read(older)).toMatchObject({ author_id: older.selfId, public_metrics: { retweet_count: 0 } });
    await expect(read(current)).rejects.toMatchObject({ code: 400 });
  });

  test('X refuses duplicates, texts beyond 280, and unknown parameters', async () => {
    await using x = await openX();
    const { accessToken: token } = await x.session();
    await createPost(x, token, { text: 'once' });
    const create = async (json: object): Promise<number> => (await x.send('POST', '/2/tweets', { token, json })).status;

    expect(await create({ text: 'once' })).toBe(403);
    expect(await create({ text: 'x'.repeat(281) })).toBe(400);
    expect(await create({ text: 'poll', poll: { options: ['a'], duration_minutes: 60 } })).toBe(400);
    expect((await x.send('GET', '/2/users/me?unknown=1', { token })).status).toBe(400);
    await x.clock.advance(24 * 3_600_000);
    const { accessToken } = await x.session();
    expect((await x.send('POST', '/2/tweets', { token: accessToken, json: { text: 'once' } })).status).toBe(201);
  });

  test('a self-serve app replies to and quotes only posts that involve the account', async () => {
    await using x = await openX();
    const { accessToken: token } = await x.session();
    const { accessToken: ada } = await x.session({ user: 'ada' });
    const other = await createPost(x, ada, { text: 'Hello' });
    const mention = await createPost(x, ada, { text: 'Hello @fanfare' });
    const reply = async (id: string): Promise<number> =>
      (await x.send('POST', '/2/tweets', { token, json: { text: `Hi ${id}`, reply: { in_reply_to_tweet_id: id } } })).status;
    const quote = async (id: string): Promise<number> =>
      (await x.send('POST', '/2/tweets', { token, json: { text: `See ${id}`, quote_tweet_id: id } })).status;

    expect([await reply(other), await quote(other)]).toEqual([403, 403]);
    expect([await reply(mention), await quote(mention)]).toEqual([201, 201]);
    await x.control('/settings', { tier: 'enterprise' });
    expect([await reply(other), await quote(other)]).toEqual([201, 201]);
  });

  test('an edit has a new id, and only premium accounts can edit', async () => {
    await using x = await openX();
    const { accessToken: token } = await x.session();
    const id = await createPost(x, token, { text: 'before' });
    const edit = (): ReturnType<OpenX['send']> =>
      x.send('POST', '/2/tweets', { token, json: { text: 'after', edit_options: { previous_post_id: id } } });

    expect((await edit()).status).toBe(403);
    await x.control('/premium', {});
    await x.clock.advance(1000);
    const { body } = await edit();

    expect(body).toMatchObject({ data: { text: 'after', edit_history_post_ids: [id, idOf(body)] } });
    expect((await x.send('GET', `/2/tweets/${id}`, { token })).body).toMatchObject({ data: { text: 'before' } });
  });

  test('an answer has expansions and partial errors', async () => {
    await using x = await openX();
    const { accessToken: token } = await x.session();
    const first = await createPost(x, token, { text: 'first #tag https://example.com/a' });
    const second = await createPost(x, token, { text: 'second', reply: { in_reply_to_tweet_id: first } });

    const fields = 'post.fields=entities,conversation_id,created_at&expansions=referenced_posts,author_id';
    const { body } = await x.send('GET', `/2/tweets?ids=${second},1&${fields}`, { token });

    expect(body).toMatchObject({
      data: [{ id: second, conversation_id: first, referenced_posts: [{ type: 'replied_to', id: first }] }],
      includes: { users: [{ id: x.selfId }], posts: [{ id: first, entities: { hashtags: [{ tag: 'tag' }], urls: [{}] } }] },
      errors: [{ title: 'Not Found Error', value: '1' }],
    });
  });
});

test('a file in parts is processed, described and attached', async () => {
  await using x = await openX();
  const { accessToken: token } = await x.session();
  const upload = async (bytes: Buffer, media_type: string): Promise<string> => {
    const begin = await x.send('POST', '/2/media/upload/initialize', { token, json: { media_type, total_bytes: bytes.length } });
    const id = idOf(begin.body);
    for (const [segment, part] of [bytes.subarray(0, 50), bytes.subarray(50)].entries()) {
      const form = new FormData();
      form.append('segment_index', String(segment));
      form.append('media', new Blob([Uint8Array.from(part)]));
      const path = `${x.url}/2/media/upload/${id}/append`;
      expect((await fetch(path, { method: 'POST', body: form, headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
    }
    return id;
  };
  const picture = await upload(PNG, 'image/png');
  const video = await upload(MP4, 'video/mp4');

  const done = await x.send('POST', `/2/media/upload/${picture}/finalize`, { token });
  const processing = await x.send('POST', `/2/media/upload/${video}/finalize`, { token });
  await x.send('POST', '/2/media/metadata', { token, json: { id: picture, metadata: { alt_text: { text: 'A dot' } } } });
  const tooEarly = await x.send('POST', '/2/tweets', { token, json: { text: 'Video', media: { media_ids: [video] } } });
  await x.clock.advance(3000);
  const status = await x.send('GET', `/2/media/upload?media_id=${video}`, { token });
  await createPost(x, token, { text: 'Video', media: { media_ids: [video] } });
  const id = await createPost(x, token, { text: 'Picture', media: { media_ids: [picture] } });
  const read = await x.send('GET', `/2/tweets/${id}?expansions=attachments.media_keys&media.fields=alt_text,width`, { token });

  expect(done.body).toMatchObject({ data: { media_key: `3_${picture}`, size: PNG.length } });
  expect(processing.body).toMatchObject({ data: { processing_info: { state: 'pending', check_after_secs: 1 } } });
  expect(tooEarly.status).toBe(400);
  expect(status.body).toMatchObject({ data: { processing_info: { state: 'succeeded' } } });
  expect(read.body).toMatchObject({ includes: { media: [{ media_key: `3_${picture}`, alt_text: 'A dot', width: 1 }] } });
});

test('messages of two people form a conversation, with a shared post', async () => {
  await using x = await openX();
  const { accessToken: token } = await x.session();
  const ada = await x.session({ user: 'ada' });
  const id = await createPost(x, token, { text: 'Shared' });
  const json = { text: `See https://x.com/fanfare/status/${id}` };

  const sent = await x.send('POST', `/2/dm_conversations/with/${ada.userId}/messages`, { token, json });
  const read = await x.send('GET', `/2/dm_conversations/with/${x.selfId}/dm_events?expansions=sender_id,referenced_posts`, {
    token: ada.accessToken,
  });

  expect(sent.status).toBe(201);
  expect(read.body).toMatchObject({ data: [{ sender_id: x.selfId, referenced_posts: [{ id }] }], includes: { posts: [{ id }] } });
});

describe('limits', () => {
  test('answers have the limit of the route, and X refuses requests beyond it until the window ends', async () => {
    await using x = await openX();
    const { accessToken: token } = await x.session();
    await x.control('/settings', { limits: [{ route: '/users/me', most: 1 }] });
    const me = (): ReturnType<OpenX['send']> => x.send('GET', '/2/users/me', { token });

    const [first, second] = [await me(), await me()];
    await x.clock.advance(15 * 60_000);
    const third = await me();

    expect([first.status, second.status, third.status]).toEqual([200, 429, 200]);
    expect(first.headers.get('x-rate-limit-remaining')).toBe('0');
    expect(Number(second.headers.get('x-rate-limit-reset'))).toBeGreaterThan(x.clock.nowMs() / 1000 - 1);
  });

  test('X refuses reads beyond the usage cap, and everything without credits', async () => {
    await using x = await openX();
    const { accessToken: token } = await x.session();
    const id = await createPost(x, token, { text: 'read me' });
    const read = (): ReturnType<OpenX['send']> => x.send('GET', `/2/tweets/${id}`, { token });

    await x.control('/settings', { usageCap: 1 });
    const answers = [await read(), await read()];
    await x.control('/settings', { usageCap: null, creditsDepleted: true });
    const depleted = await read();

    expect(answers.map(({ status }) => status)).toEqual([200, 429]);
    expect([depleted.status, depleted.body['title']]).toEqual([402, 'CreditsDepleted']);
  });

  test('follows and likes need the Enterprise plan', async () => {
    await using x = await openX();
    const { accessToken: token } = await x.session();
    const ada = await x.session({ user: 'ada' });
    const follow = async (): Promise<number> =>
      (await x.send('POST', `/2/users/${x.selfId}/following`, { token, json: { target_user_id: ada.userId } })).status;

    expect(await follow()).toBe(403);
    await x.control('/settings', { tier: 'enterprise' });
    expect(await follow()).toBe(200);
  });
});

test('posts and tokens survive a restart', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'sandbox.sqlite');
  const before = await openX({ file });
  const { accessToken: token } = await before.session();
  const id = await createPost(before, token, { text: 'stored' });
  await before[Symbol.asyncDispose]();

  await using after = await openX({ file, clock: before.clock });

  expect((await after.send('GET', `/2/tweets/${id}`, { token })).body).toMatchObject({ data: { id, text: 'stored' } });
});
