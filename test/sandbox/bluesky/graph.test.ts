import type { AtpAgent } from '@atproto/api';
import { expect, test } from 'vitest';
import { at, didOf, openBluesky } from './open-bluesky.ts';

test('a follow is a record, and both profiles tell of it until it is deleted', async () => {
  await using ground = await openBluesky();
  const [agent, ada] = [await ground.signIn(), await ground.signIn('ada')];

  const { uri } = await agent.follow(didOf(ada));
  await agent.follow(didOf(ada));

  const seen = (await agent.getProfile({ actor: 'ada.sandbox.test' })).data;
  const followers = (await agent.getFollowers({ actor: didOf(ada) })).data.followers;
  const records = await agent.com.atproto.repo.listRecords({ repo: didOf(agent), collection: 'app.bsky.graph.follow' });
  expect(followers.filter(({ did }) => did === didOf(agent))).toHaveLength(1);
  // The second one took the place of the first.
  expect(records.data.records).toHaveLength(1);
  expect(seen.viewer?.following).toBe(records.data.records[0]?.uri);
  expect(seen.viewer?.following).not.toBe(uri);
  expect((await ada.getProfile({ actor: didOf(agent) })).data.viewer?.followedBy).toBe(seen.viewer?.following);

  await agent.deleteFollow(seen.viewer?.following ?? '');

  expect((await agent.getProfile({ actor: didOf(ada) })).data.viewer?.following).toBeUndefined();
});

test('what people followed by themselves can be taken back by them', async () => {
  await using ground = await openBluesky();
  const ada = await ground.signIn('ada');
  const before = (await ada.getFollows({ actor: didOf(ada), limit: 100 })).data.follows;
  const [first] = before;

  await ada.deleteFollow(first?.viewer?.following ?? '');

  const after = (await ada.getFollows({ actor: didOf(ada), limit: 100 })).data.follows;
  expect(after).toHaveLength(before.length - 1);
  expect(after.map(({ did }) => did)).not.toContain(first?.did);
});

test('what people wrote by themselves they cannot take back', async () => {
  await using ground = await openBluesky();
  const ada = await ground.signIn('ada');
  const [item] = (await ada.getAuthorFeed({ actor: didOf(ada) })).data.feed.filter(({ reason }) => reason === undefined);

  await expect(ada.deletePost(item?.post.uri ?? '')).rejects.toMatchObject({ status: 400, error: 'InvalidRequest' });
  expect((await ada.getPosts({ uris: [item?.post.uri ?? ''] })).data.posts).toHaveLength(1);
});

test('a walk through followers gives all of them, each once', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const dids: string[] = [];
  let cursor: string | undefined;
  do {
    const { data } = await agent.getFollowers({ actor: 'ada.sandbox.test', limit: 10, ...(cursor !== undefined && { cursor }) });
    dids.push(...data.followers.map(({ did }) => did));
    cursor = data.cursor;
  } while (cursor !== undefined);

  expect(new Set(dids).size).toBe(dids.length);
  expect(dids).toHaveLength((await agent.getProfile({ actor: 'ada.sandbox.test' })).data.followersCount ?? 0);
});

test('of the followers of somebody those are known whom one follows', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const [follower] = (await agent.getFollowers({ actor: 'ada.sandbox.test' })).data.followers;

  await agent.follow(follower?.did ?? '');

  const { data } = await agent.app.bsky.graph.getKnownFollowers({ actor: 'ada.sandbox.test' });
  expect(data.followers.map(({ did }) => did)).toEqual([follower?.did]);
  expect((await agent.getProfile({ actor: 'ada.sandbox.test' })).data.viewer?.knownFollowers).toMatchObject({ count: 1 });
  const { relationships } = (
    await agent.app.bsky.graph.getRelationships({ actor: didOf(agent), others: [follower?.did ?? '', 'nobody.test'] })
  ).data;
  expect(relationships).toMatchObject([
    { did: follower?.did, following: expect.any(String) },
    { actor: 'nobody.test', notFound: true },
  ]);
});

test('a block hides each from the other, and a follow stands again when it ends', async () => {
  await using ground = await openBluesky();
  const [agent, ada] = [await ground.signIn(), await ground.signIn('ada')];
  await agent.follow(didOf(ada));
  const post = await ada.post({ text: 'hello' });
  const answer = await agent.post({ text: 'hi', reply: { root: post, parent: post } });
  const block = await agent.app.bsky.graph.block.create({ repo: didOf(agent) }, { subject: didOf(ada), createdAt: at(ground.clock) });

  expect((await agent.app.bsky.graph.getBlocks()).data.blocks).toMatchObject([{ did: didOf(ada), viewer: { blocking: block.uri } }]);
  expect((await ada.getProfile({ actor: didOf(agent) })).data.viewer).toMatchObject({ blockedBy: true });
  expect((await agent.getPosts({ uris: [post.uri] })).data.posts).toEqual([]);
  expect((await agent.getPostThread({ uri: post.uri })).data.thread).toMatchObject({ blocked: true, author: { did: didOf(ada) } });
  expect((await agent.getPostThread({ uri: answer.uri })).data.thread).toMatchObject({ parent: { blocked: true } });
  await expect(agent.getAuthorFeed({ actor: didOf(ada) })).rejects.toMatchObject({ status: 400, error: 'BlockedActor' });
  await expect(ada.getAuthorFeed({ actor: didOf(agent) })).rejects.toMatchObject({ status: 400, error: 'BlockedByActor' });

  await agent.com.atproto.repo.deleteRecord({
    repo: didOf(agent),
    collection: 'app.bsky.graph.block',
    rkey: block.uri.split('/').at(-1) ?? '',
  });

  expect((await agent.getProfile({ actor: didOf(ada) })).data.viewer?.following).toEqual(expect.any(String));
  expect((await agent.getPosts({ uris: [post.uri] })).data.posts).toHaveLength(1);
});

test('a list has who was put on it, its own feed, and goes with its items', async () => {
  await using ground = await openBluesky();
  const [agent, ada] = [await ground.signIn(), await ground.signIn('ada')];
  const post = await ada.post({ text: 'from the list', createdAt: at(ground.clock) });
  const list = await made(agent, 'Streamers', at(ground.clock));
  const item = await agent.app.bsky.graph.listitem.create(
    { repo: didOf(agent) },
    { list, subject: didOf(ada), createdAt: at(ground.clock) },
  );

  const seen = (await ada.app.bsky.graph.getList({ list })).data;
  const { listsWithMembership } = (await agent.app.bsky.graph.getListsWithMembership({ actor: didOf(ada) })).data;
  expect(seen).toMatchObject({ list: { name: 'Streamers', listItemCount: 1, creator: { did: didOf(agent) } } });
  expect(seen.items).toMatchObject([{ uri: item.uri, subject: { did: didOf(ada) } }]);
  expect(listsWithMembership).toMatchObject([{ list: { uri: list }, listItem: { uri: item.uri } }]);
  expect((await agent.app.bsky.feed.getListFeed({ list, limit: 1 })).data.feed[0]?.post.uri).toBe(post.uri);

  const gone = [item.uri, list].map((uri) => {
    const [, , , collection = '', rkey = ''] = uri.split('/');
    return { $type: 'com.atproto.repo.applyWrites#delete' as const, collection, rkey };
  });
  await agent.com.atproto.repo.applyWrites({ repo: didOf(agent), writes: gone });

  expect((await agent.app.bsky.graph.getLists({ actor: didOf(agent) })).data.lists).toEqual([]);
  await expect(agent.app.bsky.feed.getListFeed({ list })).rejects.toMatchObject({ error: 'UnknownList' });
});

test('somebody is found by what they are called, and suggested until they are followed', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();

  const [suggested] = (await agent.getSuggestions()).data.actors;
  await agent.follow(suggested?.did ?? '');

  expect((await agent.searchActors({ q: 'ada' })).data.actors.map(({ handle }) => handle)).toContain('ada.sandbox.test');
  expect((await agent.searchActors({ q: 'linus.sandbox.test' })).data.actors[0]?.handle).toBe('linus.sandbox.test');
  expect((await agent.getSuggestions()).data.actors.map(({ did }) => did)).not.toContain(suggested?.did);
  const { profiles } = (await agent.getProfiles({ actors: ['ada.sandbox.test', 'nobody.sandbox.test'] })).data;
  expect(profiles.map(({ handle }) => handle)).toEqual(['ada.sandbox.test']);
  await expect(agent.getProfile({ actor: 'nobody.sandbox.test' })).rejects.toMatchObject({ status: 400, message: 'Profile not found' });
  await ground.order('takedown', { user: 'linus' });
  await expect(agent.getProfile({ actor: 'linus.sandbox.test' })).rejects.toMatchObject({ status: 400, error: 'AccountTakedown' });
});

async function made(agent: AtpAgent, name: string, createdAt: string): Promise<string> {
  const list = { name, purpose: 'app.bsky.graph.defs#curatelist', createdAt };
  return (await agent.app.bsky.graph.list.create({ repo: didOf(agent) }, list)).uri;
}
