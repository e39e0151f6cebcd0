import { z } from 'zod';
import type { Message, SentMessage } from '#src/chat/records.ts';
import { ValidationError } from '#src/errors.ts';
import { WireEmbeds } from './embeds.ts';

/** A message as Discord has it. */
export const WireMessage = z.object({
  id: z.string(),
  channel_id: z.string(),
  author: z.object({ id: z.string(), username: z.string(), global_name: z.string().nullish() }),
  content: z.string(),
  timestamp: z.coerce.date(),
  edited_timestamp: z.coerce.date().nullish(),
  embeds: WireEmbeds,
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

/** A message as the rest of Fanfare reads it. */
export function toMessage(
  wire: WireMessage,
  { guildId, channel, fetchedAt }: { readonly guildId: string; readonly channel: Message['channel']; readonly fetchedAt: Date },
): Message {
  const { author } = wire;
  return {
    ...toSent(wire, guildId),
    channel,
    author: {
      platform: 'discord',
      id: author.id,
      url: `https://discord.com/users/${author.id}`,
      handle: author.username,
      displayName: author.global_name ?? author.username,
    },
    content: wire.content,
    embeds: wire.embeds,
    createdAt: wire.timestamp,
    editedAt: wire.edited_timestamp ?? undefined,
    fetchedAt,
  };
}

/** The parts of `channel/message`. */
export function messagePlace(id: string, path: string): { readonly channelId: string; readonly messageId: string } {
  const [, channelId, messageId] = /^(\d+)\/(\d+)$/.exec(id) ?? [];
  if (channelId === undefined || messageId === undefined) {
    throw new ValidationError(`${path}: "${id}" is no message: it takes the id that discord.send gave, as 123/456.`, { path });
  }
  return { channelId, messageId };
}
