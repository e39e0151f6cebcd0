import { expect, test } from 'vitest';
import { openChat, type ChatFixture } from './open-chat.ts';

const MINUTE_MS = 60_000;

/** Creates a forum post as a person, and returns its thread. */
async function post({ discord, clock }: ChatFixture, title: string, more: object = {}): Promise<string> {
  await clock.advance(MINUTE_MS);
  const [, , user] = discord.people;
  const order = { user, channel: 'guides', title, content: `about ${title}`, ...more };
  return (await discord.order<{ id: string }>('/discord/messages', order)).id;
}

async function archive({ discord, clock }: ChatFixture, thread: string): Promise<void> {
  await clock.advance(MINUTE_MS);
  await discord.order('/discord/thread-states', { thread, archived: true });
}

async function titlesOf(
  { chat }: ChatFixture,
  options: { readonly pages?: number | 'all' } = {},
): Promise<readonly (string | undefined)[]> {
  return (await chat.getMessages('guides', { waitTime: 0, ...options })).items.map(({ title }) => title);
}

test.for([
  ['guides', []],
  ['gallery', []],
  ['questions', ['Solved', 'Open']],
] as const)('the first message of a post in #%s has its author, title, channel, thread and tags', async ([channel, tags]) => {
  await using fixture = await openChat();
  const id = await post(fixture, 'How to castle', { channel, tags: [...tags] });
  const { guildId, channelIds, people } = fixture.discord;

  const { items } = await fixture.chat.getMessages(channel);

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
  await using fixture = await openChat();
  await post(fixture, 'One', { channel: 'questions', tags: ['Open'] });
  await fixture.chat.getMessages('questions');

  await post(fixture, 'Two', { channel: 'questions', tags: ['Official'] });

  expect((await fixture.chat.getMessages('questions')).items.map(({ tags }) => tags)).toEqual([['Official'], ['Open']]);
});

test('posts are sorted by creation, newest first, including archived posts', async () => {
  await using fixture = await openChat();
  const threads: string[] = [];
  for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) threads.push(await post(fixture, title));
  for (const index of [4, 0, 2]) await archive(fixture, threads[index] ?? '');
  await fixture.chat.send(threads[1] ?? '', { content: 'An answer is no post' });

  expect(await titlesOf(fixture)).toEqual(['Five', 'Four', 'Three', 'Two', 'One']);
});

test('a post without its first message is left out', async () => {
  await using fixture = await openChat();
  await post(fixture, 'One');
  const gone = await post(fixture, 'Two');
  await post(fixture, 'Three');
  await fixture.discord.order('/discord/removals', { message: gone });

  expect(await titlesOf(fixture)).toEqual(['Three', 'One']);
});

test('newly archived and new posts do not repeat or hide posts in a walk', async () => {
  await using fixture = await openChat();
  const threads: string[] = [];
  for (let number = 0; number < 40; number++) threads.push(await post(fixture, `Post ${number}`));
  for (const thread of threads.slice(0, 20)) await archive(fixture, thread);

  const seen: (string | undefined)[] = [];
  for await (const [, items] of fixture.chat.iterMessages('guides', { pages: 'all', waitTime: 0 })) {
    seen.push(...items.map(({ title }) => title));
    await archive(fixture, threads[39] ?? '');
    await archive(fixture, threads[10] ?? '');
    await post(fixture, 'New');
  }

  expect(seen).toEqual(threads.map((_, number) => `Post ${39 - number}`));
});

test('a page has 25 posts, and its cursor continues after them', async () => {
  await using fixture = await openChat();
  for (let number = 0; number < 30; number++) await post(fixture, `Post ${number}`);

  const first = await fixture.chat.getMessages('guides');
  const second = await fixture.chat.getMessages('guides', { cursor: first.cursor });

  expect(first).toHaveLength(25);
  expect(second.items.map(({ title }) => title)).toEqual(['Post 4', 'Post 3', 'Post 2', 'Post 1', 'Post 0']);
  expect(second.hasNext).toBe(false);
});

test('a missing permission to read the history is an error', async () => {
  await using fixture = await openChat();
  await post(fixture, 'One');
  await fixture.discord.order('/discord/permissions', { channel: 'guides', deny: ['ReadMessageHistory'] });

  await expect(fixture.chat.getMessages('guides')).rejects.toMatchObject({
    fault: 'forbidden',
    message: expect.stringMatching(/^Fanfare does not have the permission Read Message History in #guides/),
  });
});

test('an empty forum has no messages, and a post is read by its thread', async () => {
  await using fixture = await openChat();
  expect(await titlesOf(fixture)).toEqual([]);
  const id = await post(fixture, 'One');
  await fixture.chat.send(id, { content: 'An answer' });

  const { items } = await fixture.chat.getMessages(id);

  expect(items.map(({ content, title }) => [content, title])).toEqual([
    ['An answer', undefined],
    ['about One', undefined],
  ]);
});
