import {
  DiscordAPIError,
  MessageFlags,
  RESTJSONErrorCodes,
  type APIEmbed,
  type ChatInputCommandInteraction,
  type MessageComponentInteraction,
  type MessageContextMenuCommandInteraction,
} from 'discord.js';
import type { Clock } from '#src/clock.ts';
import type { Caller } from './caller.ts';
import type { Row } from './components.ts';
import { NotAllowed } from './explain-error.ts';
import { settlesWithin } from './settles-within.ts';

/** Discord waits three seconds for the first response. */
const SOON_MS = 1_500;

const DELETED: readonly unknown[] = [RESTJSONErrorCodes.UnknownMessage, RESTJSONErrorCodes.UnknownChannel];

type Answerable = ChatInputCommandInteraction | MessageContextMenuCommandInteraction | MessageComponentInteraction;

export interface Reply {
  readonly content: string;
  readonly embeds?: APIEmbed[];
  readonly components?: Row[];
}

/** A reply of one embed. */
export function embedReply(embed: APIEmbed, components: Row[] = []): Reply {
  return { content: '', embeds: [embed], components };
}

/** Replies as soon as `work` resolves. If that takes longer, Discord shows first that the bot is thinking. */
export async function replyWith(interaction: Answerable, work: Promise<Reply>, clock: Clock): Promise<void> {
  await replySoon(interaction, work, { clock, visibility: {} });
}

/** Replies as {@link replyWith} does, visible only to the user. */
export async function replyPrivately(interaction: Answerable, work: Promise<Reply>, clock: Clock): Promise<void> {
  await replySoon(interaction, work, { clock, visibility: { flags: MessageFlags.Ephemeral } });
}

async function replySoon(
  interaction: Answerable,
  work: Promise<Reply>,
  { clock, visibility }: { readonly clock: Clock; readonly visibility: { readonly flags?: MessageFlags.Ephemeral } },
): Promise<void> {
  if (await settlesWithin(work, SOON_MS, clock)) {
    await interaction.reply({ ...(await work), ...visibility });
    return;
  }
  await interaction.deferReply(visibility);
  await interaction.editReply(await work);
}

/** Throws {@link NotAllowed} unless the user ran the command of the message. Without a known command, the user needs the permission `operate`. */
export function requireCaller({ message }: MessageComponentInteraction, { id, may, texts }: Pick<Caller, 'id' | 'may' | 'texts'>): void {
  // Only the user sees an ephemeral message.
  if (message.flags.has(MessageFlags.Ephemeral)) return;
  const owner = message.interactionMetadata?.user.id;
  if (owner === undefined ? may('operate') : owner === id) return;
  throw new NotAllowed(texts.errors.notYourAnswer);
}

/** Replaces the message of a button. */
export async function updateWith(interaction: MessageComponentInteraction, work: Promise<Reply>, clock: Clock): Promise<void> {
  if (await settlesWithin(work, SOON_MS, clock)) {
    await interaction.update(await work);
    return;
  }
  await interaction.deferUpdate();
  await interaction.editReply(await work);
}

/** Whether a request failed because its message or its channel was deleted. */
export function isDeleted(error: unknown): boolean {
  return error instanceof DiscordAPIError && DELETED.includes(error.code);
}

/** Changes a message; false if the message was deleted. */
export async function unlessDeleted(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!isDeleted(error)) throw error;
    return false;
  }
}
