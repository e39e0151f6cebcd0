import { MessageFlags, type RepliableInteraction } from 'discord.js';
import { CONVERSATION_TOO_LONG } from '#src/assistant/port.ts';
import { isDatabaseUnavailable, PlatformError, UnsupportedOperation, UnsupportedParameter, UserError } from '#src/errors.ts';
import type { Texts } from './language/texts.ts';

/** The user may not do this. */
export class NotAllowed extends UserError {}

/** Shows an error only to the user. */
export async function refuse(interaction: RepliableInteraction, error: unknown, texts: Texts): Promise<void> {
  const message = { content: explain(error, texts), flags: MessageFlags.Ephemeral } as const;
  if (!interaction.deferred && !interaction.replied) {
    await interaction.reply(message);
    return;
  }
  // Everyone sees the thinking indicator of a command. After a button, the response is the message of the button.
  const isFresh = interaction.isCommand() || (interaction.isModalSubmit() && !interaction.isFromMessage());
  // If the indicator cannot be deleted, the error replaces it.
  if (!interaction.replied && isFresh) await interaction.deleteReply().catch(() => undefined);
  await interaction.followUp(message);
}

/** Whether users or operators can correct an error. Other errors are defects of Fanfare. */
export function isExplained(error: unknown): boolean {
  return (
    error instanceof UserError ||
    error instanceof PlatformError ||
    error instanceof UnsupportedOperation ||
    error instanceof UnsupportedParameter
  );
}

/** The log text of a failure; undefined if the user sees the full reason, or if the failure is logged as an error. */
export function reasonOf(error: unknown): string | undefined {
  return error instanceof PlatformError ? error.message : undefined;
}

/** The error message for the user. */
export function explain(error: unknown, { errors }: Texts): string {
  if (error instanceof PlatformError) {
    const { platform, fault, retryAt, cause } = error;
    const soon = retryAt && `<t:${Math.ceil(retryAt.getTime() / 1000)}:R>`;
    if (platform === 'openai') return errors.assistantFault(cause === CONVERSATION_TOO_LONG ? 'tooLong' : fault, soon);
    return errors.fault(platform.charAt(0).toUpperCase() + platform.slice(1), fault, soon);
  }
  if (isDatabaseUnavailable(error)) return errors.stateUnreachable;
  return isExplained(error) && error instanceof Error ? error.message : errors.ours;
}
