import { Events, GatewayIntentBits, type Client } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { channelOf, startDiscordSandbox, type DiscordSandbox } from '../../../test/support/discord-sandbox.ts';

const writeMessage = (discord: DiscordSandbox, content: string) =>
  discord.order('/discord/messages', { user: discord.people[2], channel: 'general', content });

/** Collects the messages that a client receives. */
function listen(client: Client): string[] {
  const received: string[] = [];
  client.on(Events.MessageCreate, ({ content }) => received.push(content));
  return received;
}

describe('a client that logs in', () => {
  test('receives the guild with its channels, roles, members and permissions', async () => {
    await using discord = await startDiscordSandbox();

    const client = await discord.login();

    const guild = client.guilds.cache.get(discord.guildId);
    const bot = guild?.members.me;
    expect(client.user.tag).toBe('Fanfare');
    expect(guild).toMatchObject({ name: 'Fanfare Sandbox', memberCount: 9 });
    expect(guild?.channels.cache.map(({ name }) => name)).toEqual([
      'stream-news',
      'live',
      'general',
      'moderators',
      'valorant',
      'puzzles',
      'announcements',
      'guides',
      'questions',
      'gallery',
      'lounge',
    ]);
    expect(guild?.roles.cache.map(({ name }) => name).toSorted()).toEqual(['@everyone', 'Fanfare bot', 'Live', 'Moderator']);
    expect(guild?.members.cache.size).toBe(9);
    expect(guild?.ownerId).toBe(guild?.members.cache.find(({ user }) => user.username === discord.people[0])?.id);
    expect(bot?.permissions.has('SendMessages')).toBe(true);
    expect(bot?.permissions.has('ManageMessages')).toBe(false);
    expect(channelOf(client, 'moderators').permissionsFor(discord.guildId)?.has('ViewChannel')).toBe(false);
  });

  test('can request the same data by REST', async () => {
    await using discord = await startDiscordSandbox();
    const guild = (await discord.login()).guilds.cache.first();

    const fetched = await guild?.fetch();
    const found = await guild?.members.search({ query: discord.people[1], limit: 1 });

    expect(fetched?.name).toBe('Fanfare Sandbox');
    expect(found?.first()?.roles.cache.has('1202584131993600003')).toBe(true);
    expect((await guild?.roles.fetch())?.size).toBe(4);
    expect((await guild?.channels.fetch())?.size).toBe(11);
    expect((await guild?.client.application.fetch())?.name).toBe('Fanfare');
  });

  test('with a wrong token is refused', async () => {
    await using discord = await startDiscordSandbox();

    await expect(discord.client().login('wrong')).rejects.toMatchObject({ code: 'TokenInvalid' });
  });

  test('with disallowed intents is refused', async () => {
    await using discord = await startDiscordSandbox();
    await discord.order('/discord/gateway', { do: 'disallow', intents: ['MessageContent'] });

    await expect(discord.login()).rejects.toThrow('Used disallowed intents');
    await discord.login({ intents: [GatewayIntentBits.Guilds] });
  });

  test('without the intent MessageContent receives only its own content and mentions', async () => {
    await using discord = await startDiscordSandbox();
    const client = await discord.login({ intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages] });
    const received = listen(client);

    await writeMessage(discord, 'secret');
    await channelOf(client, 'general').send('own');
    await writeMessage(discord, `<@${client.user.id}> for you`);

    await expect.poll(() => received).toEqual(['', 'own', `<@${client.user.id}> for you`]);
  });

  test('receives only the events of its intents', async () => {
    await using discord = await startDiscordSandbox();
    const deaf = listen(await discord.login({ intents: [GatewayIntentBits.Guilds] }));
    const received = listen(await discord.login());

    await writeMessage(discord, 'hello');

    await expect.poll(() => received).toEqual(['hello']);
    expect(deaf).toEqual([]);
  });
});

test('several connections each receive all events', async () => {
  await using discord = await startDiscordSandbox();
  const received = [listen(await discord.login()), listen(await discord.login())];

  await writeMessage(discord, 'hello');

  await expect.poll(() => received).toEqual([['hello'], ['hello']]);
  expect(await discord.order('/discord', undefined)).toMatchObject({ connections: 2 });
});

test('discord.js starts its shards within the limits of the gateway, and each shard has its servers', async () => {
  await using discord = await startDiscordSandbox();
  await discord.order('/discord/guild', { guild: 'Berlin Sandbox', hasBot: true });
  await discord.order('/discord/sharding', { shards: 2, maxConcurrency: 1, maxGuildsPerShard: 1 });

  const client = await discord.login({ shards: 'auto' });

  expect(new Set(client.guilds.cache.map(({ shardId }) => shardId))).toEqual(new Set([0, 1]));
  expect(await (await discord.request('GET', '/gateway/bot')).json()).toMatchObject({ session_start_limit: { remaining: 998 } });
});
