import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { openBluesky, POST } from './open-bluesky.ts';

const HOUR_MS = 3_600_000;

test('answers contain the requests that are left of five minutes', async () => {
  await using server = await openBluesky();
  const agent = await server.signIn();

  const first = (await agent.getTimeline()).headers;
  const second = (await agent.getTimeline()).headers;

  expect(first).toMatchObject({ 'ratelimit-limit': '3000', 'ratelimit-policy': '3000;w=300' });
  expect(Number(first['ratelimit-remaining']) - Number(second['ratelimit-remaining'])).toBe(1);
  expect(Number(first['ratelimit-reset'])).toBe(server.clock.nowMs() / 1000 + 300);
});

test('a new record costs three points, a change two and a deletion one; without points the server refuses writes', async () => {
  await using server = await openBluesky();
  const agent = await server.signIn();
  await server.order('spend', { points: 4990 });
  const { repo } = agent.com.atproto;
  const place = { repo: agent.assertDid, collection: POST, rkey: '3mzzzzzzzzz22' };
  const left = ({ headers }: { readonly headers: Readonly<Record<string, string | undefined>> }) => headers['ratelimit-remaining'];

  const created = await repo.createRecord({ ...place, record: server.record('first') });
  const changed = await repo.putRecord({ ...place, record: server.record('changed') });
  const deleted = await repo.deleteRecord(place);

  expect([created, changed, deleted].map(left)).toEqual(['7', '5', '4']);
  expect(created.headers).toMatchObject({ 'ratelimit-limit': '5000', 'ratelimit-policy': '5000;w=3600' });
  await agent.post({ text: 'second' });
  await expect(agent.post({ text: 'third' })).rejects.toMatchObject({ status: 429, error: 'RateLimitExceeded' });
  expect((await agent.getTimeline()).success).toBe(true);
  server.clock.set(server.clock.nowMs() + HOUR_MS);
  await agent.post({ text: 'fourth' });
  expect(await server.texts()).toEqual(['second', 'fourth']);
});

test('without an AppView, reads fail with 502 and writes succeed', async () => {
  await using server = await openBluesky();
  const agent = await server.signIn();
  await server.order('upstreams', { upstream: 'appView', on: false });

  const { uri } = await agent.post({ text: 'still written' });

  await expect(agent.getTimeline()).rejects.toMatchObject({ status: 502, error: 'UpstreamFailure' });
  await server.order('upstreams', { upstream: 'appView', on: true });
  expect((await agent.getPosts({ uris: [uri] })).data.posts).toHaveLength(1);
});

test('a fault is answered in the format of the platform', async () => {
  await using server = await openBluesky();
  const agent = await server.signIn();
  const { faults } = server.sandbox;

  faults.add({ platform: 'bluesky', kind: 'status', status: 502, route: 'app.bsky', times: 1 });
  await expect(agent.getTimeline()).rejects.toMatchObject({ status: 502, error: 'UpstreamFailure' });
  faults.add({ platform: 'bluesky', kind: 'rateLimit', ms: 5000, times: 1 });

  const headers = { 'ratelimit-reset': String(server.clock.nowMs() / 1000 + 5), 'retry-after': '5' };
  await expect(agent.getTimeline()).rejects.toMatchObject({ status: 429, error: 'RateLimitExceeded', headers });
});

test('a delayed thread shows in the AppView later, and in the repository at once', async () => {
  await using server = await openBluesky();
  const agent = await server.signIn();
  const { faults } = server.sandbox;
  const did = agent.assertDid;
  faults.add({ platform: 'bluesky', kind: 'delayedVisibility', ms: 10_000, route: 'applyWrites', times: 1 });
  const [first, second] = ['3mzzzzzzzzz22', '3mzzzzzzzzz23'];
  const root = { uri: `at://${did}/${POST}/${first}`, cid: 'bafyreigbtj4x7ip5legnfznufuopl4sg4knzc2cof6duas4b3q2fy6swua' };
  const write = (rkey: string, value: { readonly [key: string]: unknown }) => ({
    $type: 'com.atproto.repo.applyWrites#create' as const,
    collection: POST,
    rkey,
    value,
  });
  const read = async () => agent.com.atproto.repo.getRecord({ repo: did, collection: POST, rkey: first });

  const reply = { ...server.record('two'), reply: { root, parent: root } };
  await agent.com.atproto.repo.applyWrites({ repo: did, writes: [write(first, server.record('one')), write(second, reply)] });
  const like = await agent.like(root.uri, root.cid);
  expect([(await agent.getPosts({ uris: [root.uri] })).data.posts.length, (await read()).data.uri]).toEqual([0, root.uri]);
  server.clock.set(server.clock.nowMs() + 10_000);

  expect((await agent.getPostThread({ uri: root.uri })).data.thread).toMatchObject({
    post: { likeCount: 1, replyCount: 1, viewer: { like: like.uri } },
    replies: [{ post: { record: { text: 'two' } } }],
  });
  faults.add({ platform: 'bluesky', kind: 'delayedVisibility', ms: 60_000, route: 'getRecord', times: 1 });
  await expect(read()).rejects.toMatchObject({ error: 'RecordNotFound' });
  expect((await read()).success).toBe(true);
});

test('lists have the ordered faults', async () => {
  await using server = await openBluesky();
  const agent = await server.signIn();
  const follows = async (cursor?: string) =>
    (await agent.getFollows({ actor: 'ada.sandbox.test', limit: 10, ...(cursor !== undefined && { cursor }) })).data;
  const { follows: first, cursor } = await follows();
  const fault = (kind: 'emptyList' | 'shortList' | 'endlessCursor' | 'repeatedItem') =>
    server.sandbox.faults.add({ platform: 'bluesky', kind, route: 'getFollows', times: 1 });

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
  ['chat.bsky.convo.listConvos', {}, 501, 'MethodNotImplemented'],
  ['com.atproto.repo.createRecord', {}, 400, 'InvalidRequest'],
  ['com.atproto.repo.createRecord', { method: 'POST', body: '{' }, 400, 'InvalidRequest'],
  ['com.atproto.repo.createRecord', { method: 'POST', body: '[]' }, 400, 'InvalidRequest'],
])('%s with %j is refused', async ([path, init, status, error]) => {
  await using server = await openBluesky();
  const { session } = await server.signIn();
  const headers = { authorization: `Bearer ${session?.accessJwt}` };

  const response = await fetch(`${server.sandbox.url}/bluesky/xrpc/${path}`, { ...init, headers });

  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error, message: expect.any(String) });
});
