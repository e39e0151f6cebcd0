import { MessageFlags, type RepliableInteraction } from 'discord.js';
import { PlatformError, UnsupportedOperation, UnsupportedParameter, UserError } from '#src/errors.ts';
import type { Words } from './language/words.ts';

/** Tells an error to the person who asked, and to nobody else. */
export async function refuse(interaction: RepliableInteraction, error: unknown, words: Words): Promise<void> {
  const message = { content: explain(error, words), flags: MessageFlags.Ephemeral } as const;
  if (!interaction.deferred && !interaction.replied) {
    await interaction.reply(message);
    return;
  }
  // The sign that somebody is at it stands in the channel for all to see; after a button it is the message with the button.
  const isFresh = interaction.isCommand() || (interaction.isModalSubmit() && !interaction.isFromMessage());
  if (!interaction.replied && isFresh) await interaction.deleteReply();
  await interaction.followUp(message);
}

/** Whether an error is one that people can do something about; any other is ours. */
export function isExplained(error: unknown): boolean {
  return (
    error instanceof UserError ||
    error instanceof PlatformError ||
    error instanceof UnsupportedOperation ||
    error instanceof UnsupportedParameter
  );
}

/** What went wrong, in words for people. */
export function explain(error: unknown, { errors }: Words): string {
  if (error instanceof PlatformError) {
    const { platform, fault, retryAt } = error;
    const name = platform === 'openai' ? errors.assistant : platform.charAt(0).toUpperCase() + platform.slice(1);
    return errors.fault(name, fault, retryAt && `<t:${Math.ceil(retryAt.getTime() / 1000)}:R>`);
  }
  return isExplained(error) && error instanceof Error ? error.message : errors.ours;
}
