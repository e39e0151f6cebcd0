import { SlashCommandBuilder, SlashCommandSubcommandBuilder } from 'discord.js';
import type { SlashCommand } from '#src/discord/command.ts';
import { localize } from '#src/discord/language/languages.ts';
import type { Texts, Title } from '#src/discord/language/texts.ts';
import { ruleOption } from './find-rule.ts';

/** The subcommands of `/automation`. */
export function automationForm(canFollow: boolean): SlashCommand['data'] {
  const subcommand = (title: (texts: Texts) => Title): SlashCommandSubcommandBuilder =>
    localize(new SlashCommandSubcommandBuilder(), title);
  const withRule = (title: (texts: Texts) => Title): SlashCommandSubcommandBuilder => subcommand(title).addStringOption(ruleOption());
  const withStreamer = (title: (texts: Texts) => Title): SlashCommandSubcommandBuilder =>
    withRule(title).addStringOption((option) => localize(option, (texts) => texts.controls.options.one).setAutocomplete(true));
  const form = localize(new SlashCommandBuilder(), (texts) => texts.controls.automation)
    .addSubcommand(subcommand((texts) => texts.controls.list))
    .addSubcommand(withRule((texts) => texts.controls.show))
    .addSubcommand(
      subcommand((texts) => texts.controls.why)
        .addStringOption(ruleOption(false))
        .addStringOption((option) => localize(option, (texts) => texts.controls.options.item).setAutocomplete(true)),
    )
    .addSubcommand(
      withRule((texts) => texts.controls.pause)
        .addStringOption((option) => localize(option, (texts) => texts.controls.options.until))
        .addStringOption((option) => localize(option, (texts) => texts.controls.options.from)),
    )
    .addSubcommand(
      withRule((texts) => texts.controls.resume).addBooleanOption((option) => localize(option, (texts) => texts.controls.options.planned)),
    )
    .addSubcommand(withRule((texts) => texts.controls.run))
    .addSubcommand(withRule((texts) => texts.controls.preview))
    .addSubcommand(withRule((texts) => texts.controls.test));
  if (canFollow) {
    form
      .addSubcommand(withStreamer((texts) => texts.controls.enable))
      .addSubcommand(withStreamer((texts) => texts.controls.disable))
      .addSubcommand(withStreamer((texts) => texts.controls.remove));
  }
  return form.toJSON();
}
