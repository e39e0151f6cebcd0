import { Events, type Client, type Guild } from 'discord.js';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { fetch, startDiscordSandbox, type DiscordSandbox } from '../../../test/support/discord-sandbox.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

const BERLIN = 'Berlin Sandbox';

interface Described {
  readonly guild: { readonly id: string; readonly name: string };
  readonly channels: readonly { readonly id: string; readonly name: string }[];
  readonly roles: readonly { readonly id: string; readonly name: string }[];
  readonly members: readonly { readonly username: string; readonly bot: boolean }[];
  readonly commands: readonly { readonly name: string }[];
  readonly guilds: readonly { readonly id: string; readonly name: string; readonly hasBot: boolean }[];
}

function describedIn(discord: DiscordSandbox, guild: string): Promise<Described> {
  return discord.order(`/discord?guild=${encodeURIComponent(guild)}`, undefined);
}

async function invite(discord: DiscordSandbox): Promise<Described> {
  await discord.order('/discord/guild', { guild: BERLIN, hasBot: true });
  return describedIn(discord, BERLIN);
}

function guildOf(client: Client, name: string): Guild {
  const guild = client.guilds.cache.find((each) => each.name === name);
  if (!guild) throw new Error(`the client knows no ${name}`);
  return guild;
}

test('a client sees only the first guild by default', async () => {
  await using discord = await startDiscordSandbox();
  const client = await discord.login();

  const view = await (await fetch(`${discord.sandbox.url}/discord/view/general`)).text();

  expect(client.guilds.cache.map(({ id }) => id)).toEqual([discord.guildId]);
  expect(await discord.rest().get('/users/@me/guilds')).toHaveLength(1);
  expect(view).not.toContain(BERLIN);
});

test('the first request for the second guild adds the bot and sends GUILD_CREATE', async () => {
  await using discord = await startDiscordSandbox();
  const client = await discord.login();
  const { guild } = await describedIn(discord, BERLIN);
  const event = once(client, Events.GuildCreate);

  await discord.rest().get(`/guilds/${guild.id}/channels`);
  await event;

  expect(guildOf(client, BERLIN)).toMatchObject({ id: guild.id, preferredLocale: 'de', memberCount: 6 });
  expect((await describedIn(discord, BERLIN)).guilds.map(({ hasBot }) => hasBot)).toEqual([true, true]);
});

test('both guilds have separate channels, roles and members with the same names', async () => {
  await using discord = await startDiscordSandbox();
  const berlin = await invite(discord);
  const client = await discord.login();
  const here = await describedIn(discord, discord.guildId);
  const [first, second] = [guildOf(client, here.guild.name), guildOf(client, BERLIN)];
  const idsIn = (things: Described['channels']): ReadonlySet<string> => new Set(things.map(({ id }) => id));
  const liveIn = (guild: Guild): string | undefined => guild.channels.cache.find(({ name }) => name === 'live')?.id;

  expect(idsIn(here.channels).isDisjointFrom(idsIn(berlin.channels))).toBe(true);
  expect(idsIn(here.roles).isDisjointFrom(idsIn(berlin.roles))).toBe(true);
  expect(liveIn(first)).not.toBe(liveIn(second));
  expect([...second.channels.cache.keys()].toSorted()).toEqual([...idsIn(berlin.channels)].toSorted());
  expect(second.roles.cache.map(({ name }) => name).toSorted()).toEqual(['@everyone', 'Fanfare bot', 'Live', 'Moderator']);
  expect(first.ownerId).not.toBe(second.ownerId);
  await expect(discord.rest().get(`/guilds/${second.id}/members/${first.ownerId}`)).resolves.toMatchObject({ roles: [] });
});

test('a message event has the guild and the member of this guild', async () => {
  await using discord = await startDiscordSandbox();
  const { members } = await invite(discord);
  const client = await discord.login();
  const event = once(client, Events.MessageCreate);
  const [user = ''] = members.filter(({ bot }) => !bot).map(({ username }) => username);

  const { id } = await discord.order<{ id: string }>('/discord/messages', { guild: BERLIN, user, channel: 'live', content: 'Hallo' });
  const [message] = await event;

  expect(message).toMatchObject({ id, content: 'Hallo', guild: { name: BERLIN }, channel: { name: 'live' } });
  expect(message.member.permissions.has('ManageGuild')).toBe(true);
  expect((await discord.order<{ items: unknown[] }>('/messages?channel=live', undefined)).items).toEqual([]);
  expect(await discord.order('/messages?channel=live&guild=Berlin%20Sandbox', undefined)).toMatchObject({ items: [{ id, guild: BERLIN }] });
});

test('commands of a guild are available only there, and an interaction has its guild', async () => {
  await using discord = await startDiscordSandbox();
  const { guild, members } = await invite(discord);
  const client = await discord.login();
  await client.application.commands.set([{ name: 'hallo', description: 'Sagt hallo' }], guild.id);
  client.on(Events.InteractionCreate, (interaction) => {
    if (interaction.isChatInputCommand()) void interaction.reply(`${interaction.guild?.name} ${interaction.guildLocale}`);
  });
  const user = members.find(({ bot }) => !bot)?.username;

  const answered = await discord.interact({ guild: BERLIN, user, channel: 'general', command: 'hallo' });

  expect(answered.message).toMatchObject({ content: 'Berlin Sandbox de', guild: BERLIN, channel: { name: 'general' } });
  await expect(discord.interact({ user: discord.people[0], channel: 'general', command: 'hallo' })).rejects.toThrow('unknown command');
  expect((await describedIn(discord, discord.guildId)).commands).toEqual([]);
});

test('the owner of one guild has no permissions in the other, and some members are in one guild only', async () => {
  await using discord = await startDiscordSandbox();
  const { members, channels } = await invite(discord);
  const here = await describedIn(discord, discord.guildId);
  const [owner] = discord.people;
  const hidden = channels.find(({ name }) => name === 'moderators')?.id;
  const only = members.find(({ username }) => !here.members.some((member) => member.username === username))?.username;

  const asked = discord.order('/discord/messages', { user: owner, channel: hidden, content: 'I am the owner elsewhere' });

  await expect(asked).rejects.toThrow('may not do this in #moderators');
  expect(only).toBeDefined();
  await expect(discord.order('/discord/messages', { user: only, channel: 'general', content: 'x' })).rejects.toThrow(
    'user: unknown member',
  );
  await expect(discord.order('/discord?guild=Paris', undefined)).rejects.toThrow('guild: unknown server \\"Paris\\"');
});

test('a removed bot receives GUILD_DELETE and loses access until it is added again', async () => {
  await using discord = await startDiscordSandbox();
  const { guild, channels, members } = await invite(discord);
  const client = await discord.login();
  await client.application.commands.set([{ name: 'hallo', description: 'Sagt hallo' }], guild.id);
  const live = channels.find(({ name }) => name === 'live')?.id ?? '';
  const user = members.find(({ bot }) => !bot)?.username;
  const out = once(client, Events.GuildDelete);

  await discord.order('/discord/guild', { guild: BERLIN, hasBot: false });
  await out;

  const rest = discord.rest();
  expect(client.guilds.cache.map(({ id }) => id)).toEqual([discord.guildId]);
  await expect(rest.get(`/guilds/${guild.id}`)).rejects.toMatchObject({ status: 404, code: 10_004 });
  await expect(rest.get(`/guilds/${guild.id}/channels`)).rejects.toMatchObject({ status: 403, code: 50_001 });
  await expect(rest.post(`/channels/${live}/messages`, { body: { content: 'x' } })).rejects.toMatchObject({ status: 403, code: 50_001 });
  await expect(rest.get(`/applications/${client.user.id}/guilds/${guild.id}/commands`)).rejects.toMatchObject({ code: 50_001 });
  await expect(discord.interact({ guild: BERLIN, user, channel: 'general', command: 'hallo' })).rejects.toThrow(
    'the bot is not a member of',
  );
  await expect(rest.get(`/guilds/${discord.guildId}/channels`)).resolves.toBeDefined();

  const back = once(client, Events.GuildCreate);
  await discord.order('/discord/guild', { guild: BERLIN, hasBot: true });
  await back;
  await expect(rest.post(`/channels/${live}/messages`, { body: { content: 'x' } })).resolves.toBeDefined();
  await expect(rest.get(`/applications/${client.user.id}/guilds/${guild.id}/commands`)).resolves.toEqual([]);
});

test('each guild has its own shard, and each shard receives only the events of its guild', async () => {
  await using discord = await startDiscordSandbox({ shards: 2 });
  const { guild, channels, members } = await invite(discord);
  const [user] = members.filter(({ bot }) => !bot).map(({ username }) => username);
  const client = await discord.login({ shards: 'auto' });
  const event = once(client, Events.MessageCreate);

  await discord.order('/discord/messages', { user, channel: channels.find(({ name }) => name === 'live')?.id, content: 'Hallo' });
  const [message] = await event;

  const shardOf = (id: string): number | undefined => client.guilds.cache.get(id)?.shardId;
  expect(new Set([shardOf(guild.id), shardOf(discord.guildId)])).toEqual(new Set([0, 1]));
  expect(message.guild.shardId).toBe(shardOf(guild.id));
});

test('a restart keeps the threads and the membership of the second guild', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/sandbox.sqlite`;
  {
    await using discord = await startDiscordSandbox({ file });
    const { channels } = await invite(discord);
    const live = channels.find(({ name }) => name === 'live')?.id;
    await discord.rest().post(`/channels/${live}/threads`, { body: { name: 'Wetten', type: 11 } });
  }
  await using discord = await startDiscordSandbox({ file });
  const client = await discord.login();

  expect(guildOf(client, BERLIN).channels.cache.some(({ name }) => name === 'Wetten')).toBe(true);
  expect((await describedIn(discord, discord.guildId)).channels.some(({ name }) => name === 'Wetten')).toBe(false);
});

test('the page of a channel of the second guild shows its members and channels, and links to both guilds', async () => {
  await using discord = await startDiscordSandbox();
  const { members } = await invite(discord);
  const [user] = members.filter(({ bot }) => !bot).map(({ username }) => username);
  await discord.order('/discord/messages', { guild: BERLIN, user, channel: 'live', content: 'Hallo aus Berlin' });

  const there = await (await fetch(`${discord.sandbox.url}/discord/view/live?guild=Berlin%20Sandbox`)).text();
  const here = await (await fetch(`${discord.sandbox.url}/discord/view/live`)).text();

  expect(there).toContain('Hallo aus Berlin');
  expect(there).toContain('Fanfare Sandbox</a>');
  expect(here).not.toContain('Hallo aus Berlin');
  expect(here).toContain('Berlin Sandbox</a>');
});

test('an order adds roles and channels to a guild, and sends their events', async () => {
  await using discord = await startDiscordSandbox();
  const client = await discord.login();
  const {
    guild: { name },
    roles,
    channels,
  } = await describedIn(discord, 'Fanfare Sandbox');
  const added = Promise.all([once(client, Events.GuildRoleCreate), once(client, Events.ChannelCreate)]);

  const grown = await discord.order('/discord/growth', { guild: name, roles: 2, channels: 3 });
  await added;

  expect(grown).toEqual({ roles: roles.length + 2, channels: channels.length + 3 });
  const after = await describedIn(discord, name);
  expect(new Set(after.roles.map((role) => role.name)).size).toBe(roles.length + 2);
  expect(new Set(after.channels.map((channel) => channel.name)).size).toBe(channels.length + 3);
});
