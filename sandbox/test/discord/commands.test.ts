import { Routes, SlashCommandBuilder } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { startDiscordSandbox } from '../../../test/support/discord-sandbox.ts';

const APPLICATION = '1202584131993600002';

const live = new SlashCommandBuilder()
  .setName('live')
  .setDescription('Is somebody live?')
  .addStringOption((option) => option.setName('user').setDescription('Who').setRequired(true).setAutocomplete(true));

describe('commands of the guild', () => {
  test('are replaced as a whole; a command that stays keeps its id', async () => {
    await using discord = await startDiscordSandbox();
    const { commands } = (await discord.login()).guilds.cache.first() ?? {};
    const before = await commands?.set([live, { name: 'ask', description: 'Ask' }]);

    const after = await commands?.set([{ name: 'ask', description: 'Ask something' }]);

    expect(before?.find(({ name }) => name === 'live')?.options).toMatchObject([{ name: 'user', required: true, autocomplete: true }]);
    expect(after?.map(({ name, description }) => [name, description])).toEqual([['ask', 'Ask something']]);
    expect(after?.first()?.id).toBe(before?.find(({ name }) => name === 'ask')?.id);
    expect((await commands?.fetch())?.size).toBe(1);
  });

  test('are separate from global commands', async () => {
    await using discord = await startDiscordSandbox();
    const rest = discord.rest();

    await rest.put(Routes.applicationCommands(APPLICATION), { body: [{ name: 'ask', description: 'Ask' }] });

    expect(await rest.get(Routes.applicationGuildCommands(APPLICATION, discord.guildId))).toEqual([]);
    expect(await rest.get(Routes.applicationCommands(APPLICATION))).toMatchObject([{ name: 'ask', type: 1, dm_permission: true }]);
  });
});

test.for([
  ['a name with capitals', { name: 'Ask', description: 'a' }, 'name[APPLICATION_COMMAND_INVALID_NAME]'],
  ['no description', { name: 'ask' }, 'description[BASE_TYPE_REQUIRED]'],
  [
    'a required option after an optional one',
    {
      name: 'ask',
      description: 'a',
      options: [
        { type: 3, name: 'a', description: 'a' },
        { type: 3, name: 'b', description: 'b', required: true },
      ],
    },
    'options[1][APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID]',
  ],
  [
    'two options of one name',
    {
      name: 'ask',
      description: 'a',
      options: [
        { type: 3, name: 'a', description: 'a' },
        { type: 3, name: 'a', description: 'b' },
      ],
    },
    'options[1][APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS]',
  ],
] as const)('%s is refused', async ([, body, fault]) => {
  await using discord = await startDiscordSandbox();

  const refused = discord.rest().put(Routes.applicationGuildCommands(APPLICATION, discord.guildId), { body: [body] });

  await expect(refused).rejects.toThrow(fault);
});

test('the id of another application is unknown', async () => {
  await using discord = await startDiscordSandbox();

  await expect(discord.rest().get(Routes.applicationCommands('1'))).rejects.toMatchObject({ code: 10_002 });
});
