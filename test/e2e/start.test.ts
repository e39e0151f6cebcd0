import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventually, getJson, launch, temporaryDirectory } from '../support/fanfare-process.ts';

const Deliveries = z.object({
  items: z.array(z.object({ rule: z.string(), do: z.string(), state: z.string(), sentAt: z.iso.datetime().optional() })),
});
const Posts = z.object({ items: z.array(z.object({ text: z.string() })) });
const Messages = z.object({ items: z.array(z.object({ content: z.string(), channel: z.object({ name: z.string() }) })) });

test('npm start, without any account, announces what changes in the world within sixty seconds', { timeout: 90_000 }, async () => {
  await using directory = await temporaryDirectory();
  await using fanfare = await launch({ environment: { FANFARE_DATA: directory.path } });

  const sent = await eventually('an announcement on both platforms', async () => {
    const { items } = Deliveries.parse(await getJson(`${fanfare.url}/api/deliveries?state=sent`));
    const verbs = items.filter(({ rule }) => rule === 'valorant-top').map((item) => item.do);
    return verbs.includes('social.createPost') && verbs.includes('discord.send') && items;
  });
  const posts = Posts.parse(await getJson(`${fanfare.url}/api/posts`));
  const messages = Messages.parse(await getJson(`${fanfare.url}/api/messages`));

  expect(sent.every(({ sentAt }) => sentAt !== undefined)).toBe(true);
  expect(posts.items.some(({ text }) => /is now #[1-5] in VALORANT/.test(text))).toBe(true);
  expect(messages.items.some(({ content, channel }) => channel.name === 'stream-news' && content.startsWith('New in the top five'))).toBe(
    true,
  );
  expect(fanfare.output().match(/http:\/\/\S+/g)).toEqual([fanfare.url]);
});

test('asked to stop, it ends by itself and leaves nothing half done', { timeout: 30_000 }, async () => {
  await using directory = await temporaryDirectory();
  const fanfare = await launch({ environment: { FANFARE_DATA: directory.path } });
  await eventually('the page', () => getJson(`${fanfare.url}/readyz`));

  await fanfare[Symbol.asyncDispose]();

  expect(await fanfare.exit).toBe(0);
});
