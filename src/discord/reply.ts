import {
  MessageFlags,
  type APIActionRowComponent,
  type APIButtonComponent,
  type APIEmbed,
  type ChatInputCommandInteraction,
  type MessageComponentInteraction,
  type MessageContextMenuCommandInteraction,
} from 'discord.js';
import type { Clock } from '#src/clock.ts';
import { within } from './within.ts';

/** Discord waits three seconds for the first sign of an answer. */
const SOON_MS = 1_500;

/** What somebody did that can be answered by a message. */
type Answerable = ChatInputCommandInteraction | MessageContextMenuCommandInteraction | MessageComponentInteraction;

export interface Reply {
  readonly content: string;
  readonly embeds?: APIEmbed[];
  readonly components?: APIActionRowComponent<APIButtonComponent>[];
}

/** Answers with what `work` makes: at once where that is soon done, else after a sign that somebody is at it. */
export async function replyWith(interaction: Answerable, work: Promise<Reply>, clock: Clock): Promise<void> {
  await replySoon(interaction, work, { clock, seenBy: {} });
}

/** The same, which nobody sees but the person. */
export async function replyPrivately(interaction: Answerable, work: Promise<Reply>, clock: Clock): Promise<void> {
  await replySoon(interaction, work, { clock, seenBy: { flags: MessageFlags.Ephemeral } });
}

async function replySoon(
  interaction: Answerable,
  work: Promise<Reply>,
  { clock, seenBy }: { readonly clock: Clock; readonly seenBy: { readonly flags?: MessageFlags.Ephemeral } },
): Promise<void> {
  if (await within(work, SOON_MS, clock)) {
    await interaction.reply({ ...(await work), ...seenBy });
    return;
  }
  await interaction.deferReply(seenBy);
  await interaction.editReply(await work);
}

/** Puts what `work` makes in the place of the message whose button was pressed. */
export async function updateWith(interaction: MessageComponentInteraction, work: Promise<Reply>, clock: Clock): Promise<void> {
  if (await within(work, SOON_MS, clock)) {
    await interaction.update(await work);
    return;
  }
  await interaction.deferUpdate();
  await interaction.editReply(await work);
}
