import {
  MessageFlags,
  type APIEmbed,
  type ChatInputCommandInteraction,
  type MessageComponentInteraction,
  type ModalSubmitInteraction,
} from 'discord.js';
import { requireServer, type Caller } from '#src/discord/caller.ts';
import { replyPrivately } from '#src/discord/reply.ts';
import { typedTexts } from '#src/discord/typed-texts.ts';
import { entryWarning, pingWarning } from './channel-warning.ts';
import type { Followed, FollowingParts } from './follow.ts';
import type { RenderCard } from './followed-card.ts';
import { targetOf } from './followed-list.ts';
import { showPreview } from './preview.ts';

/** Answers, and shows the card of the first new streamer. If nothing was added, the person gets a long text back. */
export async function answerFollowed(
  interaction: ChatInputCommandInteraction | MessageComponentInteraction | ModalSubmitInteraction,
  work: Promise<Followed>,
  caller: Caller,
  parts: FollowingParts & { readonly renderCard?: RenderCard | undefined },
): Promise<void> {
  const { clock, storedServers } = parts;
  const message = work.then((followed) => followed.message);
  // The question keeps its buttons: each answer needs its own Undo, and other questions of the message are open.
  await replyPrivately(interaction, message, clock);
  const { first, isRefused } = await work;
  if (isRefused && interaction.isRepliable())
    for (const embeds of typedTexts(interaction)) await followUpPrivately(caller.texts.errors.yourText, embeds);
  if (!first) return;
  const target = targetOf(first.fields, await storedServers.find(requireServer(caller)));
  const warning = (await entryWarning(first, interaction, caller, parts)) ?? (await pingWarning(target, interaction, caller));
  if (warning !== undefined) await followUpPrivately(warning);
  await showPreview(interaction, first, caller, parts);

  async function followUpPrivately(content: string, embeds: APIEmbed[] = []): Promise<void> {
    await interaction.followUp({ content, embeds, flags: MessageFlags.Ephemeral, allowedMentions: { parse: [] } });
  }
}
