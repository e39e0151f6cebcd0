import { Events, Routes, type AutocompleteInteraction, type ChatInputCommandInteraction, type Interaction } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { startDiscordSandbox, type DiscordSandbox } from '../../../test/support/discord-sandbox.ts';

const APPLICATION = '1202584131993600002';
const { String: TEXT, Subcommand: SUBCOMMAND } = { String: 3, Subcommand: 1 };

const game = {
  name: 'game',
  name_localizations: { de: 'spiel' },
  description: 'Games',
  description_localizations: { de: 'Spiele' },
  options: [
    {
      type: SUBCOMMAND,
      name: 'clips',
      name_localizations: { de: 'ausschnitte' },
      description: 'Clips',
      description_localizations: { de: 'Ausschnitte' },
      options: [
        { type: TEXT, name: 'game', name_localizations: { de: 'spiel' }, description: 'Which', required: true, autocomplete: true },
        {
          type: TEXT,
          name: 'time',
          name_localizations: { de: 'zeitraum' },
          description: 'Since when',
          choices: [
            { name: 'today', name_localizations: { de: 'heute' }, value: 'day' },
            { name: 'ever', value: 'all' },
          ],
        },
      ],
    },
  ],
};

/** A bot with `/game clips`. Returns its interactions. */
async function withGame(discord: DiscordSandbox): Promise<readonly Interaction[]> {
  const received: Interaction[] = [];
  const client = await discord.login();
  await client.rest.put(Routes.applicationGuildCommands(client.application.id, discord.guildId), { body: [game] });
  client.on(Events.InteractionCreate, (interaction) => {
    received.push(interaction);
    if (interaction.isAutocomplete()) void interaction.respond([]);
    else if (interaction.isChatInputCommand()) void interaction.reply('Here you are');
  });
  return received;
}

describe('a person with German as language', () => {
  test('enters German names; the bot receives the default names and both languages', async () => {
    await using discord = await startDiscordSandbox();
    const received = await withGame(discord);
    await discord.order('/discord/guild', { preferredLocale: 'de' });

    const options = { spiel: 'Chess', zeitraum: 'heute' };
    await discord.interact({ user: discord.people[0], channel: 'general', locale: 'de', command: 'spiel ausschnitte', options });

    const [command] = received as [ChatInputCommandInteraction];
    expect([command.commandName, command.options.getSubcommand()]).toEqual(['game', 'clips']);
    expect([command.options.getString('game'), command.options.getString('time')]).toEqual(['Chess', 'day']);
    expect([command.locale, command.guildLocale]).toEqual(['de', 'de']);
  });

  test('completes an option by its German name', async () => {
    await using discord = await startDiscordSandbox();
    const received = await withGame(discord);

    const typing = { command: 'spiel ausschnitte', options: { spiel: 'Ch' }, autocomplete: true, focused: 'spiel' };
    await discord.interact({ user: discord.people[0], channel: 'general', locale: 'de', ...typing });

    const [completion] = received as [AutocompleteInteraction];
    expect(completion.options.getFocused(true)).toMatchObject({ name: 'game', value: 'Ch' });
  });

  test('can also enter the default names; German names do not work in other languages', async () => {
    await using discord = await startDiscordSandbox();
    const received = await withGame(discord);
    const order = { user: discord.people[0], channel: 'general' };

    await discord.interact({ ...order, locale: 'de', command: 'game clips', options: { game: 'Chess', time: 'ever' } });
    const english = discord.interact({ ...order, locale: 'fr', command: 'spiel clips', options: { game: 'Chess' } });

    await expect(english).rejects.toThrow('unknown command');
    expect(received).toHaveLength(1);
  });
});

test("a change of the guild's language sends GUILD_UPDATE", async () => {
  await using discord = await startDiscordSandbox();
  const client = await discord.login();
  const changed = new Promise<string>((resolve) => client.on(Events.GuildUpdate, (_, { preferredLocale }) => resolve(preferredLocale)));

  await discord.order('/discord/guild', { preferredLocale: 'de' });

  expect(await changed).toBe('de');
  expect(await client.rest.get(Routes.guild(discord.guildId))).toMatchObject({ preferred_locale: 'de' });
});

describe('a name in another language', () => {
  const put = async (discord: DiscordSandbox, ...commands: readonly object[]): Promise<unknown> =>
    (await discord.request('PUT', Routes.applicationGuildCommands(APPLICATION, discord.guildId), commands)).json();
  const command = { name: 'look', description: 'Look' };

  test.for([
    ['with a capital letter', { name_localizations: { de: 'Schau' } }, /name_localizations.*de.*APPLICATION_COMMAND_INVALID_NAME/],
    ['with a space', { name_localizations: { de: 'schau hin' } }, /APPLICATION_COMMAND_INVALID_NAME/],
    ['that is too long', { name_localizations: { de: 'x'.repeat(33) } }, /name_localizations.*de/],
    ['in an unknown language', { name_localizations: { xx: 'schau' } }, /name_localizations/],
    ['with a description that is too long', { description_localizations: { de: 'x'.repeat(101) } }, /description_localizations.*de/],
  ] as const)('%s is refused', async ([, localizations, refusal]) => {
    await using discord = await startDiscordSandbox();

    expect(JSON.stringify(await put(discord, { ...command, ...localizations }))).toMatch(refusal);
  });

  test('that equals the name of another command is refused', async () => {
    await using discord = await startDiscordSandbox();

    const answer = await put(discord, { ...command, name_localizations: { de: 'los' } }, { name: 'los', description: 'Go' });

    expect(JSON.stringify(answer)).toContain('APPLICATION_COMMANDS_DUPLICATE_NAME');
  });

  test('is sent only on request', async () => {
    await using discord = await startDiscordSandbox();
    await put(discord, game);
    const read = async (query: string): Promise<string> =>
      (await discord.request('GET', `/applications/${APPLICATION}/guilds/${discord.guildId}/commands${query}`)).text();

    expect(await read('')).not.toContain('spiel');
    expect(await read('?with_localizations=true')).toContain('"name_localizations":{"de":"heute"}');
  });
});
