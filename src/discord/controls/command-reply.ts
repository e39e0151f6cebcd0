import type { MessageComponentInteraction } from 'discord.js';
import type { Clock } from '#src/clock.ts';
import type { Actions } from '#src/admin/actions/actions.ts';
import type { OperatorQueries } from '#src/admin/queries/operator-queries.ts';
import { publicReader, type Caller, type Reader } from '#src/discord/caller.ts';
import { SHARE } from '#src/discord/components.ts';
import { isPrivate, replyToEveryone, requireCaller, requireMaySend, updateWith, type Reply } from '#src/discord/reply.ts';

/** The parts that all commands of operators use. */
export interface ControlsOptions {
  readonly controls: Actions & OperatorQueries;
  readonly clock: Clock;
}

/** Answers in the language of the reader. */
export type MakeReply = (reader: Reader) => Promise<Reply>;

/** Replaces the message of a button. */
export async function updateMessage(
  interaction: MessageComponentInteraction,
  caller: Caller,
  clock: Clock,
  make: MakeReply,
): Promise<void> {
  await updateWith(interaction, make(isPrivate(interaction) ? caller : publicReader(caller)), clock);
}

/** Replaces the answer to a command with another page, or shows its page to everyone. Only the caller of the command may do so. */
export async function showPage(interaction: MessageComponentInteraction, caller: Caller, clock: Clock, make: MakeReply): Promise<void> {
  requireCaller(interaction, caller);
  if (interaction.customId.endsWith(`:${SHARE}`)) {
    requireMaySend(interaction, caller);
    await replyToEveryone(interaction, make(publicReader(caller)), clock);
  } else await updateMessage(interaction, caller, clock, make);
}
