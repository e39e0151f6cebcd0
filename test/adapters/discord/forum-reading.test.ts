import { expect, test } from 'vitest';
import { openChat, type ChatGround } from './open-chat.ts';

const MINUTE_MS = 60_000;

/** Creates a forum post as a person, and returns its thread. */
async function post({ discord, clock }: ChatGround, title: string, more: object = {}): Promise<string> {
  await clock.advance(MINUTE_MS);
  const [, , user] = discord.people;
  const order = { user, channel: 'guides', title, content: `about ${title}`, ...more };
  return (await discord.order<{ id: string }>('/discord/messages', order)).id;
}

async function archive({ discord, clock }: ChatGround, thread: string): Promise<void> {
  await clock.advance(MINUTE_MS);
  await discord.order('/discord/thread-states', { thread, archived: true });
}

async function titlesOf({ chat }: ChatGround, options: { readonly pages?: number | 'all' } = {}): Promise<readonly (string | undefined)[]> {
  return (await chat.getMessages('guides', { waitTime: 0, ...options })).items.map(({ title }) => title);
}

test.for([
  ['guides', []],
  ['gallery', []],
  ['questions', ['Solved', 'Open']],
] as const)('the first message of a post in #%s has its author, title, channel, thread and tags', async ([channel, tags]) => {
  await using ground = await openChat();
  const id = await post(ground, 'How to castle', { channel, tags: [...tags] });
  const { guildId, channelIds, people } = ground.discord;

  const { items } = await ground.chat.getMessages(channel);

  expect(items).toMatchObject([
    {
      id: `${id}/${id}`,
      url: `https://discord.com/channels/${guildId}/${id}/${id}`,
      channel: { id: channelIds.get(channel), name: channel },
      author: { handle: people[2] },
      content: 'about How to castle',
      title: 'How to castle',
      tags: [...tags],
      thread: { platform: 'discord', id, name: 'How to castle', url: `https://discord.com/channels/${guildId}/${id}` },
    },
  ]);
});

test('a tag has its current name', async () => {
  await using ground = await openChat();
  await post(ground, 'One', { channel: 'questions', tags: ['Open'] });
  await ground.chat.getMessages('questions');

  await post(ground, 'Two', { channel: 'questions', tags: ['Official'] });

  expect((await ground.chat.getMessages('questions')).items.map(({ tags }) => tags)).toEqual([['Official'], ['Open']]);
});

test('posts are sorted by creation, newest first, including archived posts', async () => {
  await using ground = await openChat();
  const threads: string[] = [];
  for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) threads.push(await post(ground, title));
  for (const index of [4, 0, 2]) await archive(ground, threads[index] ?? '');
  await ground.chat.send(threads[1] ?? '', { content: 'An answer is no post' });

  expect(await titlesOf(ground)).toEqual(['Five', 'Four', 'Three', 'Two', 'One']);
});

test('a post without its first message is left out', async () => {
  await using ground = await openChat();
  await post(ground, 'One');
  const gone = await post(ground, 'Two');
  await post(ground, 'Three');
  await ground.discord.order('/discord/removals', { message: gone });

  expect(await titlesOf(ground)).toEqual(['Three', 'One']);
});

test('newly archived and new posts do not repeat or hide posts in a walk', async () => {
  await using ground = await openChat();
  const threads: string[] = [];
  for (let number = 0; number < 40; number++) threads.push(await post(ground, `Post ${number}`));
  for (const thread of threads.slice(0, 20)) await archive(ground, thread);

  const seen: (string | undefined)[] = [];
  for await (const [, items] of ground.chat.iterMessages('guides', { pages: 'all', waitTime: 0 })) {
    seen.push(...items.map(({ title }) => title));
    await archive(ground, threads[39] ?? '');
    await archive(ground, threads[10] ?? '');
    await post(ground, 'New');
  }

  expect(seen).toEqual(threads.map((_, number) => `Post ${39 - number}`));
});

test('a page has 25 posts, and its cursor continues after them', async () => {
  await using ground = await openChat();
  for (let number = 0; number < 30; number++) await post(ground, `Post ${number}`);

  const first = await ground.chat.getMessages('guides');
  const second = await ground.chat.getMessages('guides', { cursor: first.cursor });

  expect(first).toHaveLength(25);
  expect(second.items.map(({ title }) => title)).toEqual(['Post 4', 'Post 3', 'Post 2', 'Post 1', 'Post 0']);
  expect(second.hasNext).toBe(false);
});

test('a missing permission to read the history is an error', async () => {
  await using ground = await openChat();
  await post(ground, 'One');
  await ground.discord.order('/discord/permissions', { channel: 'guides', deny: ['ReadMessageHistory'] });

  await expect(ground.chat.getMessages('guides')).rejects.toMatchObject({
    fault: 'forbidden',
    message: expect.stringMatching(/^Fanfare does not have the permission Read Message History in #guides/),
  });
});

test('an empty forum has no messages, and a post is read by its thread', async () => {
  await using ground = await openChat();
  expect(await titlesOf(ground)).toEqual([]);
  const id = await post(ground, 'One');
  await ground.chat.send(id, { content: 'An answer' });

  const { items } = await ground.chat.getMessages(id);

  expect(items.map(({ content, title }) => [content, title])).toEqual([
    ['An answer', undefined],
    ['about One', undefined],
  ]);
});
