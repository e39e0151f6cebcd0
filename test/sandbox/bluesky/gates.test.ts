import { AppBskyFeedDefs, type AtpAgent } from '@atproto/api';
import { expect, test } from 'vitest';
import { at, didOf, openBluesky, type BlueskyGround } from './open-bluesky.ts';

const RULE = 'app.bsky.feed.threadgate#';

test('a post and who may answer it are written at once, and everybody is told', async () => {
  await using ground = await openBluesky();
  const [agent, ada] = [await ground.signIn(), await ground.signIn('ada')];

  const root = await gated(agent, ground, []);

  expect(await viewOf(ada, root.uri)).toMatchObject({
    viewer: { replyDisabled: true },
    threadgate: { uri: root.uri.replace('feed.post', 'feed.threadgate'), record: { allow: [] }, lists: [] },
  });
  expect((await viewOf(agent, root.uri))?.viewer?.replyDisabled).toBeUndefined();
});

test.for<[name: string, rule: string, prepare: (agent: AtpAgent, ada: AtpAgent) => Promise<unknown>]>([
  ['who is mentioned', 'mentionRule', async () => undefined],
  ['whom its author follows', 'followingRule', (agent, ada) => agent.follow(didOf(ada))],
  ['who follows its author', 'followerRule', (agent, ada) => ada.follow(didOf(agent))],
])('an answer of somebody else is not taken, that of %s is', async ([, rule, prepare]) => {
  await using ground = await openBluesky();
  const [agent, ada, linus] = [await ground.signIn(), await ground.signIn('ada'), await ground.signIn('linus')];
  await prepare(agent, ada);
  const root = await gated(agent, ground, [{ $type: `${RULE}${rule}` }], didOf(ada));

  for (const one of [ada, linus]) await one.post({ text: didOf(one), reply: { root, parent: root } });

  expect(await answers(agent, root.uri)).toEqual([didOf(ada)]);
  expect((await viewOf(agent, root.uri))?.replyCount).toBe(1);
  const told = (await agent.listNotifications({ limit: 20 })).data.notifications.filter(({ reason }) => reason === 'reply');
  expect(told.map(({ author }) => author.did)).toEqual([didOf(ada)]);
});

test('a list says who may answer', async () => {
  await using ground = await openBluesky();
  const [agent, ada, linus] = [await ground.signIn(), await ground.signIn('ada'), await ground.signIn('linus')];
  const createdAt = at(ground.clock);
  const list = await agent.app.bsky.graph.list.create(
    { repo: didOf(agent) },
    { name: 'Friends', purpose: 'app.bsky.graph.defs#curatelist', createdAt },
  );
  await agent.app.bsky.graph.listitem.create({ repo: didOf(agent) }, { list: list.uri, subject: didOf(linus), createdAt });
  const root = await gated(agent, ground, [{ $type: `${RULE}listRule`, list: list.uri }]);

  for (const one of [ada, linus]) await one.post({ text: didOf(one), reply: { root, parent: root } });

  expect(await answers(agent, root.uri)).toEqual([didOf(linus)]);
  expect((await viewOf(ada, root.uri))?.threadgate?.lists).toMatchObject([{ uri: list.uri, name: 'Friends', listItemCount: 1 }]);
});

test('answers that the author hid are still in the thread, and the gate names them', async () => {
  await using ground = await openBluesky();
  const [agent, ada] = [await ground.signIn(), await ground.signIn('ada')];
  const root = await agent.post({ text: 'root' });
  const rude = await ada.post({ text: 'rude', reply: { root, parent: root } });
  const rkey = root.uri.split('/').at(-1) ?? '';
  const record = { post: root.uri, hiddenReplies: [rude.uri], createdAt: at(ground.clock) };

  await agent.app.bsky.feed.threadgate.create({ repo: didOf(agent), rkey }, record);

  const { data } = await agent.getPostThread({ uri: root.uri });
  expect(await answers(agent, root.uri)).toEqual(['rude']);
  expect(data.threadgate?.record).toMatchObject({ hiddenReplies: [rude.uri] });
});

test('a post that nobody may show is not shown by others, and its author can detach one quote', async () => {
  await using ground = await openBluesky();
  const [agent, ada] = [await ground.signIn(), await ground.signIn('ada')];
  const post = await agent.post({ text: 'mine alone' });
  const quote = await ada.post({ text: 'look', embed: { $type: 'app.bsky.embed.record', record: post } });
  const gate = (change: object) =>
    agent.com.atproto.repo.putRecord({
      repo: didOf(agent),
      collection: 'app.bsky.feed.postgate',
      rkey: post.uri.split('/').at(-1) ?? '',
      record: { $type: 'app.bsky.feed.postgate', post: post.uri, createdAt: at(ground.clock), ...change },
    });
  const detached = { record: { $type: 'app.bsky.embed.record#viewDetached', uri: post.uri, detached: true } };

  await gate({ detachedEmbeddingUris: [quote.uri] });
  expect((await viewOf(ada, quote.uri))?.embed).toMatchObject(detached);
  expect((await viewOf(ada, post.uri))?.viewer?.embeddingDisabled).toBe(false);
  await gate({ embeddingRules: [{ $type: 'app.bsky.feed.postgate#disableRule' }] });

  expect((await viewOf(ada, quote.uri))?.embed).toMatchObject(detached);
  expect((await viewOf(ada, post.uri))?.viewer?.embeddingDisabled).toBe(true);
  expect((await agent.app.bsky.feed.getQuotes({ uri: post.uri })).data.posts).toEqual([]);
});

/** A post that calls somebody, and who may answer it, in one request. */
async function gated(agent: AtpAgent, { clock }: BlueskyGround, allow: readonly object[], mentioned?: string) {
  const createdAt = at(clock);
  const rkey = '3mzzzzzzzzz22';
  const uri = `at://${didOf(agent)}/app.bsky.feed.post/${rkey}`;
  const facets = mentioned && [
    { index: { byteStart: 0, byteEnd: 4 }, features: [{ $type: 'app.bsky.richtext.facet#mention', did: mentioned }] },
  ];
  const write = (collection: string, value: { readonly [key: string]: unknown }) => ({
    $type: 'com.atproto.repo.applyWrites#create' as const,
    collection,
    rkey,
    value,
  });
  const { data } = await agent.com.atproto.repo.applyWrites({
    repo: didOf(agent),
    writes: [
      write('app.bsky.feed.post', { $type: 'app.bsky.feed.post', text: '@ada what do you think', createdAt, ...(facets && { facets }) }),
      write('app.bsky.feed.threadgate', { $type: 'app.bsky.feed.threadgate', post: uri, allow, createdAt }),
    ],
  });
  const [first] = data.results ?? [];
  if (!first || !('cid' in first)) throw new Error('nothing was written');
  return { uri, cid: String(first.cid) };
}

async function viewOf(agent: AtpAgent, uri: string): Promise<AppBskyFeedDefs.PostView | undefined> {
  return (await agent.getPosts({ uris: [uri] })).data.posts[0];
}

async function answers(agent: AtpAgent, uri: string): Promise<readonly unknown[]> {
  const { thread } = (await agent.getPostThread({ uri })).data;
  if (!AppBskyFeedDefs.isThreadViewPost(thread)) return [];
  return (thread.replies ?? []).map((reply) => (AppBskyFeedDefs.isThreadViewPost(reply) ? reply.post.record['text'] : undefined));
}
