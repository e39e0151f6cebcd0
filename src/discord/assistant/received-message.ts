import { MessageReferenceType, MessageType } from 'discord.js';
import { z } from 'zod';

const FROM_PEOPLE: readonly number[] = [MessageType.Default, MessageType.Reply];

const Wire = z.object({
  id: z.string(),
  type: z.int(),
  channel_id: z.string(),
  guild_id: z.string().optional(),
  webhook_id: z.string().optional(),
  content: z.string(),
  author: z.object({ id: z.string(), username: z.string(), bot: z.boolean().optional() }),
  member: z.object({ roles: z.array(z.string()) }).optional(),
  mentions: z.array(z.object({ id: z.string(), username: z.string() })).default([]),
  message_reference: z.object({ type: z.int().optional(), channel_id: z.string().optional(), message_id: z.string().optional() }).nullish(),
});

/** Something that a person wrote in a server. */
export interface ReceivedMessage {
  readonly id: string;
  readonly channel: string;
  readonly server: string;
  readonly author: { readonly id: string; readonly name: string; readonly roles: readonly string[] };
  /** What they wrote, with names in place of mentions and without those of the bot; empty where Discord does not tell. */
  readonly text: string;
  /** Whether it begins by naming the bot. */
  readonly isAddressed: boolean;
  /** The message to which it replies. */
  readonly replyTo: string | undefined;
}

/** What the gateway tells of a message; undefined for what is none of a person in a server. */
export function readMessage(data: unknown, bot: string): ReceivedMessage | undefined {
  const { data: wire } = Wire.safeParse(data);
  if (!wire || wire.guild_id === undefined || !wire.member) return undefined;
  if (wire.author.bot || wire.author.id === bot || wire.webhook_id !== undefined || !FROM_PEOPLE.includes(wire.type)) return undefined;
  const { message_reference: reference } = wire;
  const isReply = wire.type === MessageType.Reply && (reference?.type ?? MessageReferenceType.Default) === MessageReferenceType.Default;
  return {
    id: wire.id,
    channel: wire.channel_id,
    server: wire.guild_id,
    author: { id: wire.author.id, name: wire.author.username, roles: wire.member.roles },
    text: withNames(wire.content, new Map(wire.mentions.map(({ id, username }) => [id, username])), bot),
    isAddressed: new RegExp(`^\\s*<@!?${bot}>`, 'u').test(wire.content),
    replyTo: isReply ? reference?.message_id : undefined,
  };
}

function withNames(content: string, names: ReadonlyMap<string, string>, bot: string): string {
  return content
    .replaceAll(/<@!?(\d+)>/gu, (mention, id: string) => (id === bot ? '' : names.has(id) ? `@${names.get(id)}` : mention))
    .trim();
}
