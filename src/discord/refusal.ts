import { MessageFlags, type RepliableInteraction } from 'discord.js';
import { PlatformError, UnsupportedOperation, UnsupportedParameter, UserError } from '#src/errors.ts';

/** Tells an error to the person who asked, and to nobody else. */
export async function refuse(interaction: RepliableInteraction, error: unknown): Promise<void> {
  const message = { content: explain(error), flags: MessageFlags.Ephemeral } as const;
  if (!interaction.deferred && !interaction.replied) {
    await interaction.reply(message);
    return;
  }
  // The sign that somebody is at it stands in the channel for all to see; after a button it is the message with the button.
  if (!interaction.replied && interaction.isCommand()) await interaction.deleteReply();
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

function explain(error: unknown): string {
  if (error instanceof PlatformError) return explainFault(error);
  if (isExplained(error) && error instanceof Error) return error.message;
  return 'Something went wrong here, and the log of the bot has it. Try again, or ask whoever runs the bot.';
}

function explainFault({ platform, fault, retryAt }: PlatformError): string {
  const name = platform === 'openai' ? 'The assistant' : platform.charAt(0).toUpperCase() + platform.slice(1);
  switch (fault) {
    case 'rateLimited':
      return `${name} is asked too much at the moment. Try again ${retryAt ? `<t:${Math.ceil(retryAt.getTime() / 1000)}:R>` : 'in a minute'}.`;
    case 'quotaExhausted':
      return `What the bot may ask of ${name} is used up. Whoever runs it can raise the quota.`;
    case 'unauthorized':
    case 'forbidden':
      return `${name} does not let the bot in. Whoever runs it has to look at its account there.`;
    case 'missing':
      return `${name} does not have that. Check the spelling, or pick from the list that appears while you type.`;
    case 'rejected':
    case 'duplicate':
      return `${name} did not accept that. Try it in other words.`;
    default:
      return `${name} does not answer as it should. Try again in a minute.`;
  }
}
