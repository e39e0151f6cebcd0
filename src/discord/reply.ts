import type { APIEmbed, ChatInputCommandInteraction } from 'discord.js';
import type { Clock } from '#src/clock.ts';
import { within } from './within.ts';

/** Discord waits three seconds for the first sign of an answer. */
const SOON_MS = 1_500;

export interface Reply {
  readonly content: string;
  readonly embeds?: APIEmbed[];
}

/** Answers with what `work` makes: at once where that is soon done, else after a sign that somebody is at it. */
export async function replyWith(interaction: ChatInputCommandInteraction, work: Promise<Reply>, clock: Clock): Promise<void> {
  if (await within(work, SOON_MS, clock)) {
    await interaction.reply(await work);
    return;
  }
  await interaction.deferReply();
  await interaction.editReply(await work);
}
