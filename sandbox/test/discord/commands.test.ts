import { Routes, SlashCommandBuilder } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { startDiscordSandbox } from '../../../test/support/discord-sandbox.ts';

const APPLICATION = '1202584131993600002';

const live = new SlashCommandBuilder()
  .setName('live')
  .setDescription('Is somebody live?')
  .addStringOption((option) => option.setName('user').setDescription('Who').setRequired(true).setAutocomplete(true))
  .addIntegerOption((option) => option.setName('days').setDescription('How far back').setMinValue(1).setMaxValue(30));

describe('commands of the guild', () => {
  test('are registered, read, changed and dropped by discord.js', async () => {
    await using discord = await startDiscordSandbox();
    const { commands } = (await discord.login()).guilds.cache.first() ?? {};

    const created = await commands?.create(live);
    const { version } = created ?? {};
    const changed = await commands?.edit(created?.id ?? '', { description: 'Who is live?' });
    const fetched = await commands?.fetch(created?.id ?? '');
    await commands?.delete(created?.id ?? '');

    expect(created).toMatchObject({ name: 'live', guildId: discord.guildId, version: expect.stringMatching(/^\d+$/) });
    expect(changed).toMatchObject({ id: created?.id, description: 'Who is live?' });
    expect(changed?.version).not.toBe(version);
    expect(fetched?.options).toMatchObject([
      { name: 'user', required: true, autocomplete: true },
      { name: 'days', minValue: 1, maxValue: 30 },
    ]);
    expect((await commands?.fetch())?.size).toBe(0);
  });

  test('are replaced as a whole; what stays keeps its id', async () => {
    await using discord = await startDiscordSandbox();
    const { commands } = (await discord.login()).guilds.cache.first() ?? {};
    const before = await commands?.set([live, { name: 'ask', description: 'Ask' }]);

    const after = await commands?.set([{ name: 'ask', description: 'Ask something' }]);

    expect(after?.map(({ name }) => name)).toEqual(['ask']);
    expect(after?.first()?.id).toBe(before?.find(({ name }) => name === 'ask')?.id);
  });

  test('are apart from those that hold everywhere', async () => {
    await using discord = await startDiscordSandbox();
    const rest = discord.rest();

    await rest.put(Routes.applicationCommands(APPLICATION), { body: [{ name: 'ask', description: 'Ask' }] });

    expect(await rest.get(Routes.applicationGuildCommands(APPLICATION, discord.guildId))).toEqual([]);
    expect(await rest.get(Routes.applicationCommands(APPLICATION))).toMatchObject([{ name: 'ask', type: 1, dm_permission: true }]);
  });
});

test('registering a command that is there answers 200, a new one 201', async () => {
  await using discord = await startDiscordSandbox();
  const post = () =>
    discord.request('POST', Routes.applicationGuildCommands(APPLICATION, discord.guildId), { name: 'ask', description: 'Ask' });

  expect([(await post()).status, (await post()).status]).toEqual([201, 200]);
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

test('an application that is not the bot is unknown', async () => {
  await using discord = await startDiscordSandbox();

  await expect(discord.rest().get(Routes.applicationCommands('1'))).rejects.toMatchObject({ code: 10_002 });
});
