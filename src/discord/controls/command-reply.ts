import {
  MessageFlags,
  type ChatInputCommandInteraction,
  type MessageComponentInteraction,
  type ModalSubmitInteraction,
  type SlashCommandBooleanOption,
} from 'discord.js';
import type { Clock } from '#src/clock.ts';
import type { Controls } from '#src/controls/controls.ts';
import { UserError } from '#src/errors.ts';
import type { OperatorQueries } from '#src/queries/operator-queries.ts';
import { publicReader, type Caller, type Reader } from '../caller.ts';
import { en } from '../language/en/index.ts';
import { localize } from '../language/languages.ts';
import { replyPrivately, replyWith, requireCaller, updateWith, type Reply } from '../reply.ts';

/** The parts that all commands of operators use. */
export interface ControlsOptions {
  readonly controls: Controls & OperatorQueries;
  readonly clock: Clock;
}

/** Answers in the language of the reader. */
export type MakeReply = (reader: Reader) => Promise<Reply>;

/** The option that shows the answer to everyone in the channel. */
export function publicOption(option: SlashCommandBooleanOption): SlashCommandBooleanOption {
  return localize(option, (texts) => texts.controls.options.public);
}

/** Answers a command, by default only to the user who gave it. */
export async function replyToCommand(
  interaction: ChatInputCommandInteraction,
  caller: Caller,
  clock: Clock,
  make: MakeReply,
): Promise<void> {
  const isPublic = interaction.options.getBoolean(en.controls.options.public.name) ?? false;
  if (isPublic) await replyWith(interaction, make(publicReader(caller)), clock);
  else await replyPrivately(interaction, make(caller), clock);
}

/** Replaces the message of a button. */
export async function updateMessage(
  interaction: MessageComponentInteraction,
  caller: Caller,
  clock: Clock,
  make: MakeReply,
): Promise<void> {
  const isPrivate = interaction.message.flags.has(MessageFlags.Ephemeral);
  await updateWith(interaction, make(isPrivate ? caller : publicReader(caller)), clock);
}

/** Replaces the answer to a command with another page. Only the caller of the command may do so. */
export async function showPage(interaction: MessageComponentInteraction, caller: Caller, clock: Clock, make: MakeReply): Promise<void> {
  requireCaller(interaction, caller);
  await updateMessage(interaction, caller, clock, make);
}

/** The interaction of a button. The commands of operators have no forms. */
export function buttonOf(
  interaction: MessageComponentInteraction | ModalSubmitInteraction,
  { texts }: Caller,
): MessageComponentInteraction {
  if (!interaction.isMessageComponent()) throw new UserError(texts.errors.gone);
  return interaction;
}
