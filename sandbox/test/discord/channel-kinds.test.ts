import { ChannelType, Events, type ForumChannel, type NewsChannel } from 'discord.js';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { channelOf, startDiscordSandbox, type DiscordSandbox } from '../../../test/support/discord-sandbox.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';

describe('a thread without a message', () => {
  test('starts in a channel, sends an event, and is listed as active', async () => {
    await using discord = await startDiscordSandbox();
    const client = await discord.login();
    const received = once(client, Events.ThreadCreate);

    const thread = await channelOf(client, 'general').threads.create({ name: 'Bets', type: ChannelType.PublicThread });
    await received;
    await thread.send('Ada');

    const active = await client.guilds.cache.first()?.channels.fetchActiveThreads();
    expect(thread).toMatchObject({ name: 'Bets', parentId: discord.channelIds.get('general'), ownerId: client.user.id });
    expect(active?.threads.map(({ name }) => name)).toEqual(['Bets']);
    expect(await discord.messages('Bets')).toMatchObject([{ content: 'Ada' }]);
  });

  test('in a forum begins with a message with the id of the thread; forums accept no other messages', async () => {
    await using discord = await startDiscordSandbox();
    const client = await discord.login();
    const forum = client.channels.cache.find(({ id }) => id === discord.channelIds.get('guides')) as ForumChannel; // a forum of the plan

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
  test('is published once, and only in announcement channels', async () => {
    await using discord = await startDiscordSandbox();
    const client = await discord.login();
    const news = client.channels.cache.find(({ id }) => id === discord.channelIds.get('announcements')) as NewsChannel; // of the plan
    const sent = await news.send('Version 2');
    const elsewhere = await channelOf(client, 'live').send('hello');

    const published = await sent.crosspost();

    // The client changes the message that it has when the gateway reports the change.
    await expect.poll(() => published.flags.has('Crossposted')).toBe(true);
    expect(await discord.messages('announcements')).toMatchObject([{ published: true }]);
    await expect(discord.rest().post(`/channels/${news.id}/messages/${sent.id}/crosspost`)).rejects.toMatchObject({ code: 40_033 });
    await expect(elsewhere.crosspost()).rejects.toMatchObject({ code: 50_024 });
  });
});

describe('a thread that is archived', () => {
  async function archived(discord: DiscordSandbox, more: object = {}): Promise<readonly [thread: string, message: string]> {
    const rest = discord.rest();
    const thread = (await rest.post(`/channels/${discord.channelIds.get('live')}/threads`, { body: { name: 'Talk', type: 11 } })) as {
      id: string;
    }; // a thread of Discord
    const message = (await rest.post(`/channels/${thread.id}/messages`, { body: { content: 'x' } })) as { id: string }; // a message of Discord
    await discord.order('/discord/thread-states', { thread: thread.id, archived: true, ...more });
    return [thread.id, message.id];
  }

  test('is listed as archived, refuses edits, and reopens for a message', async () => {
    await using discord = await startDiscordSandbox();
    const [thread, message] = await archived(discord);
    const rest = discord.rest();
    const listed = () => rest.get(`/channels/${discord.channelIds.get('live')}/threads/archived/public`);

    expect(await listed()).toMatchObject({ threads: [{ id: thread, thread_metadata: { archived: true } }] });
    await expect(rest.patch(`/channels/${thread}/messages/${message}`, { body: { content: 'y' } })).rejects.toMatchObject({ code: 50_083 });
    await rest.post(`/channels/${thread}/messages`, { body: { content: 'y' } });
    expect(await listed()).toMatchObject({ threads: [] });
  });

  test('and locked reopens only for moderators', async () => {
    await using discord = await startDiscordSandbox();
    const [thread] = await archived(discord, { locked: true });
    const rest = discord.rest();

    await expect(rest.post(`/channels/${thread}/messages`, { body: { content: 'y' } })).rejects.toMatchObject({ code: 160_005 });
    await expect(rest.patch(`/channels/${thread}`, { body: { archived: false } })).rejects.toMatchObject({ code: 50_013 });
    await discord.order('/discord/permissions', { channel: 'live', allow: ['ManageThreads'] });
    await rest.patch(`/channels/${thread}`, { body: { archived: false } });
    await rest.post(`/channels/${thread}/messages`, { body: { content: 'y' } });
  });
});

test('a forum that requires tags refuses posts without a tag or with an unknown tag', async () => {
  await using discord = await startDiscordSandbox();
  const path = `/channels/${discord.channelIds.get('questions')}/threads` as const;
  const post = (applied_tags: readonly string[]) =>
    discord.rest().post(path, { body: { name: 'x', message: { content: 'x' }, applied_tags } });

  await expect(post([])).rejects.toMatchObject({ status: 400, code: 40_067 });
  await expect(post(['1'])).rejects.toMatchObject({ code: 50_035 });
  await expect(post(['1202584131993600022'])).rejects.toMatchObject({ code: 50_013 });
  await expect(post(['1202584131993600020'])).resolves.toMatchObject({ applied_tags: ['1202584131993600020'] });
});

test('edits of messages older than an hour are limited', async () => {
  const clock = new ManualClock();
  await using discord = await startDiscordSandbox({ clock });
  const path = `/channels/${discord.channelIds.get('live')}/messages`;
  const { id } = (await (await discord.request('POST', path, { content: 'x' })).json()) as { id: string }; // a message of Discord
  const edit = async () => (await discord.request('PATCH', `${path}/${id}`, { content: 'y' })).status;
  await clock.advance(3_600_000);

  expect([await edit(), await edit(), await edit()]).toEqual([200, 200, 200]);
  const refused = await discord.request('PATCH', `${path}/${id}`, { content: 'y' });
  expect([refused.status, await refused.json()]).toEqual([429, expect.objectContaining({ code: 30_046, retry_after: 20 })]);
  await clock.advance(20_000);
  expect(await edit()).toBe(200);
});
