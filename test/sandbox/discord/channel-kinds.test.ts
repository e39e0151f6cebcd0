import { ChannelType, Events, type ForumChannel, type NewsChannel } from 'discord.js';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { channelOf, startDiscordSandbox } from '../../support/discord-sandbox.ts';

describe('a thread without a message', () => {
  test('starts in a channel, is told, and is among the active ones', async () => {
    await using discord = await startDiscordSandbox();
    const client = await discord.login();
    const heard = once(client, Events.ThreadCreate);

    const thread = await channelOf(client, 'general').threads.create({ name: 'Bets', type: ChannelType.PublicThread });
    await heard;
    await thread.send('Ada');

    const active = await client.guilds.cache.first()?.channels.fetchActiveThreads();
    expect(thread).toMatchObject({ name: 'Bets', parentId: discord.channelIds.get('general'), ownerId: client.user.id });
    expect(active?.threads.map(({ name }) => name)).toEqual(['Bets']);
    expect(await discord.messages('Bets')).toMatchObject([{ content: 'Ada' }]);
  });

  test('in a forum begins with a post that has its id, and nothing else can be written there', async () => {
    await using discord = await startDiscordSandbox();
    const client = await discord.login();
    const forum = client.channels.cache.find(({ id }) => id === discord.channelIds.get('guides')) as ForumChannel; // as the plan says

    const thread = await forum.threads.create({ name: 'How to castle', message: { content: 'King and rook' } });

    expect(forum.type).toBe(ChannelType.GuildForum);
    expect(await thread.fetchStarterMessage()).toMatchObject({ id: thread.id, content: 'King and rook' });
    await expect(discord.rest().post(`/channels/${forum.id}/threads`, { body: { name: 'No post' } })).rejects.toMatchObject({
      code: 50_035,
    });
    await expect(discord.rest().post(`/channels/${forum.id}/messages`, { body: { content: 'x' } })).rejects.toMatchObject({ code: 50_008 });
  });
});

describe('an announcement', () => {
  test('is published once, and only where there are announcements', async () => {
    await using discord = await startDiscordSandbox();
    const client = await discord.login();
    const news = client.channels.cache.find(({ id }) => id === discord.channelIds.get('announcements')) as NewsChannel; // as the plan says
    const sent = await news.send('Version 2');
    const elsewhere = await channelOf(client, 'live').send('hello');

    const published = await sent.crosspost();

    expect(published.flags.has('Crossposted')).toBe(true);
    expect(await discord.messages('announcements')).toMatchObject([{ published: true }]);
    await expect(discord.rest().post(`/channels/${news.id}/messages/${sent.id}/crosspost`)).rejects.toMatchObject({ code: 40_033 });
    await expect(elsewhere.crosspost()).rejects.toMatchObject({ code: 50_024 });
  });
});
