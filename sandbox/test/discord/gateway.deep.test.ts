import { Events, GatewayIntentBits, type Client } from 'discord.js';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { channelOf, startDiscordSandbox, type DiscordSandbox } from '../../../test/support/discord-sandbox.ts';

const say = (discord: DiscordSandbox, content: string) =>
  discord.order('/discord/messages', { user: discord.people[2], channel: 'general', content });

/** All that a client hears from now on. */
function listen(client: Client): string[] {
  const heard: string[] = [];
  client.on(Events.MessageCreate, ({ content }) => heard.push(content));
  return heard;
}

describe('a client that logs in', () => {
  test('finds the guild with its channels, roles and members, and its own permissions', async () => {
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

  test('can ask for all of it by REST, too', async () => {
    await using discord = await startDiscordSandbox();
    const guild = (await discord.login()).guilds.cache.first();

    const fetched = await guild?.fetch();
    const members = await guild?.members.list({ limit: 3 });
    const found = await guild?.members.fetch({ query: discord.people[1], limit: 1 });

    expect(fetched?.name).toBe('Fanfare Sandbox');
    expect(members?.size).toBe(3);
    expect(found?.first()?.roles.cache.has('1202584131993600003')).toBe(true);
    expect((await guild?.roles.fetch())?.size).toBe(4);
    expect((await guild?.channels.fetch())?.size).toBe(11);
    expect((await guild?.client.application.fetch())?.name).toBe('Fanfare');
  });

  test('with a wrong token is refused', async () => {
    await using discord = await startDiscordSandbox();

    await expect(discord.client().login('wrong')).rejects.toMatchObject({ code: 'TokenInvalid' });
  });

  test('with intents that it was not granted is turned away', async () => {
    await using discord = await startDiscordSandbox();
    await discord.order('/discord/gateway', { do: 'disallow', intents: ['MessageContent'] });

    await expect(discord.login()).rejects.toThrow('Used disallowed intents');
    await discord.login({ intents: [GatewayIntentBits.Guilds] });
  });

  test('without the intent for it reads no content of others, but its own', async () => {
    await using discord = await startDiscordSandbox();
    const client = await discord.login({ intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages] });
    const heard = listen(client);

    await say(discord, 'secret');
    await channelOf(client, 'general').send('own');
    await say(discord, `<@${client.user.id}> for you`);

    await expect.poll(() => heard).toEqual(['', 'own', `<@${client.user.id}> for you`]);
  });

  test('is told only of what it asked for', async () => {
    await using discord = await startDiscordSandbox();
    const deaf = listen(await discord.login({ intents: [GatewayIntentBits.Guilds] }));
    const heard = listen(await discord.login());

    await say(discord, 'hello');

    await expect.poll(() => heard).toEqual(['hello']);
    expect(deaf).toEqual([]);
  });
});

// Side by side: discord.js waits five seconds before it identifies again.
describe.concurrent('a connection', () => {
  test('that drops is resumed, and no event is lost or told twice', async ({ expect }) => {
    await using discord = await startDiscordSandbox();
    const client = await discord.login();
    const heard = listen(client);
    const resumed = once(client, Events.ShardResume);
    await say(discord, '1');
    await expect.poll(() => heard).toEqual(['1']);

    await discord.order('/discord/gateway', { do: 'drop' });
    await say(discord, '2');
    await say(discord, '3');
    const [, replayed] = await resumed;
    await say(discord, '4');

    await expect.poll(() => heard).toEqual(['1', '2', '3', '4']);
    expect(replayed).toBeGreaterThanOrEqual(2);
  });

  test('is resumed when Discord asks for it', async ({ expect }) => {
    await using discord = await startDiscordSandbox();
    const client = await discord.login();
    const heard = listen(client);
    const resumed = once(client, Events.ShardResume);

    await discord.order('/discord/gateway', { do: 'reconnect' });
    await say(discord, 'meanwhile');
    await resumed;

    await expect.poll(() => heard).toEqual(['meanwhile']);
  });

  test('that answers no more is noticed by its missing heartbeats, and resumed', async ({ expect }) => {
    await using discord = await startDiscordSandbox({ heartbeatMs: 100 });
    const client = await discord.login();
    const heard = listen(client);
    const resumed = once(client, Events.ShardResume);

    await discord.order('/discord/gateway', { do: 'zombie' });
    await say(discord, 'unheard');
    await resumed;

    await expect.poll(() => heard).toEqual(['unheard']);
  });

  test('whose session is invalid starts a new one', async ({ expect }) => {
    await using discord = await startDiscordSandbox();
    const client = await discord.login();
    const heard = listen(client);
    const ready = once(client, Events.ShardReady);

    await discord.order('/discord/gateway', { do: 'invalidSession' });
    await ready;
    await say(discord, 'hello');

    await expect.poll(() => heard).toEqual(['hello']);
  });

  test('is one of several, and each hears everything', async ({ expect }) => {
    await using discord = await startDiscordSandbox();
    const heard = [listen(await discord.login()), listen(await discord.login())];

    await say(discord, 'hello');

    await expect.poll(() => heard).toEqual([['hello'], ['hello']]);
    expect(await discord.order('/discord', undefined)).toMatchObject({ connections: 2 });
  });
});
