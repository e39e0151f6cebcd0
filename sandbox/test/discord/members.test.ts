import { Events } from 'discord.js';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { startDiscordSandbox } from '../../../test/support/discord-sandbox.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

test('a role is added with an event, kept over a restart, and removed', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/sandbox.sqlite`;
  {
    await using discord = await startDiscordSandbox({ file });
    const client = await discord.login();
    const guild = client.guilds.cache.first();
    const member = guild?.members.cache.find(({ user }) => user.username === discord.people[2]);
    const role = guild?.roles.cache.find(({ name }) => name === 'Live');
    const received = once(client, Events.GuildMemberUpdate);

    await member?.roles.add(role ?? '');

    const [, updated] = await received;
    expect(updated.roles.cache.has(role?.id)).toBe(true);
  }
  await using discord = await startDiscordSandbox({ file });
  const guild = (await discord.login()).guilds.cache.first();
  const member = guild?.members.cache.find(({ user }) => user.username === discord.people[2]);
  const role = guild?.roles.cache.find(({ name }) => name === 'Live');

  expect(member?.roles.cache.has(role?.id ?? '')).toBe(true);
  await member?.roles.remove(role ?? '');
  expect((await member?.fetch(true))?.roles.cache.has(role?.id ?? '')).toBe(false);
});

test("roles above the bot's role, managed roles and unknown roles cannot be added", async () => {
  await using discord = await startDiscordSandbox();
  const guild = (await discord.login()).guilds.cache.first();
  const member = guild?.members.cache.find(({ user }) => user.username === discord.people[2]);
  const named = (wanted: string): string => guild?.roles.cache.find(({ name }) => name === wanted)?.id ?? '';

  await expect(member?.roles.add(named('Moderator'))).rejects.toMatchObject({ code: 50_013 });
  await expect(member?.roles.add(named('Fanfare bot'))).rejects.toMatchObject({ code: 50_013 });
  await expect(member?.roles.add('1202584131993600999')).rejects.toMatchObject({ code: 10_011 });
  await expect(discord.rest().put(`/guilds/${discord.guildId}/members/1/roles/${named('Live')}`)).rejects.toMatchObject({ code: 10_007 });
});

test('members are found by the beginning of their names', async () => {
  await using discord = await startDiscordSandbox();
  const guild = (await discord.login()).guilds.cache.first();
  const [, , person] = discord.people;

  const found = await guild?.members.search({ query: person.slice(0, 3).toUpperCase(), limit: 10 });

  expect(found?.map(({ user }) => user.username)).toContain(person);
});

test('members are listed by id in pages, if the application may use the intent', async () => {
  await using discord = await startDiscordSandbox();
  const guild = (await discord.login()).guilds.cache.first();
  const ids: string[] = [];
  for (let size = 4; size === 4;) {
    const page = await guild?.members.list({ limit: 4, after: ids.at(-1) ?? '0', cache: false });
    size = page?.size ?? 0;
    ids.push(...(page?.keys() ?? []));
  }

  expect(ids).toEqual([...(guild?.members.cache.keys() ?? [])].toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)));
  expect(ids).toHaveLength(9);
  await expect(guild?.members.list({ limit: 1001 })).rejects.toMatchObject({ code: 50_035 });

  await discord.order('/discord/gateway', { do: 'disallow', intents: ['GuildMembers'] });
  await expect(guild?.members.list({ limit: 4 })).rejects.toMatchObject({ status: 403, code: 50_001 });
  await expect(guild?.members.search({ query: discord.people[2] })).resolves.toHaveProperty('size', 1);
});
