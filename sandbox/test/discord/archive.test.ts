import type { Client, ForumChannel } from 'discord.js';
import { expect, test } from 'vitest';
import { startDiscordSandbox, type DiscordSandbox } from '../../../test/support/discord-sandbox.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';

function forumOf(discord: DiscordSandbox, client: Client): ForumChannel {
  return client.channels.cache.find(({ id }) => id === discord.channelIds.get('guides')) as ForumChannel; // a forum of the plan
}

/** Creates posts and archives some of them in this order. */
async function fill(forum: ForumChannel, titles: readonly string[], archived: readonly string[]): Promise<void> {
  const threads = new Map<string, { setArchived(archived: boolean): Promise<unknown> }>();
  for (const name of titles) threads.set(name, await forum.threads.create({ name, message: { content: name } }));
  for (const name of archived) await threads.get(name)?.setArchived(true);
}

test('archived threads are listed by the time of archiving, page by page', async () => {
  const clock = new ManualClock();
  await using discord = await startDiscordSandbox({ clock });
  const client = await discord.login();
  const forum = forumOf(discord, client);
  // The manual clock does not move, so all times are in one millisecond.
  await fill(forum, ['One', 'Two', 'Three', 'Four', 'Five'], ['Four', 'One', 'Five', 'Two']);

  const all = await forum.threads.fetchArchived();
  const path = `/channels/${forum.id}/threads/archived/public` as const;
  const pages: string[][] = [];
  let before: string | undefined;
  for (let more = true; more;) {
    const query = new URLSearchParams({ limit: '2', ...(before !== undefined && { before }) });
    const page = (await discord.rest().get(path, { query })) as {
      threads: { name: string; thread_metadata: { archive_timestamp: string } }[];
      has_more: boolean;
    };
    pages.push(page.threads.map(({ name }) => name));
    before = page.threads.at(-1)?.thread_metadata.archive_timestamp;
    more = page.has_more;
  }

  expect(all.hasMore).toBe(false);
  expect(all.threads.map(({ name }) => name)).toEqual(['Two', 'Five', 'One', 'Four']);
  expect(pages).toEqual([
    ['Two', 'Five'],
    ['One', 'Four'],
  ]);
});

test.for([
  ['limit=1', 'NUMBER_TYPE_MIN'],
  ['limit=101', 'NUMBER_TYPE_MAX'],
  ['before=yesterday', 'DATE_TIME_TYPE_PARSE'],
] as const)('archived threads are not listed for %s', async ([query, code]) => {
  await using discord = await startDiscordSandbox();

  const refused = await discord.request('GET', `/channels/${discord.channelIds.get('guides')}/threads/archived/public?${query}`);

  expect(refused.status).toBe(400);
  expect(JSON.stringify(await refused.json())).toContain(code);
});

test('a person opens a forum post by its title, and the bot receives the event', async () => {
  await using discord = await startDiscordSandbox();
  const client = await discord.login();
  const [, , user] = discord.people;
  const created = new Promise((resolve) => void client.once('threadCreate', resolve));

  const { id } = await discord.order<{ id: string }>('/discord/messages', {
    user,
    channel: 'questions',
    title: 'Which opening?',
    tags: ['Open'],
    content: 'For a beginner.',
  });

  expect(await created).toMatchObject({ id, name: 'Which opening?', appliedTags: ['1202584131993600020'] });
  expect(await discord.messages('Which opening?')).toMatchObject([{ id, author: user, content: 'For a beginner.' }]);
  await expect(discord.order('/discord/messages', { user, channel: 'questions', content: 'x' })).rejects.toThrow('#questions is a forum');
});
