import { MessageFlags, type ChatInputCommandInteraction, type MessageComponentInteraction, type ModalSubmitInteraction } from 'discord.js';
import type { Clock } from '#src/clock.ts';
import { UserError } from '#src/errors.ts';
import type { Asker } from '../asker.ts';
import type { Reader } from '../cards/card.ts';
import { en } from '../language/en/index.ts';
import { replyPrivately, replyWith, updateWith, type Reply } from '../reply.ts';

/** Answers a command: to the person alone, where they did not ask for everybody to see it. */
export async function tell(
  interaction: ChatInputCommandInteraction,
  asker: Asker,
  { make, clock }: { readonly make: (reader: Reader) => Promise<Reply>; readonly clock: Clock },
): Promise<void> {
  const isPublic = interaction.options.getBoolean(en.controls.options.public.name) ?? false;
  if (isPublic) await replyWith(interaction, make(publicly(asker)), clock);
  else await replyPrivately(interaction, make(asker), clock);
}

/** Puts something in the place of the message whose button was pressed. */
export async function turn(
  interaction: MessageComponentInteraction,
  asker: Asker,
  { make, clock }: { readonly make: (reader: Reader) => Promise<Reply>; readonly clock: Clock },
): Promise<void> {
  const isPrivate = interaction.message.flags.has(MessageFlags.Ephemeral);
  await updateWith(interaction, make(isPrivate ? asker : publicly(asker)), clock);
}

/** The buttons are ours; forms there are none. */
export function pressed(interaction: MessageComponentInteraction | ModalSubmitInteraction, { words }: Asker): MessageComponentInteraction {
  if (!interaction.isMessageComponent()) throw new UserError(words.errors.gone);
  return interaction;
}

function publicly({ publicWords: words, locale }: Asker): Reader {
  return { words, locale };
}
