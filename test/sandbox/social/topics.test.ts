import { expect, test } from 'vitest';
import { SocialAsync } from '#src/social/social.ts';
import { openSocial } from '../../adapters/sandbox/open-social.ts';
import { ALL, publicChatterNow } from '../../support/sandbox-people.ts';

test.for([
  ['Chess', 'Chess'],
  ["Baldur's Gate 3", 'BaldursGate3'],
  ['Games + Demos', 'GamesDemos'],
  ['2048', 'game2048'],
] as const)('the game %s has the topic %s, which counts its posts', async ([game, tag]) => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);

  const topic = await social.getTopic(tag);
  const posts = await social.getTopicPosts(topic, { replies: true, ...ALL });

  const held = publicChatterNow(ground).filter(({ text }) => new RegExp(`#${tag}\\b`).test(text));
  expect(topic).toMatchObject({ id: tag.toLowerCase(), name: `#${tag}`, kind: 'hashtag', description: `All about ${game}.` });
  expect(posts.items.map(({ id }) => id)).toEqual(held.map(({ id }) => id));
  expect(topic.postCount).toBe(held.length);
  expect(held.length).toBeGreaterThan(0);
});

test('a topic is named by its hashtag, its id or its record; replies come only where they are wanted', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const topic = await social.getTopic('speedrun');
  const all = await social.getTopicPosts('speedrun', { replies: true, ...ALL });

  const posts = await Promise.all(['speedrun', '#speedrun', 'SpeedRun', topic].map((form) => social.getTopicPosts(form, ALL)));

  const wanted = all.items.filter(({ replyTo }) => !replyTo);
  expect(all.length).toBe(topic.postCount);
  expect(all.length).toBeGreaterThan(wanted.length);
  for (const { items } of posts) expect(items).toEqual(wanted);
});

test('a hashtag is a topic as soon as somebody writes it', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  await expect(social.getTopic('zanzibar')).rejects.toMatchObject({ fault: 'missing' });
  await expect(social.getTopicPosts('zanzibar')).rejects.toMatchObject({ fault: 'missing' });

  const post = await social.createPost('Off to #Zanzibar');

  expect(await social.getTopic('zanzibar')).toMatchObject({ name: '#zanzibar', postCount: 1 });
  expect((await social.getTopicPosts('zanzibar')).items).toEqual([post]);
});
