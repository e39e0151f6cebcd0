import { Events, type Guild } from 'discord.js';
import { expect, test } from 'vitest';
import { startDiscordSandbox, fetch } from '../../../test/support/discord-sandbox.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { join } from 'node:path';
import { once } from 'node:events';

interface Created {
  readonly guild: { readonly id: string; readonly name: string };
  readonly channels: readonly { readonly id: string; readonly name: string }[];
}

test('a person creates a server and invites the bot, which receives it at once', async () => {
  await using discord = await startDiscordSandbox();
  const client = await discord.login();
  const joined = once(client, Events.GuildCreate);

  const created = await discord.order<Created>('/discord/servers', { name: 'Chess Club', owner: discord.people[1], preferredLocale: 'de' });
  const [guild] = (await joined) as [Guild];

  expect(guild).toMatchObject({ id: created.guild.id, name: 'Chess Club', preferredLocale: 'de' });
  expect(guild.systemChannel?.name).toBe('general');
  expect(guild.channels.cache.map(({ id, name }) => ({ id, name }))).toEqual(created.channels);
  const owner = await guild.fetchOwner();
  expect(owner.user.username).toBe(discord.people[1]);
  await guild.systemChannel?.send('Hello');
  expect((await discord.messages(guild.systemChannelId ?? '')).map(({ content }) => content)).toEqual(['Hello']);
});

test('servers that are created at once have different ids, and stay after a restart', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'sandbox.sqlite');
  let before: readonly Created[];
  {
    await using discord = await startDiscordSandbox({ file });
    before = await Promise.all([1, 2, 3].map((number) => discord.order<Created>('/discord/servers', { name: `Server ${number}` })));
    const ids = before.flatMap(({ guild, channels }) => [guild.id, ...channels.map(({ id }) => id)]);
    expect(new Set(ids).size).toBe(ids.length);
    await discord.order('/discord/guild', { guild: 'Server 2', hasBot: false });
  }
  await using discord = await startDiscordSandbox({ file });
  const client = await discord.login();

  expect(new Set(client.guilds.cache.keys())).toEqual(new Set([discord.guildId, before[0]?.guild.id, before[2]?.guild.id]));
});

test('a server can have no system channel, and names of servers are unique', async () => {
  await using discord = await startDiscordSandbox();
  await discord.order('/discord/servers', { name: 'Chess Club' });
  await discord.order('/discord/guild', { guild: 'Chess Club', systemChannel: '' });
  const client = await discord.login();

  expect(client.guilds.cache.find(({ name }) => name === 'Chess Club')?.systemChannelId).toBeNull();
  await expect(discord.order('/discord/servers', { name: 'chess club' })).rejects.toThrow('there is a server chess club');
});

test('the button of the page invites the bot to a new server, but no other site can', async () => {
  await using discord = await startDiscordSandbox();
  const url = `${discord.sandbox.url}/discord/view/servers`;

  const other = await fetch(url, { method: 'POST', headers: { origin: 'https://example.org' }, redirect: 'manual' });
  const own = await fetch(url, { method: 'POST', headers: { origin: discord.sandbox.url } });

  expect([other.status, own.status]).toEqual([403, 200]);
  expect(await own.text()).toContain('Server 3');
});
