import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  ContainerBuilder,
  type MessageCreateOptions,
  MessageFlags,
  RoleSelectMenuBuilder,
  SectionBuilder,
  TextDisplayBuilder,
  ThumbnailBuilder,
} from 'discord.js';
import { describe, expect, test } from 'vitest';
import { loginWith } from '../../../test/support/discord-commands.ts';
import { channelOf, fetch, startDiscordSandbox } from '../../../test/support/discord-sandbox.ts';

const text = (content: string) => new TextDisplayBuilder({ content });
const pictured = new SectionBuilder()
  .addTextDisplayComponents(text('## Ada is live'), text('Chess'))
  .setThumbnailAccessory(new ThumbnailBuilder({ media: { url: 'https://example.com/ada.png' }, description: 'Ada at a board' }));
const card = new ContainerBuilder({ accent_color: 0x9146ff })
  .addSectionComponents(pictured)
  .addSeparatorComponents((separator) => separator.setDivider(true))
  .addMediaGalleryComponents((gallery) => gallery.addItems({ media: { url: 'https://example.com/board.png' }, description: 'A board' }))
  .addActionRowComponents((row) =>
    row.addComponents(new ButtonBuilder().setCustomId('why').setLabel('Why?').setStyle(ButtonStyle.Secondary)),
  );
const flags = MessageFlags.IsComponentsV2;

/** A message that Discord refuses, with a part of the error. */
const refused: Readonly<Record<string, readonly [message: MessageCreateOptions, error: string]>> = {
  'a text besides components': [{ content: 'a', components: [text('b')], flags }, 'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2'],
  'a card besides components': [
    { embeds: [{ title: 'a' }], components: [text('b')], flags },
    'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
  ],
  'a text display without the flag': [{ components: [text('a')] }, 'UNION_TYPE_CHOICES'],
  'more than 40 components': [
    { components: Array.from({ length: 40 }, () => new ContainerBuilder({ components: [text('a').toJSON()] })), flags },
    'COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED',
  ],
  'more than 4,000 characters': [
    { components: [text('a'.repeat(2001)), text('b'.repeat(2001))], flags },
    'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED',
  ],
  'a file that is not attached': [
    { components: [new ContainerBuilder().addFileComponents((file) => file.setURL('attachment://a.txt'))], flags },
    'UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND',
  ],
};

describe('Components V2', () => {
  test('are stored, numbered, shown and clicked', async () => {
    await using discord = await startDiscordSandbox();
    const client = await loginWith(discord, (interaction) => interaction.isButton() && interaction.reply(`${interaction.component.id}`));
    const sent = await channelOf(client, 'general').send({ components: [card], flags });

    expect(sent.flags.has('IsComponentsV2')).toBe(true);
    expect(sent.components[0]?.toJSON()).toMatchObject({
      id: 1,
      type: 17,
      components: [{ id: 2, type: 9, accessory: { id: 5 } }, { id: 6 }, { id: 7 }, { id: 8, components: [{ id: 9 }] }],
    });
    const page = await (await fetch(`${discord.sandbox.url}/discord/view/general`)).text();
    for (const shown of ['Ada is live', 'Chess', 'ada.png', 'alt="Ada at a board"', 'board.png', 'Why?', '#9146ff'])
      expect(page).toContain(shown);
    const user = discord.people[2];
    expect((await discord.interact({ user, message: sent.id, click: 'Why?' })).message?.content).toBe('9');
  });

  test('ping in the same way as a text', async () => {
    await using discord = await startDiscordSandbox();
    const channel = channelOf(await discord.login(), 'general');
    const role = channel.guild.roles.cache.find(({ name }) => name === 'Live');
    const components = [text(`<@&${role?.id}>`)];

    await channel.send({ components, flags });
    await channel.send({ components, flags, allowedMentions: { parse: [] } });

    const messages = await discord.messages('general');
    expect(messages.map(({ pinged }) => pinged.roles)).toEqual([['Live'], []]);
  });

  test.for(Object.entries(refused))('are refused with %s', async ([, [message, error]]) => {
    await using discord = await startDiscordSandbox();
    const channel = channelOf(await discord.login(), 'general');

    await expect(channel.send(message)).rejects.toThrow(error);
  });

  test('replace the text of a message permanently', async () => {
    await using discord = await startDiscordSandbox();
    const sent = await channelOf(await discord.login(), 'general').send('a text');

    await expect(sent.edit({ components: [text('b')], flags })).rejects.toThrow('MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2');
    await sent.edit({ content: null, components: [text('b')], flags });

    await expect(sent.edit({ content: 'a text' })).rejects.toThrow('MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2');
  });

  test('select roles by name', async () => {
    await using discord = await startDiscordSandbox();
    const client = await loginWith(
      discord,
      (interaction) => interaction.isRoleSelectMenu() && interaction.reply(interaction.roles.map(({ name }) => name).join()),
    );
    const row = new ActionRowBuilder<RoleSelectMenuBuilder>().addComponents(new RoleSelectMenuBuilder().setCustomId('role'));
    const sent = await channelOf(client, 'general').send({ components: [row], flags });
    const choose = (...values: string[]) => discord.interact({ user: discord.people[2], message: sent.id, customId: 'role', values });

    expect((await choose('Live')).message?.content).toBe('Live');
    await expect(choose('Dead')).rejects.toThrow('unknown role');
  });
});
