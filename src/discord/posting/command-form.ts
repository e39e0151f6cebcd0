import { SlashCommandBuilder, type RESTPostAPIChatInputApplicationCommandsJSONBody, type SlashCommandSubcommandBuilder } from 'discord.js';
import { localized, titled } from '../language/languages.ts';
import { en } from '../language/en/index.ts';

const LONGEST_OPTION = 6000;
export const LONGEST_ALT = 1000;
const LONGEST_LINK = 500;

/** `/post` as Discord is told of it. */
export function postForm(): RESTPostAPIChatInputApplicationCommandsJSONBody {
  return titled(new SlashCommandBuilder(), ({ posting }) => posting.command)
    .addSubcommand((subcommand) => withPost(titled(subcommand, ({ posting }) => posting.now)))
    .addSubcommand((subcommand) =>
      withPost(
        titled(subcommand, ({ posting }) => posting.schedule).addStringOption((option) =>
          titled(option, ({ posting }) => posting.options.time)
            .setRequired(true)
            .setMaxLength(100),
        ),
      ),
    )
    .addSubcommand((subcommand) => withPost(titled(subcommand, ({ posting }) => posting.queue)))
    .addSubcommand((subcommand) =>
      titled(subcommand, ({ posting }) => posting.cancel).addStringOption((option) =>
        titled(option, ({ posting }) => posting.options.post)
          .setRequired(true)
          .setAutocomplete(true),
      ),
    )
    .toJSON();
}

/** The options of all that make a post. */
function withPost(subcommand: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
  return subcommand
    .addStringOption((option) => titled(option, ({ posting }) => posting.options.text).setMaxLength(LONGEST_OPTION))
    .addStringOption((option) => titled(option, ({ posting }) => posting.options.accounts).setAutocomplete(true))
    .addAttachmentOption((option) => titled(option, ({ posting }) => posting.options.picture))
    .addStringOption((option) => titled(option, ({ posting }) => posting.options.alt).setMaxLength(LONGEST_ALT))
    .addStringOption((option) => titled(option, ({ posting }) => posting.options.link).setMaxLength(LONGEST_LINK))
    .addStringOption((option) => titled(option, ({ posting }) => posting.options.long).addChoices(choice('thread'), choice('truncate')));
}

function choice(tooLong: 'thread' | 'truncate') {
  return { name: en.posting.long[tooLong], value: tooLong, name_localizations: localized(({ posting }) => posting.long[tooLong]) };
}
