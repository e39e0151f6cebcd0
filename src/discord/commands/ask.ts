import { SlashCommandBuilder } from 'discord.js';
import type { Assistant } from '#src/assistant/assistant.ts';
import type { Clock } from '#src/clock.ts';
import { replyWhileWritten } from '../streamed-reply.ts';
import type { SlashCommand } from './command.ts';

export interface AskOptions {
  readonly assistant: Assistant;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** `/ask`: talks to the assistant, who remembers what was said in the channel. */
export function askCommand({ assistant, clock, signal }: AskOptions): SlashCommand {
  return {
    needs: 'ask',
    data: new SlashCommandBuilder()
      .setName('ask')
      .setDescription('Ask the assistant; it remembers what was asked in this channel')
      .addStringOption((option) => option.setName('text').setDescription('Your question').setRequired(true).setMaxLength(2000))
      .toJSON(),

    async run(interaction) {
      await interaction.deferReply();
      const conversation = `discord:${interaction.channelId}`;
      const text = interaction.options.getString('text', true);
      await replyWhileWritten(interaction, assistant.ask({ conversation, text, signal }), clock);
    },
  };
}
