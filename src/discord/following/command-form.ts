import { ChannelType, SlashCommandBuilder, type SlashCommandSubcommandBuilder } from 'discord.js';
import type { SlashCommand } from '#src/discord/command.ts';
import { localize } from '#src/discord/language/languages.ts';
import { MOST_WORDS } from './follow.ts';

/** The definition of `/follow`. */
export function followForm(): SlashCommand['data'] {
  const withName = (subcommand: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder =>
    subcommand.addStringOption((option) =>
      localize(option, ({ following }) => following.options.streamer)
        .setRequired(true)
        .setAutocomplete(true),
    );
  const withWords = (subcommand: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder =>
    subcommand.addStringOption((option) => localize(option, ({ following }) => following.options.only).setMaxLength(MOST_WORDS));
  return localize(new SlashCommandBuilder(), ({ following }) => following.command)
    .addSubcommand((subcommand) =>
      withWords(
        withName(localize(subcommand, ({ following }) => following.add))
          .addChannelOption((option) =>
            localize(option, ({ following }) => following.options.channel).addChannelTypes(
              ChannelType.GuildText,
              ChannelType.GuildAnnouncement,
            ),
          )
          .addRoleOption((option) => localize(option, ({ following }) => following.options.ping))
          .addUserOption((option) => localize(option, ({ following }) => following.options.member)),
      ),
    )
    .addSubcommand((subcommand) =>
      withWords(withName(localize(subcommand, ({ following }) => following.edit))).addUserOption((option) =>
        localize(option, ({ following }) => following.options.editedMember),
      ),
    )
    .addSubcommand((subcommand) => localize(subcommand, ({ following }) => following.list))
    .addSubcommand((subcommand) => withName(localize(subcommand, ({ following }) => following.remove)))
    .addSubcommand((subcommand) =>
      localize(subcommand, ({ following }) => following.import).addAttachmentOption((option) =>
        localize(option, ({ following }) => following.options.file),
      ),
    )
    .addSubcommand((subcommand) => localize(subcommand, ({ following }) => following.export))
    .toJSON();
}
