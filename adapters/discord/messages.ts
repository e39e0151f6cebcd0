import { z } from 'zod';
import type { Message, SentMessage, Thread } from '#src/chat/records.ts';
import { ValidationError } from '#src/errors.ts';
import { instant } from '#src/http/lenient.ts';
import { readAddress } from './address.ts';
import { WireButtons } from './components.ts';
import { WireEmbeds } from './embeds.ts';
import { toPerson, WireUser } from './people.ts';

/** A thread as Discord has it. */
export const WireThread = z.object({
  id: z.string(),
  name: z.string(),
  parent_id: z.string().nullish(),
  owner_id: z.string().nullish(),
  applied_tags: z.array(z.string()).nullish(),
});
export type WireThread = z.output<typeof WireThread>;

/** A message as Discord has it. */
export const WireMessage = z.object({
  id: z.string(),
  channel_id: z.string(),
  author: WireUser,
  content: z.string(),
  timestamp: instant,
  edited_timestamp: instant.nullish(),
  embeds: WireEmbeds,
  attachments: z
    .array(z.object({ id: z.string(), filename: z.string(), url: z.string() }))
    .nullish()
    .transform((files) => (files ?? []).map(({ id, filename, url }) => ({ id, name: filename, url }))),
  components: WireButtons,
  reactions: z
    .array(z.object({ count: z.int(), emoji: z.object({ name: z.string().nullish() }) }))
    .nullish()
    .transform((reactions) => (reactions ?? []).map(({ count, emoji }) => ({ emoji: emoji.name ?? '', count }))),
  thread: WireThread.nullish(),
  nonce: z
    .union([z.string(), z.int().transform(String)])
    .nullish()
    .transform((nonce) => nonce ?? undefined),
});
export type WireMessage = z.output<typeof WireMessage>;

/** What is kept of a message that was sent. */
export function toSent({ id, channel_id }: Pick<WireMessage, 'id' | 'channel_id'>, guildId: string): SentMessage {
  return { platform: 'discord', id: `${channel_id}/${id}`, url: `https://discord.com/channels/${guildId}/${channel_id}/${id}` };
}

/** A thread as the rest of Fanfare knows it. */
export function toThread({ id, name }: Pick<WireThread, 'id' | 'name'>, guildId: string): Thread {
  return { platform: 'discord', id, url: `https://discord.com/channels/${guildId}/${id}`, name };
}

/** A message as the rest of Fanfare reads it. */
export function toMessage(
  wire: WireMessage,
  { guildId, channel, fetchedAt }: { readonly guildId: string; readonly channel: Message['channel']; readonly fetchedAt: Date },
): Message {
  return {
    ...toSent(wire, guildId),
    channel,
    author: toPerson(wire.author),
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

/** Where a message stands. */
export interface MessagePlace {
  readonly channelId: string;
  readonly messageId: string;
  /** Its address below the API's. */
  readonly path: `/${string}`;
}

function readPair(id: string): { readonly channelId?: string | undefined; readonly messageId?: string | undefined } {
  const [, channelId, messageId] = /^(\d+)\/(\d+)$/.exec(id) ?? [];
  return { channelId, messageId };
}

/** The parts of `channel/message`, or of a message's address; `parameter` is where it was given. */
export function messagePlace(id: string, parameter: string): MessagePlace {
  const { channelId, messageId } = readAddress(id) ?? readPair(id);
  if (channelId === undefined || messageId === undefined) {
    throw new ValidationError(`${parameter}: "${id}" is no message: it takes the id that discord.send gave, as 123/456.`, {
      path: parameter,
    });
  }
  return { channelId, messageId, path: `/channels/${channelId}/messages/${messageId}` };
}
