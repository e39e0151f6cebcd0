import type { ChatInputCommandInteraction } from 'discord.js';
import { maySend } from '#src/discord/reply.ts';

/** Whether only the user sees the answer to a question: as the user chose, and in channels where the user cannot send messages. */
export function isPrivateQuestion(interaction: Pick<ChatInputCommandInteraction, 'options' | 'channel' | 'memberPermissions'>): boolean {
  return (interaction.options.getBoolean('private') ?? false) || !maySend(interaction);
}
