import { SlashCommandBuilder } from 'discord.js';
import { forgetHistory, showHistory, type HistoryOptions } from '../assistant/history.ts';
import { titled } from '../language/languages.ts';
import type { SlashCommand } from './command.ts';

/** `/conversation history|forget`: what was said to the assistant here. */
export function conversationCommand(options: HistoryOptions): SlashCommand {
  return {
    needs: 'ask',
    data: titled(new SlashCommandBuilder(), ({ assistant }) => assistant.conversation)
      .addSubcommand((subcommand) =>
        titled(subcommand, ({ assistant }) => assistant.history).addBooleanOption((option) =>
          titled(option, ({ assistant }) => assistant.hiddenOne),
        ),
      )
      .addSubcommand((subcommand) =>
        titled(subcommand, ({ assistant }) => assistant.forget).addBooleanOption((option) =>
          titled(option, ({ assistant }) => assistant.hiddenOne),
        ),
      )
      .toJSON(),

    async run(interaction, asker) {
      const act = interaction.options.getSubcommand() === 'forget' ? forgetHistory : showHistory;
      await act(interaction, asker, options);
    },
  };
}
