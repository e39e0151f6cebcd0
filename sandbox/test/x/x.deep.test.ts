import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fetch, FormData } from 'undici';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { openX, type OpenX } from './open-x.ts';

const CALLBACK = 'http://127.0.0.1:49152/callback';
const VERIFIER = 'a-verifier-that-is-long-enough-for-this-test-of-the-sandbox';
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const MP4 = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'), Buffer.alloc(5000, 7)]);

interface Row {
  readonly data?: Readonly<Record<string, unknown>>;
}
const idOf = ({ data }: Row): string => String(data?.['id']);

/** Creates a post and returns its id. */
async function post(x: OpenX, token: string, json: object): Promise<string> {
  return idOf((await x.send('POST', '/2/tweets', { token, json })).body);
}

async function authorize(x: OpenX, answer = 'authorize'): Promise<URL> {
  const code_challenge = createHash('sha256').update(VERIFIER).digest('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: x.environment['X_CLIENT_ID'] ?? '',
    redirect_uri: CALLBACK,
    scope: 'tweet.read users.read offline.access',
    state: 'the-state',
    code_challenge,
    code_challenge_method: 'S256',
  });
  const page = `${x.url}/i/oauth2/authorize?${query.toString()}`;
  const response = await fetch(page, { method: 'POST', body: new URLSearchParams({ answer }), redirect: 'manual' });
  return new URL(response.headers.get('location') ?? '');
}

function exchange(x: OpenX, form: Record<string, string>): ReturnType<OpenX['send']> {
  const { X_CLIENT_ID, X_CLIENT_SECRET } = x.environment;
  const basic = Buffer.from(`${X_CLIENT_ID}:${X_CLIENT_SECRET}`).toString('base64');
  return x.send('POST', '/2/oauth2/token', { form, headers: { authorization: `Basic ${basic}` } });
}

describe('sign-in', () => {
  test('a code becomes a token pair once, and a second use of a refresh token ends the grant', async () => {
    await using x = await openX();
    const target = await authorize(x);
    const code = {
      grant_type: 'authorization_code',
      code: target.searchParams.get('code') ?? '',
      redirect_uri: CALLBACK,
      code_verifier: VERIFIER,
    };

    const first = await exchange(x, code);
    const repeated = await exchange(x, code);
    const refresh = { grant_type: 'refresh_token', refresh_token: String(first.body['refresh_token']) };
    const second = await exchange(x, refresh);
    const me = await x.send('GET', '/2/users/me', { token: String(second.body['access_token']) });
    const reused = await exchange(x, refresh);
    const ended = await x.send('GET', '/2/users/me', { token: String(second.body['access_token']) });

    expect(target.searchParams.get('state')).toBe('the-state');
    expect(first.body).toMatchObject({ token_type: 'bearer', expires_in: 7200, scope: 'tweet.read users.read offline.access' });
    expect([repeated.status, me.status, reused.status, ended.status]).toEqual([400, 200, 400, 401]);
  });

  test('a cancelled request returns access_denied', async () => {
    await using x = await openX();
    expect((await authorize(x, 'cancel')).searchParams.get('error')).toBe('access_denied');
  });

  test('an access token expires after two hours', async () => {
    await using x = await openX();
    const { accessToken: token } = await x.session();
    await x.clock.advance(2 * 3_600_000);
    expect((await x.send('GET', '/2/users/me', { token })).status).toBe(401);
  });

  test('the clients of others sign requests with OAuth 1.0a, and a wrong secret is refused', async () => {
    await using x = await openX({ names: 'tweet' });
    const session = await x.session();

    expect((await x.twitterApiOAuth1(session).v2.me()).data.username).toBe('fanfare');
    await expect(x.xdkOAuth1(session, 'wrong').users.getMe()).rejects.toMatchObject({ status: 401 });
  });

  test('X refuses missing scopes, the token of the app, and suspended accounts', async () => {
    await using x = await openX();
    const { accessToken: token } = await x.session();
    const reader = await x.session({ scopes: ['tweet.read', 'users.read'] });
    const app = x.environment['X_BEARER_TOKEN'] ?? '';
    const create = (by: string): ReturnType<OpenX['send']> => x.send('POST', '/2/tweets', { token: by, json: { text: 'no' } });

    expect((await create(reader.accessToken)).status).toBe(403);
    expect((await create(app)).body).toMatchObject({ title: 'Unsupported Authentication' });
    await x.control('/suspend', {});
    expect((await create(token)).status).toBe(403);
  });
});

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
    await post(x, token, { text: 'once' });
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
    const other = await post(x, ada, { text: 'Hello' });
    const mention = await post(x, ada, { text: 'Hello @fanfare' });
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
    const id = await post(x, token, { text: 'before' });
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
    const first = await post(x, token, { text: 'first #tag https://example.com/a' });
    const second = await post(x, token, { text: 'second', reply: { in_reply_to_tweet_id: first } });

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
  await post(x, token, { text: 'Video', media: { media_ids: [video] } });
  const id = await post(x, token, { text: 'Picture', media: { media_ids: [picture] } });
  const read = await x.send('GET', `/2/tweets/${id}?expansions=attachments.media_keys&media.fields=alt_text,width`, { token });

  expect(done.body).toMatchObject({ data: { media_key: `3_${picture}`, size: PNG.length } });
  expect(processing.body).toMatchObject({ data: { processing_info: { state: 'pending', check_after_secs: 1 } } });
  expect(tooEarly.status).toBe(400);
  expect(status.body).toMatchObject({ data: { processing_info: { state: 'succeeded' } } });
  expect(read.body).toMatchObject({ includes: { media: [{ media_key: `3_${picture}`, alt_text: 'A dot', width: 1 }] } });
});

test.for([
  ['from:fanfare -is:retweet', 3],
  ['(from:fanfare OR from:ada) #chess', 1],
  ['from:fanfare has:media', 0],
  ['from:fanfare "two words"', 1],
  ['conversation_id:ID', 1],
  ['from:fanfare -is:reply knight', 1],
] as const)('the search %s finds %i posts', async ([query, count]) => {
  await using x = await openX();
  const { accessToken: token } = await x.session();
  await x.control('/settings', { searchLagMs: 0 });
  const id = await post(x, token, { text: 'A knight moves #chess' });
  for (const text of ['here are two words', 'and one word']) await post(x, token, { text });

  const path = `/2/tweets/search/recent?query=${encodeURIComponent(query.replace('ID', id))}`;
  const { body } = await x.send('GET', path, { token });

  expect(body).toMatchObject({ meta: { result_count: count } });
});

test.for(['has:media', 'unknown:1', '(from:ada', '-from:ada', ''])('X refuses the search "%s"', async (query) => {
  await using x = await openX();
  const { accessToken: token } = await x.session();
  const { status } = await x.send('GET', `/2/tweets/search/recent?query=${encodeURIComponent(query)}`, { token });
  expect(status).toBe(400);
});

test('a search shows posts after 30 seconds', async () => {
  await using x = await openX();
  const { accessToken: token } = await x.session();
  await post(x, token, { text: 'late' });
  const count = async (): Promise<unknown> => (await x.send('GET', '/2/tweets/search/recent?query=from:fanfare', { token })).body['meta'];

  expect(await count()).toMatchObject({ result_count: 0 });
  await x.clock.advance(30_000);
  expect(await count()).toMatchObject({ result_count: 1 });
});

test('messages form conversations of both people, with a shared post', async () => {
  await using x = await openX();
  const { accessToken: token } = await x.session();
  const ada = await x.session({ user: 'ada' });
  const id = await post(x, token, { text: 'Shared' });
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
    const id = await post(x, token, { text: 'read me' });
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

test('pages continue after the last item, and show the faults', async () => {
  await using x = await openX();
  const { accessToken: token } = await x.session();
  for (let index = 0; index < 7; index++) await post(x, token, { text: `Post ${index}` });
  const path = `/2/users/${x.selfId}/tweets?max_results=5`;
  const page = async (more = '') => (await x.send('GET', path + more, { token })).body as { data?: object[]; meta: Record<string, string> };

  const first = await page();
  const next = `&pagination_token=${first.meta['next_token']}`;
  const second = await page(next);
  x.sandbox.faults.add({ platform: 'x', kind: 'emptyList', times: 1 });
  const empty = await page(next);
  x.sandbox.faults.add({ platform: 'x', kind: 'repeatedItem', times: 1 });
  const repeated = await page(next);

  expect([first.data?.length, second.data?.length, empty.data, repeated.data?.length]).toEqual([5, 2, undefined, 3]);
  expect(second.meta['next_token']).toBeUndefined();
});

test('posts and tokens survive a restart', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'sandbox.sqlite');
  const before = await openX({ file });
  const { accessToken: token } = await before.session();
  const id = await post(before, token, { text: 'stored' });
  await before[Symbol.asyncDispose]();

  await using after = await openX({ file, clock: before.clock });

  expect((await after.send('GET', `/2/tweets/${id}`, { token })).body).toMatchObject({ data: { id, text: 'stored' } });
});
