import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  MessageFlags,
  ModalBuilder,
  StringSelectMenuBuilder,
  TextInputBuilder,
  TextInputStyle,
  UserSelectMenuBuilder,
} from 'discord.js';
import { describe, expect, test } from 'vitest';
import { loginWith } from '../../../test/support/discord-commands.ts';
import { startDiscordSandbox } from '../../../test/support/discord-sandbox.ts';

const button = (label: string) =>
  new ActionRowBuilder<ButtonBuilder>().addComponents(new ButtonBuilder().setCustomId(label).setLabel(label).setStyle(ButtonStyle.Primary));

describe('components', () => {
  test('a button changes the message that it is on', async () => {
    await using discord = await startDiscordSandbox();
    await loginWith(discord, (interaction) => {
      if (interaction.isButton())
        return interaction.update({ content: `${interaction.user.username} pressed ${interaction.customId}`, components: [] });
      return interaction.isChatInputCommand() && interaction.reply({ content: 'press', components: [button('send')] });
    });
    const [, user, other] = discord.people;
    const { message } = await discord.interact({ user, channel: 'moderators', command: 'go' });

    const result = await discord.interact({ user, message: message?.id, customId: 'send' });

    expect(result).toMatchObject({
      outcome: 'update',
      message: { id: message?.id, content: `${user} pressed send`, history: [{ content: 'press' }] },
    });
    await expect(discord.interact({ user, message: message?.id, customId: 'send' })).rejects.toThrow('the message has no send');
    await expect(discord.interact({ user: other, message: message?.id, customId: 'send' })).rejects.toThrow('may not do this');
  });

  test('a button can be pressed by what stands on it', async () => {
    await using discord = await startDiscordSandbox();
    await loginWith(discord, (interaction) => {
      if (interaction.isButton()) return interaction.update({ content: `pressed ${interaction.customId}` });
      return interaction.isChatInputCommand() && interaction.reply({ content: 'press', components: [button('send')] });
    });
    const user = discord.people[2];
    const { message } = await discord.interact({ user, channel: 'general', command: 'go' });

    const result = await discord.interact({ user, message: message?.id, press: 'send' });

    expect(result).toMatchObject({ outcome: 'update', message: { content: 'pressed send' } });
    await expect(discord.interact({ user, message: message?.id, press: 'drop' })).rejects.toThrow('has no drop; it has send');
  });

  test('a button can be acknowledged first, and answered by another message', async () => {
    await using discord = await startDiscordSandbox();
    await loginWith(discord, async (interaction) => {
      if (interaction.isChatInputCommand()) await interaction.reply({ content: 'press', components: [button('send')] });
      if (!interaction.isButton()) return;
      await interaction.deferUpdate();
      await interaction.editReply({ content: 'pressed', components: [] });
      await interaction.followUp({ content: 'thanks', flags: MessageFlags.Ephemeral });
    });
    const user = discord.people[2];
    const { message } = await discord.interact({ user, channel: 'general', command: 'go' });

    const { id, outcome, deferred } = await discord.interact({ user, message: message?.id, customId: 'send' });

    expect([outcome, deferred]).toEqual(['update', true]);
    await expect
      .poll(() => discord.order(`/discord/interactions/${id}`, undefined))
      .toMatchObject({ message: { content: 'pressed' }, followUps: [{ content: 'thanks', ephemeral: true, replyTo: message?.id }] });
  });

  test('selects give what was chosen, users by their names', async () => {
    await using discord = await startDiscordSandbox();
    const rows = [
      new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(
        new StringSelectMenuBuilder().setCustomId('game').addOptions({ label: 'Chess', value: 'chess' }, { label: 'Go', value: 'go' }),
      ),
      new ActionRowBuilder<UserSelectMenuBuilder>().addComponents(new UserSelectMenuBuilder().setCustomId('who')),
    ];
    await loginWith(discord, (interaction) => {
      if (interaction.isStringSelectMenu()) return interaction.reply(interaction.values.join());
      if (interaction.isUserSelectMenu()) return interaction.reply(interaction.users.map(({ username }) => username).join());
      return interaction.isChatInputCommand() && interaction.reply({ components: rows });
    });
    const user = discord.people[2];
    const { message } = await discord.interact({ user, channel: 'general', command: 'go' });

    const game = await discord.interact({ user, message: message?.id, customId: 'game', values: ['go'] });
    const who = await discord.interact({ user, message: message?.id, customId: 'who', values: [discord.people[0]] });

    expect([game.message?.content, who.message?.content]).toEqual(['go', discord.people[0]]);
    await expect(discord.interact({ user, message: message?.id, customId: 'game', values: ['chess', 'go'] })).rejects.toThrow(
      'takes 1 to 1 values',
    );
  });

  test('a modal is opened, filled in and sent', async () => {
    await using discord = await startDiscordSandbox();
    const field = new TextInputBuilder().setCustomId('text').setLabel('Text').setStyle(TextInputStyle.Short);
    const modal = new ModalBuilder()
      .setCustomId('draft')
      .setTitle('Draft')
      .addComponents(new ActionRowBuilder<TextInputBuilder>().addComponents(field));
    await loginWith(discord, (interaction) => {
      if (interaction.isModalSubmit()) return interaction.reply(`${interaction.customId}: ${interaction.fields.getTextInputValue('text')}`);
      return interaction.isChatInputCommand() && interaction.showModal(modal);
    });
    const user = discord.people[2];
    const opened = await discord.interact({ user, channel: 'general', command: 'go' });

    const sent = await discord.interact({ user, modal: opened.id, fields: { text: 'hello' } });

    expect(opened).toMatchObject({ outcome: 'modal', modal: { customId: 'draft', title: 'Draft' } });
    expect(sent).toMatchObject({ outcome: 'message', message: { content: 'draft: hello' } });
    await expect(discord.interact({ user, modal: opened.id })).rejects.toThrow('the field text is required');
  });

  test('an ephemeral message can be used by nobody but the person who asked', async () => {
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
      'only who asked sees this message',
    );
  });

  test('of one message need different ids', async () => {
    await using discord = await startDiscordSandbox();
    const { components } = { components: [button('a').toJSON(), button('a').toJSON()] };

    const refused = discord.rest().post(`/channels/${discord.channelIds.get('live')}/messages`, { body: { components } });

    await expect(refused).rejects.toThrow('COMPONENT_CUSTOM_ID_DUPLICATED');
  });
});
