import { ComponentType, ActionRowBuilder, ButtonBuilder, ButtonStyle, MessageFlags, StringSelectMenuBuilder } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { loginWith } from '../../../test/support/discord-commands.ts';
import { startDiscordSandbox } from '../../../test/support/discord-sandbox.ts';

const button = (label: string) =>
  new ActionRowBuilder<ButtonBuilder>().addComponents(new ButtonBuilder().setCustomId(label).setLabel(label).setStyle(ButtonStyle.Primary));

describe('components', () => {
  test('a click on a button edits its message', async () => {
    await using discord = await startDiscordSandbox();
    await loginWith(discord, (interaction) => {
      if (interaction.isButton()) return interaction.update({ content: `${interaction.user.username} sent`, components: [] });
      return interaction.isChatInputCommand() && interaction.reply({ content: 'click', components: [button('send')] });
    });
    const [, user, other] = discord.people;
    const { message } = await discord.interact({ user, channel: 'moderators', command: 'go' });

    await expect(discord.interact({ user, message: message?.id, click: 'drop' })).rejects.toThrow(
      'click: unknown button \\"drop\\". Allowed: send',
    );
    const result = await discord.interact({ user, message: message?.id, click: 'send' });

    expect(result).toMatchObject({
      outcome: 'update',
      message: { id: message?.id, content: `${user} sent`, history: [{ content: 'click' }] },
    });
    await expect(discord.interact({ user, message: message?.id, customId: 'send' })).rejects.toThrow(
      'customId: unknown component \\"send\\"',
    );
    await expect(discord.interact({ user: other, message: message?.id, customId: 'send' })).rejects.toThrow('may not do this');
  });

  test('the answer to a click has what the bot shows after a silent acknowledgement', async () => {
    await using discord = await startDiscordSandbox();
    await loginWith(discord, async (interaction) => {
      if (interaction.isChatInputCommand()) await interaction.reply({ content: 'click', components: [button('edit'), button('write')] });
      if (!interaction.isButton()) return;
      await interaction.deferUpdate();
      // Work that takes a while.
      for (let request = 0; request < 5; request++) await interaction.fetchReply();
      await (interaction.customId === 'edit' ? interaction.editReply('done') : interaction.followUp('done'));
    });
    const user = discord.people[2];
    const { message } = await discord.interact({ user, channel: 'general', command: 'go' });

    const written = await discord.interact({ user, message: message?.id, click: 'write' });
    const edited = await discord.interact({ user, message: message?.id, click: 'edit' });

    expect(written).toMatchObject({ outcome: 'update', deferred: true, message: { content: 'click' }, followUps: [{ content: 'done' }] });
    expect(edited).toMatchObject({ outcome: 'update', deferred: true, message: { content: 'done' }, followUps: [] });
  });

  test('a select sends the chosen values', async () => {
    await using discord = await startDiscordSandbox();
    const select = new StringSelectMenuBuilder()
      .setCustomId('game')
      .addOptions({ label: 'Chess', value: 'chess' }, { label: 'Go', value: 'go' });
    await loginWith(discord, (interaction) => {
      if (interaction.isStringSelectMenu()) return interaction.reply(interaction.values.join());
      const components = [new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(select)];
      return interaction.isChatInputCommand() && interaction.reply({ components });
    });
    const user = discord.people[2];
    const { message } = await discord.interact({ user, channel: 'general', command: 'go' });
    const choose = (...values: string[]) => discord.interact({ user, message: message?.id, customId: 'game', values });

    expect((await choose('go')).message?.content).toBe('go');
    await expect(choose('chess', 'go')).rejects.toThrow('takes 1 to 1 values');
    await expect(choose('shogi')).rejects.toThrow('values: unknown choice \\"shogi\\" of game');
  });

  test('components of an ephemeral message work only for its user', async () => {
    await using discord = await startDiscordSandbox();
    await loginWith(
      discord,
      (interaction) =>
        interaction.isChatInputCommand() &&
        interaction.reply({ content: 'hush', components: [button('send')], flags: MessageFlags.Ephemeral }),
    );
    const [, other, user] = discord.people;
    const { message } = await discord.interact({ user, channel: 'general', command: 'go' });

    await expect(discord.interact({ user: other, message: message?.id, customId: 'send' })).rejects.toThrow(
      'only the member who used the command sees',
    );
  });

  const option = (value: string) => ({ label: value, value });
  const select = (id: string, more: object) => ({ type: ComponentType.StringSelect, custom_id: id, options: [option('a')], ...more });

  test.for([
    [
      'two of the same custom id',
      'COMPONENT_CUSTOM_ID_DUPLICATED',
      [...button('a').toJSON().components, ...button('a').toJSON().components],
    ],
    ['two selects in a row', 'COMPONENT_LAYOUT_WIDTH_EXCEEDED', [select('a', {}), select('b', {})]],
    ['a select without options', 'BASE_TYPE_BAD_LENGTH', [select('a', { options: [] })]],
    ['a select of more options than it has', 'BASE_TYPE_BAD_LENGTH', [select('a', { max_values: 2 })]],
    ['equal options of a select', 'COMPONENT_OPTION_VALUE_DUPLICATED', [select('a', { options: [option('a'), option('a')] })]],
    ['an empty row', 'BASE_TYPE_BAD_LENGTH', []],
    ['a button without a label', 'BASE_TYPE_REQUIRED', [{ type: ComponentType.Button, style: 2, custom_id: 'a' }]],
    ['a link to a host without a dot', 'URL_TYPE_INVALID_URL', [{ type: ComponentType.Button, style: 5, label: 'a', url: 'http://nas/' }]],
  ] as const)('are refused: %s', async ([, code, components]) => {
    await using discord = await startDiscordSandbox();
    const body = { content: 'a', components: [{ type: ComponentType.ActionRow, components }] };

    const refused = discord.rest().post(`/channels/${discord.channelIds.get('live')}/messages`, { body });

    await expect(refused).rejects.toThrow(code);
  });
});
