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
  // If the sign cannot be deleted, the answer takes its place.
  if (!interaction.replied && isFresh) await interaction.deleteReply().catch(() => undefined);
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

/** The log text of a failure; undefined if the person sees the full reason, or if the failure is logged as an error. */
export function reasonOf(error: unknown): string | undefined {
  return error instanceof PlatformError ? error.message : undefined;
}

/** What went wrong, in words for people. */
export function explain(error: unknown, { errors }: Words): string {
  if (error instanceof PlatformError) {
    const { platform, fault, retryAt } = error;
    const soon = retryAt && `<t:${Math.ceil(retryAt.getTime() / 1000)}:R>`;
    if (platform === 'openai') return errors.assistantFault(fault, soon);
    return errors.fault(platform.charAt(0).toUpperCase() + platform.slice(1), fault, soon);
  }
  return isExplained(error) && error instanceof Error ? error.message : errors.ours;
}
