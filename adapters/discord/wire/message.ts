import { z } from 'zod';
import type { Message, SentMessage, Thread } from '#src/clients/chat/records.ts';
import { ValidationError } from '#src/errors.ts';
import { arrayOf, instant } from '#src/http/lenient.ts';
import type { Person } from '#src/clients/operation/record.ts';
import { WireEmbeds } from './embed.ts';
import { buttonsIn, filesIn, Part, type StoredFile, textsIn } from './parts.ts';

/** The flag of a message that consists of components only. */
export const IS_COMPONENTS_V2 = 1 << 15;

/** A user in Discord's API. */
export const WireUser = z.object({ id: z.string(), username: z.string(), global_name: z.string().nullish(), bot: z.boolean().nullish() });
export type WireUser = z.output<typeof WireUser>;

/** The record of a user. */
export function toPerson({ id, username, global_name }: WireUser): Person {
  return { platform: 'discord', id, url: `https://discord.com/users/${id}`, handle: username, displayName: global_name ?? username };
}

/** A thread in Discord's API. */
export const WireThread = z.object({
  id: z.string(),
  name: z.string(),
  parent_id: z.string().nullish(),
  owner_id: z.string().nullish(),
  applied_tags: arrayOf(z.string()).nullish(),
});
export type WireThread = z.output<typeof WireThread>;

/** The types of messages that someone wrote: normal ones, replies and answers to commands. Discord writes the others, for example when a member joins. */
const WRITTEN: readonly number[] = [0, 19, 20, 23];
/** Normal messages and replies. */
const MEMBERS_WRITE: readonly number[] = [0, 19];

const Fields = z.object({
  id: z.string(),
  type: z.int().default(0),
  channel_id: z.string(),
  author: WireUser,
  webhook_id: z.string().nullish(),
  /** The application whose webhook sent the message. */
  application_id: z.string().nullish(),
  content: z.string(),
  timestamp: instant,
  edited_timestamp: instant.nullish(),
  embeds: WireEmbeds,
  attachments: z
    .array(z.object({ id: z.string(), filename: z.string(), url: z.string(), description: z.string().nullish() }))
    .nullish()
    .transform((files) =>
      (files ?? []).map(({ id, filename, url, description }): StoredFile => ({
        id,
        name: filename,
        url,
        altText: description ?? undefined,
      })),
    ),
  components: arrayOf(Part).nullish(),
  flags: z.int().nullish(),
  reactions: z
    .array(z.object({ count: z.int(), emoji: z.object({ name: z.string().nullish() }) }))
    .nullish()
    .transform((reactions) => (reactions ?? []).map(({ count, emoji }) => ({ emoji: emoji.name ?? '', count }))),
  thread: WireThread.nullish(),
  sticker_items: z.array(z.unknown()).nullish(),
  /** Forwarded messages. */
  message_snapshots: z.array(z.unknown()).nullish(),
  poll: z.unknown().optional(),
  nonce: z
    .union([z.string(), z.int().transform(String)])
    .nullish()
    .transform((nonce) => nonce ?? undefined),
});

/** Whether Discord withholds what a member wrote: without the Message Content Intent, all parts of a message are empty. */
function isWithheld({
  type,
  author,
  content,
  embeds,
  attachments,
  components,
  sticker_items,
  message_snapshots,
  poll,
}: z.output<typeof Fields>): boolean {
  const parts = [embeds, attachments, components, sticker_items, message_snapshots].flatMap((list) => list ?? []);
  return MEMBERS_WRITE.includes(type) && author.bot !== true && content === '' && parts.length === 0 && !poll;
}

/** A message in Discord's API, with its buttons, and the texts and the files of its layout at any depth. */
export const WireMessage = Fields.transform((wire) => ({
  ...wire,
  isWritten: WRITTEN.includes(wire.type),
  isWithheld: isWithheld(wire),
  webhookId: wire.webhook_id ?? undefined,
  attachments: [...wire.attachments, ...(wire.components ?? []).flatMap(filesIn)],
  isLayout: ((wire.flags ?? 0) & IS_COMPONENTS_V2) !== 0,
  parts: wire.components ?? [],
  components: (wire.components ?? []).flatMap(buttonsIn),
  texts: (wire.components ?? []).flatMap(textsIn),
}));
export type WireMessage = z.output<typeof WireMessage>;

/** The thread of a message. */
export const WithThread = Fields.pick({ thread: true });

/** The record of a sent message. */
export function toSent({ id, channel_id }: Pick<WireMessage, 'id' | 'channel_id'>, guildId: string): SentMessage {
  return { platform: 'discord', id: `${channel_id}/${id}`, url: `https://discord.com/channels/${guildId}/${channel_id}/${id}` };
}

/** The record of a thread. */
export function toThread({ id, name }: Pick<WireThread, 'id' | 'name'>, guildId: string): Thread {
  return { platform: 'discord', id, url: `https://discord.com/channels/${guildId}/${id}`, name };
}

interface MessageContext {
  readonly guildId: string;
  /** The id of the bot, which is the author of its messages. */
  readonly botId: string;
  readonly channel: Message['channel'];
  readonly fetchedAt: Date;
}

/** The record of a message. */
export function toMessage(wire: WireMessage, { guildId, botId, channel, fetchedAt }: MessageContext): Message {
  return {
    ...toSent(wire, guildId),
    channel,
    // A message of the bot under another name has its webhook as the author.
    author: { ...toPerson(wire.author), bot: wire.author.bot ?? false, self: [wire.author.id, wire.application_id].includes(botId) },
    content: wire.content,
    embeds: wire.embeds,
    files: wire.attachments.map(({ name, url }) => ({ name, url })),
    buttons: wire.components.map(({ label }) => label),
    reactions: wire.reactions,
    thread: wire.thread ? toThread(wire.thread, guildId) : undefined,
    createdAt: wire.timestamp,
    editedAt: wire.edited_timestamp ?? undefined,
    fetchedAt,
  };
}

const ADDRESS = /^https:\/\/(?:(?:www|ptb|canary)\.)?discord(?:app)?\.com\/channels\/\d+\/(\d+)(?:\/(\d+))?\/?$/;

/** The ids in the address of a channel or a message. */
export function readAddress(text: string): { readonly channelId: string; readonly messageId: string | undefined } | undefined {
  const [, channelId, messageId] = ADDRESS.exec(text) ?? [];
  return channelId === undefined ? undefined : { channelId, messageId };
}

/** The channel and the id of a message. */
export interface MessageAddress {
  readonly channelId: string;
  readonly messageId: string;
  /** The path below the address of the API. */
  readonly path: `/${string}`;
}

function readPair(id: string): { readonly channelId?: string | undefined; readonly messageId?: string | undefined } {
  const [, channelId, messageId] = /^(\d+)\/(\d+)$/.exec(id) ?? [];
  return { channelId, messageId };
}

/** The parts of `channel/message` or of a message's address. Errors name `parameter`. */
export function parseMessageId(id: string, parameter: string): MessageAddress {
  const { channelId, messageId } = readAddress(id) ?? readPair(id);
  if (channelId === undefined || messageId === undefined) {
    throw new ValidationError(`${parameter}: "${id}" is not a message id: use the id from discord.send, for example 123/456.`, {
      path: parameter,
    });
  }
  return { channelId, messageId, path: `/channels/${channelId}/messages/${messageId}` };
}
