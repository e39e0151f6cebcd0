import type { SlashCommandBooleanOption, SlashCommandStringOption } from 'discord.js';
import { titled } from '../language/languages.ts';

/** The rule that is meant. */
export function ruleOption(isRequired = true): (option: SlashCommandStringOption) => SlashCommandStringOption {
  return (option) =>
    titled(option, (words) => words.controls.options.rule)
      .setRequired(isRequired)
      .setAutocomplete(true);
}

/** Whether everybody sees the answer. */
export function publicOption(option: SlashCommandBooleanOption): SlashCommandBooleanOption {
  return titled(option, (words) => words.controls.options.public);
}
