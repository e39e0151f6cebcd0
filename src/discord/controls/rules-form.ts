import { SlashCommandBuilder, SlashCommandSubcommandBuilder, type RESTPostAPIChatInputApplicationCommandsJSONBody } from 'discord.js';
import { titled } from '../language/languages.ts';
import type { Title, Words } from '../language/words.ts';
import { publicOption, ruleOption } from './options.ts';

/** What `/rules` looks like to whoever types it. */
export function rulesForm(): RESTPostAPIChatInputApplicationCommandsJSONBody {
  return titled(new SlashCommandBuilder(), (words) => words.controls.rules)
    .addSubcommand(subcommand((words) => words.controls.list).addBooleanOption(publicOption))
    .addSubcommand(ofRule((words) => words.controls.show).addBooleanOption(publicOption))
    .addSubcommand(
      ofRule((words) => words.controls.why)
        .addStringOption((option) => titled(option, (words) => words.controls.options.item).setAutocomplete(true))
        .addBooleanOption(publicOption),
    )
    .addSubcommand(ofRule((words) => words.controls.pause))
    .addSubcommand(ofRule((words) => words.controls.resume))
    .addSubcommand(ofRule((words) => words.controls.run))
    .addSubcommand(ofRule((words) => words.controls.preview))
    .addSubcommand(ofRule((words) => words.controls.test))
    .toJSON();
}

function subcommand(title: (words: Words) => Title): SlashCommandSubcommandBuilder {
  return titled(new SlashCommandSubcommandBuilder(), title);
}

function ofRule(title: (words: Words) => Title): SlashCommandSubcommandBuilder {
  return subcommand(title).addStringOption(ruleOption());
}
