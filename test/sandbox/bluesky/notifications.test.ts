import { lexicons, type AtpAgent } from '@atproto/api';
import { expect, test } from 'vitest';
import { didOf, openBluesky } from './open-bluesky.ts';

test('somebody is told of what others did to their posts, once each, and by whom', async () => {
  await using ground = await openBluesky();
  const [agent, ada] = [await ground.signIn(), await ground.signIn('ada')];
  const post = await agent.post({ text: 'news' });
  ground.clock.set(ground.clock.nowMs() + 1000);

  await ada.follow(didOf(agent));
  const like = await ada.like(post.uri, post.cid);
  await ada.repost(post.uri, post.cid);
  const reply = await ada.post({ text: 'nice', reply: { root: post, parent: post }, createdAt: instant(ground.clock.nowMs()) });
  await ada.post({ text: 'see', embed: { $type: 'app.bsky.embed.record', record: post }, createdAt: instant(ground.clock.nowMs()) });
  const features = [{ $type: 'app.bsky.richtext.facet#mention', did: didOf(agent) }];
  const mention = {
    text: '@fanfare',
    facets: [{ index: { byteStart: 0, byteEnd: 8 }, features }],
    createdAt: instant(ground.clock.nowMs()),
  };
  await ada.post({ ...mention, reply: { root: post, parent: post } });

  const { notifications } = (await agent.listNotifications({ limit: 10 })).data;
  const fromAda = notifications.filter(({ author }) => author.did === didOf(ada));
  expect(fromAda.map(({ reason }) => reason).toSorted()).toEqual(['follow', 'like', 'mention', 'quote', 'reply', 'repost']);
  expect(fromAda.find(({ reason }) => reason === 'like')).toMatchObject({ uri: like.uri, reasonSubject: post.uri, isRead: false });
  expect(fromAda.find(({ reason }) => reason === 'reply')).toMatchObject({ uri: reply.uri, record: { text: 'nice' } });
  for (const { record } of notifications) lexicons.assertValidRecord(String(record['$type']), record);
});

test('what was seen is read, and reasons choose', async () => {
  await using ground = await openBluesky();
  const [agent, ada] = [await ground.signIn(), await ground.signIn('ada')];
  const post = await agent.post({ text: 'news' });
  await ada.like(post.uri, post.cid);
  const unread = (await agent.countUnreadNotifications()).data.count;

  await agent.updateSeenNotifications(instant(ground.clock.nowMs()));
  ground.clock.set(ground.clock.nowMs() + 1000);
  await ada.repost(post.uri, post.cid);

  expect(unread).toBeGreaterThan(0);
  expect((await agent.countUnreadNotifications()).data.count).toBe(1);
  const only = await agent.listNotifications({ reasons: ['like', 'repost'] });
  expect(only.data.notifications.map(({ reason, isRead }) => [reason, isRead])).toEqual([
    ['repost', false],
    ['like', true],
  ]);
});

test('whoever asks to hear of somebody whom they follow is told of each of their posts', async () => {
  await using ground = await openBluesky();
  const [agent, ada] = [await ground.signIn(), await ground.signIn('ada')];
  const subscribe = (post: boolean, reply: boolean) =>
    agent.app.bsky.notification.putActivitySubscription({ subject: didOf(ada), activitySubscription: { post, reply } });
  await agent.follow(didOf(ada));
  ground.clock.set(ground.clock.nowMs() + 1000);
  await ada.post({ text: 'before', createdAt: instant(ground.clock.nowMs() - 1) });

  expect((await subscribe(true, false)).data).toMatchObject({ subject: didOf(ada), activitySubscription: { post: true, reply: false } });
  const post = await ada.post({ text: 'after', createdAt: instant(ground.clock.nowMs()) });
  await ada.post({ text: 'answer', reply: { root: post, parent: post }, createdAt: instant(ground.clock.nowMs()) });

  expect(await told(agent)).toEqual(['after']);
  expect((await agent.app.bsky.notification.listActivitySubscriptions()).data.subscriptions.map(({ did }) => did)).toEqual([didOf(ada)]);
  expect((await agent.getProfile({ actor: didOf(ada) })).data.viewer?.activitySubscription).toEqual({ post: true, reply: false });
  await subscribe(false, false);
  expect(await told(agent)).toEqual([]);
});

test('who lets nobody hear of them is not heard', async () => {
  await using ground = await openBluesky();
  const [agent, ada] = [await ground.signIn(), await ground.signIn('ada')];
  await agent.follow(didOf(ada));
  await agent.app.bsky.notification.putActivitySubscription({ subject: didOf(ada), activitySubscription: { post: true, reply: false } });
  const record = { $type: 'app.bsky.notification.declaration', allowSubscriptions: 'none' };

  await ada.com.atproto.repo.putRecord({ repo: didOf(ada), collection: record.$type, rkey: 'self', record });
  await ada.post({ text: 'quiet', createdAt: instant(ground.clock.nowMs()) });

  expect(await told(agent)).toEqual([]);
  const { associated, viewer } = (await agent.getProfile({ actor: didOf(ada) })).data;
  expect([associated?.activitySubscription, viewer?.activitySubscription]).toEqual([{ allowSubscriptions: 'none' }, undefined]);
});

async function told(agent: AtpAgent): Promise<readonly unknown[]> {
  const { notifications } = (await agent.listNotifications({ reasons: ['subscribed-post'] })).data;
  return notifications.map(({ record }) => record['text']);
}

function instant(atMs: number): string {
  return new Date(atMs).toISOString();
}
