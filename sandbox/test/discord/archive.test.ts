import type { Client, ForumChannel } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { startDiscordSandbox, type DiscordSandbox } from '../../../test/support/discord-sandbox.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';

function forumOf(discord: DiscordSandbox, client: Client): ForumChannel {
  return client.channels.cache.find(({ id }) => id === discord.channelIds.get('guides')) as ForumChannel; // as the plan says
}

/** A forum with these posts, and those of them archived in this order. */
async function fill(forum: ForumChannel, titles: readonly string[], archived: readonly string[]): Promise<void> {
  const threads = new Map<string, { setArchived(archived: boolean): Promise<unknown> }>();
  for (const name of titles) threads.set(name, await forum.threads.create({ name, message: { content: name } }));
  for (const name of archived) await threads.get(name)?.setArchived(true);
}

describe('the threads of a forum', () => {
  test('that are in use are listed by discord.js as the active ones, without those of other channels', async () => {
    await using discord = await startDiscordSandbox();
    const client = await discord.login();
    const forum = forumOf(discord, client);
    await fill(forum, ['One', 'Two', 'Three'], ['Two']);
    await discord.rest().post(`/channels/${discord.channelIds.get('live')}/threads`, { body: { name: 'Talk', type: 11 } });

    const { threads } = await forum.threads.fetchActive();

    expect(threads.map(({ name }) => name)).toEqual(['Three', 'One']);
  });

  test('that are archived are listed by when they were, and page by page with the time of the last', async () => {
    const clock = new ManualClock();
    await using discord = await startDiscordSandbox({ clock });
    const client = await discord.login();
    const forum = forumOf(discord, client);
    // All within one millisecond of the sandbox's clock.
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

  test('are paged by discord.js with the thread that it has last', async () => {
    const clock = new ManualClock();
    await using discord = await startDiscordSandbox({ clock });
    const client = await discord.login();
    const forum = forumOf(discord, client);
    for (const name of ['One', 'Two', 'Three']) {
      await fill(forum, [name], [name]);
      await clock.advance(1000);
    }

    const first = await forum.threads.fetchArchived({ limit: 2 });
    const last = first.threads.last();
    const second = await forum.threads.fetchArchived({ limit: 2, ...(last && { before: last }) });

    expect([first.hasMore, second.hasMore]).toEqual([true, false]);
    expect([...first.threads.values(), ...second.threads.values()].map(({ name }) => name)).toEqual(['Three', 'Two', 'One']);
  });

  test('that was opened again is in use again, and archived anew comes first', async () => {
    const clock = new ManualClock();
    await using discord = await startDiscordSandbox({ clock });
    const forum = forumOf(discord, await discord.login());
    await fill(forum, ['One', 'Two'], ['One', 'Two']);
    const one = forum.threads.cache.find(({ name }) => name === 'One');
    await clock.advance(1000);

    await one?.send('Not over yet');
    const meanwhile = await forum.threads.fetchActive();
    await one?.setArchived(true);

    expect(meanwhile.threads.map(({ name }) => name)).toEqual(['One']);
    expect((await forum.threads.fetchArchived()).threads.map(({ name }) => name)).toEqual(['One', 'Two']);
  });

  test.for([
    ['limit=1', 'NUMBER_TYPE_MIN'],
    ['limit=101', 'NUMBER_TYPE_MAX'],
    ['before=yesterday', 'DATE_TIME_TYPE_PARSE'],
  ] as const)('are not listed for %s', async ([query, code]) => {
    await using discord = await startDiscordSandbox();

    const refused = await discord.request('GET', `/channels/${discord.channelIds.get('guides')}/threads/archived/public?${query}`);

    expect(refused.status).toBe(400);
    expect(JSON.stringify(await refused.json())).toContain(code);
  });
});

test('somebody begins a post in a forum by its title, which the bot is told of', async () => {
  await using discord = await startDiscordSandbox();
  const client = await discord.login();
  const [, , user] = discord.people;
  const told = new Promise((resolve) => void client.once('threadCreate', resolve));

  const { id } = await discord.order<{ id: string }>('/discord/messages', {
    user,
    channel: 'questions',
    title: 'Which opening?',
    tags: ['Open'],
    content: 'For a beginner.',
  });

  expect(await told).toMatchObject({ id, name: 'Which opening?', appliedTags: ['1202584131993600020'] });
  expect(await discord.messages('Which opening?')).toMatchObject([{ id, author: user, content: 'For a beginner.' }]);
  await expect(discord.order('/discord/messages', { user, channel: 'questions', content: 'x' })).rejects.toThrow('#questions is a forum');
});
