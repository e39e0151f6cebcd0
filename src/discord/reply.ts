import {
  ComponentType,
  MessageFlags,
  PermissionFlagsBits,
  type APIButtonComponent,
  type APIEmbed,
  type ChatInputCommandInteraction,
  type MessageComponentInteraction,
  type MessageContextMenuCommandInteraction,
  type ModalMessageModalSubmitInteraction,
  type ModalSubmitInteraction,
} from 'discord.js';
import { settlesWithin, type Clock } from '#src/clock.ts';
import type { Caller } from './caller.ts';
import { type Row, rows } from './components.ts';
import { isDeleted, NotAllowed } from './explain-error.ts';
import type { Layout } from './layout.ts';
import { fittingContent, fittingEmbeds } from './text/fit-texts.ts';

/** How long a first response may wait for its content: Discord gives up after three seconds. */
export const SOON_MS = 1_500;

const BUTTONS_PER_ROW = 5;
const MAX_ROWS = 5;

/** An interaction that takes an answer. */
export type Answerable =
  | ChatInputCommandInteraction
  | MessageContextMenuCommandInteraction
  | MessageComponentInteraction
  | ModalSubmitInteraction;

/** A message of a text and embeds, or one of components. */
export type Shown = Reply | Layout;

export interface Reply {
  readonly content: string;
  readonly embeds?: APIEmbed[];
  readonly components?: Row[];
  /** The button that shows a private reply to everyone in the channel. */
  readonly share?: APIButtonComponent | undefined;
}

/** A reply of one embed. */
export function embedReply(embed: APIEmbed, components: Row[] = []): Reply {
  return { content: '', embeds: [embed], components };
}

/** Replies as soon as `work` resolves, visible only to the user. If that takes longer, Discord shows first that the bot is thinking. */
export async function replyPrivately(interaction: Answerable, work: Promise<Shown>, clock: Clock): Promise<void> {
  if (await settlesWithin(work, SOON_MS, clock)) {
    const { flags = 0, ...message } = messageOf(await work, true);
    await interaction.reply({ ...message, flags: flags | MessageFlags.Ephemeral });
    return;
  }
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  await interaction.editReply(messageOf(await work, true));
}

/** Replies to a button with a message that everyone in the channel sees. */
export async function replyToEveryone(interaction: MessageComponentInteraction, work: Promise<Reply>, clock: Clock): Promise<void> {
  if (await settlesWithin(work, SOON_MS, clock)) {
    await interaction.reply(messageOf(await work, false));
    return;
  }
  await interaction.deferReply();
  try {
    await interaction.editReply(messageOf(await work, false));
  } catch (error) {
    // Everyone sees the thinking indicator.
    await interaction.deleteReply().catch(() => undefined);
    throw error;
  }
}

/** A reply as discord.js takes it. */
type Message = Layout | (Omit<Reply, 'share'> & { readonly components: Row[]; readonly flags?: undefined });

/** The message of a reply. A private one has the button that shows it to everyone, if there is room for it. */
function messageOf(shown: Shown, isPrivate: boolean): Message {
  if ('flags' in shown) return shown;
  const { share, components = [], embeds, content, ...rest } = shown;
  const message = { ...rest, content: fittingContent(content), ...(embeds && { embeds: fittingEmbeds(embeds) }) };
  if (!share || !isPrivate) return { ...message, components };
  const last = components.at(-1);
  if (last && last.components.length < BUTTONS_PER_ROW && last.components.every(({ type }) => type === ComponentType.Button))
    return { ...message, components: [...components.slice(0, -1), { ...last, components: [...last.components, share] }] };
  return { ...message, components: components.length < MAX_ROWS ? [...components, ...rows([share])] : components };
}

/** Whether only one user sees the message of a button. */
export function isPrivate({ message }: Pick<MessageComponentInteraction | ModalMessageModalSubmitInteraction, 'message'>): boolean {
  return message.flags.has(MessageFlags.Ephemeral);
}

/** Throws {@link NotAllowed} unless the user ran the command of the message. Without a known command, the user needs the permission `operate`. */
export function requireCaller(interaction: MessageComponentInteraction, { id, may, texts }: Pick<Caller, 'id' | 'may' | 'texts'>): void {
  const owner = interaction.message.interactionMetadata?.user.id;
  if (owner === undefined ? isPrivate(interaction) || may('operate') : owner === id) return;
  throw new NotAllowed(texts.errors.notYourAnswer);
}

/** Whether Discord lets the user send messages in the channel of an interaction. Discord lets users without this permission run commands. */
export function maySend({ channel, memberPermissions }: Pick<MessageComponentInteraction, 'channel' | 'memberPermissions'>): boolean {
  const { SendMessages, SendMessagesInThreads } = PermissionFlagsBits;
  // The bot does not know a private thread that it has not joined, so both permissions are required there.
  const needed = channel ? (channel.isThread() ? SendMessagesInThreads : SendMessages) : SendMessages | SendMessagesInThreads;
  return memberPermissions?.has(needed) ?? true;
}

/** Throws {@link NotAllowed} unless {@link maySend}. */
export function requireMaySend(
  interaction: Pick<MessageComponentInteraction, 'channel' | 'memberPermissions'>,
  { texts }: Pick<Caller, 'texts'>,
): void {
  if (!maySend(interaction)) throw new NotAllowed(texts.errors.cannotSendHere);
}

/** Replaces the message of a button, a menu or a form below a message. If the message was deleted, only the user sees the answer. */
export async function updateWith(
  interaction: MessageComponentInteraction | ModalMessageModalSubmitInteraction,
  work: Promise<Shown>,
  clock: Clock,
): Promise<void> {
  const isSoon = await settlesWithin(work, SOON_MS, clock);
  if (!isSoon) await interaction.deferUpdate();
  const message = messageOf(await work, isPrivate(interaction));
  if (await unlessDeleted(() => (isSoon ? interaction.update(message) : interaction.editReply(message)))) return;
  const reply = { ...message, flags: (message.flags ?? 0) | MessageFlags.Ephemeral };
  await (isSoon ? interaction.reply(reply) : interaction.followUp(reply));
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
