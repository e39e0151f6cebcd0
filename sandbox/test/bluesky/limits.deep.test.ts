import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { at, didOf, openBluesky, type BlueskyGround } from './open-bluesky.ts';

const HOUR_MS = 3_600_000;

test('every answer says how many requests are left of five minutes', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();

  const first = (await agent.getTimeline()).headers;
  const second = (await agent.getTimeline()).headers;

  expect(first).toMatchObject({ 'ratelimit-limit': '3000', 'ratelimit-policy': '3000;w=300' });
  expect(Number(first['ratelimit-remaining']) - Number(second['ratelimit-remaining'])).toBe(1);
  expect(Number(first['ratelimit-reset'])).toBe(ground.clock.nowMs() / 1000 + 300);
});

test('writes cost points: three for a new record, two for a change, one for a deletion; without them nothing is written', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  await ground.order('spend', { points: 4990 });
  const profile = (displayName: string) =>
    agent.com.atproto.repo.putRecord({ repo: didOf(agent), collection: 'app.bsky.actor.profile', rkey: 'self', record: { displayName } });
  const left = ({ headers }: { readonly headers: Readonly<Record<string, string | undefined>> }) => headers['ratelimit-remaining'];

  const post = await agent.com.atproto.repo.createRecord({
    repo: didOf(agent),
    collection: 'app.bsky.feed.post',
    record: { text: 'first', createdAt: at(ground.clock) },
  });
  const put = await profile('Fanfare!');
  const deleted = await agent.com.atproto.repo.deleteRecord({
    repo: didOf(agent),
    collection: 'app.bsky.feed.post',
    rkey: post.data.uri.split('/').at(-1) ?? '',
  });

  expect([post, put, deleted].map(left)).toEqual(['7', '5', '4']);
  expect(post.headers).toMatchObject({ 'ratelimit-limit': '5000', 'ratelimit-policy': '5000;w=3600' });
  await agent.post({ text: 'second' });
  await expect(agent.post({ text: 'third' })).rejects.toMatchObject({ status: 429, error: 'RateLimitExceeded' });
  expect((await agent.getTimeline()).success).toBe(true);
  ground.clock.set(ground.clock.nowMs() + HOUR_MS);
  await agent.post({ text: 'fourth' });
  expect(await ground.standing()).toEqual(['second', 'fourth']);
});

test('without an AppView reads fail with 502, and the repository is there all the same', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  await ground.order('upstreams', { upstream: 'appView', on: false });

  const { uri } = await agent.post({ text: 'still written' });

  await expect(agent.getTimeline()).rejects.toMatchObject({ status: 502, error: 'UpstreamFailure' });
  await expect(agent.getProfile({ actor: didOf(agent) })).rejects.toMatchObject({ status: 502 });
  const rkey = uri.split('/').at(-1) ?? '';
  expect((await agent.com.atproto.repo.getRecord({ repo: didOf(agent), collection: 'app.bsky.feed.post', rkey })).data.uri).toBe(uri);
  await ground.order('upstreams', { upstream: 'appView', on: true });
  expect((await agent.getPosts({ uris: [uri] })).data.posts).toHaveLength(1);
});

test('a fault answers as the platform words it', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const { faults } = ground.sandbox;

  faults.add({ platform: 'bluesky', kind: 'status', status: 502, route: 'app.bsky', times: 1 });
  await expect(agent.getTimeline()).rejects.toMatchObject({ status: 502, error: 'UpstreamFailure' });
  faults.add({ platform: 'bluesky', kind: 'rateLimit', ms: 5000, times: 1 });

  const refused = agent.getTimeline();
  await expect(refused).rejects.toMatchObject({ status: 429, error: 'RateLimitExceeded' });
  await expect(refused).rejects.toMatchObject({ headers: { 'ratelimit-reset': String(ground.clock.nowMs() / 1000 + 5) } });
});

test('a write whose answer was lost stands, and its key tells so', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  ground.sandbox.faults.add({ platform: 'bluesky', kind: 'resetAfter', route: 'putRecord', times: 1 });
  const place = { repo: didOf(agent), collection: 'app.bsky.feed.post', rkey: '3mzzzzzzzzz22' };
  const record = { $type: 'app.bsky.feed.post', text: 'once', createdAt: at(ground.clock) };

  await expect(agent.com.atproto.repo.putRecord({ ...place, record })).rejects.toMatchObject({ success: false });
  const found = (await agent.com.atproto.repo.getRecord(place)).data;
  const again = await agent.com.atproto.repo.putRecord({ ...place, record });

  expect(again.data).toMatchObject({ uri: found.uri, cid: found.cid });
  expect(again.data.commit).toBeUndefined();
  expect(await ground.standing()).toEqual(['once']);
});

test('what was written shows in the AppView only after a while, in the repository at once', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  ground.sandbox.faults.add({ platform: 'bluesky', kind: 'delayedVisibility', ms: 10_000, route: 'createRecord', times: 1 });

  const { uri } = await agent.post({ text: 'late', createdAt: at(ground.clock) });
  const rkey = uri.split('/').at(-1) ?? '';
  const place = { repo: didOf(agent), collection: 'app.bsky.feed.post', rkey };
  const shown = async () => (await agent.getPosts({ uris: [uri] })).data.posts.length;

  expect([await shown(), (await agent.com.atproto.repo.getRecord(place)).data.uri]).toEqual([0, uri]);
  ground.clock.set(ground.clock.nowMs() + 10_000);
  expect(await shown()).toBe(1);
  ground.sandbox.faults.add({ platform: 'bluesky', kind: 'delayedVisibility', ms: 60_000, route: 'getRecord', times: 1 });
  await expect(agent.com.atproto.repo.getRecord(place)).rejects.toMatchObject({ error: 'RecordNotFound' });
  expect((await agent.com.atproto.repo.getRecord(place)).data.uri).toBe(uri);
});

test('a thread that is written at once holds together, also where it shows late', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  ground.sandbox.faults.add({ platform: 'bluesky', kind: 'delayedVisibility', ms: 10_000, route: 'applyWrites', times: 1 });
  const createdAt = at(ground.clock);
  const [first, second] = ['3mzzzzzzzzz22', '3mzzzzzzzzz23'];
  const root = {
    uri: `at://${didOf(agent)}/app.bsky.feed.post/${first}`,
    cid: 'bafyreigbtj4x7ip5legnfznufuopl4sg4knzc2cof6duas4b3q2fy6swua',
  };
  const write = (rkey: string, value: { readonly [key: string]: unknown }) => ({
    $type: 'com.atproto.repo.applyWrites#create' as const,
    collection: 'app.bsky.feed.post',
    rkey,
    value,
  });

  const post = { $type: 'app.bsky.feed.post', createdAt };
  const writes = [write(first, { ...post, text: 'one' }), write(second, { ...post, text: 'two', reply: { root, parent: root } })];
  await agent.com.atproto.repo.applyWrites({ repo: didOf(agent), writes });
  const like = await agent.like(root.uri, root.cid);
  ground.clock.set(ground.clock.nowMs() + 10_000);

  const { thread } = (await agent.getPostThread({ uri: root.uri })).data;
  expect(thread).toMatchObject({
    post: { likeCount: 1, replyCount: 1, viewer: { like: like.uri } },
    replies: [{ post: { record: { text: 'two' } } }],
  });
});

test('lists fail as they are told to', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const follows = async (cursor?: string) =>
    (await agent.getFollows({ actor: 'ada.sandbox.test', limit: 10, ...(cursor !== undefined && { cursor }) })).data;
  const { follows: first, cursor } = await follows();
  const fault = (kind: 'emptyList' | 'shortList' | 'endlessCursor' | 'repeatedItem') =>
    ground.sandbox.faults.add({ platform: 'bluesky', kind, route: 'getFollows', times: 1 });

  fault('emptyList');
  expect(await follows()).toMatchObject({ follows: [], cursor });
  fault('shortList');
  expect((await follows()).follows).toHaveLength(5);
  fault('repeatedItem');
  expect((await follows(cursor)).follows[0]?.did).toBe(first.at(-1)?.did);
  fault('endlessCursor');
  expect((await follows(cursor)).cursor).toBe(cursor);
});

test.for<[path: string, init: object, status: number, error: string]>([
  ['app.bsky.feed.getPosts', {}, 400, 'InvalidRequest'],
  ['app.bsky.feed.getFeed?feed=nonsense', {}, 400, 'InvalidRequest'],
  ['app.bsky.feed.getTimeline?limit=101', {}, 400, 'InvalidRequest'],
  ['app.bsky.feed.getTimeline?cursor=nonsense', {}, 400, 'InvalidRequest'],
  ['app.bsky.nothing.getNothing', {}, 501, 'MethodNotImplemented'],
  ['com.atproto.repo.createRecord', {}, 400, 'InvalidRequest'],
  ['com.atproto.repo.createRecord', { method: 'POST', body: '{' }, 400, 'InvalidRequest'],
  ['com.atproto.repo.createRecord', { method: 'POST', body: '[]' }, 400, 'InvalidRequest'],
])('%s with %j is refused', async ([path, init, status, error]) => {
  await using ground = await openBluesky();
  const response = await asked(ground, path, init);

  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error, message: expect.any(String) });
});

async function asked(ground: BlueskyGround, path: string, init: object) {
  const { session } = await ground.signIn();
  return fetch(`${ground.sandbox.url}/bluesky/xrpc/${path}`, { ...init, headers: { authorization: `Bearer ${session?.accessJwt}` } });
}
