import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';

/** What a message is besides its text, by Discord's bits. */
export const FLAGS = {
  Crossposted: 1 << 0,
  SuppressEmbeds: 1 << 2,
  HasThread: 1 << 5,
  Ephemeral: 1 << 6,
  Loading: 1 << 7,
  SuppressNotifications: 1 << 12,
  ComponentsV2: 1 << 15,
} as const;

export const MESSAGE_TYPES = { normal: 0, reply: 19, command: 20 } as const;

/** Kept as it came, once its form was checked. */
const Opaque = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null);

const Attachment = z.object({
  id: z.string(),
  filename: z.string(),
  sizeBytes: z.int(),
  contentType: z.string().optional(),
  description: z.string().optional(),
});
export type Attachment = z.output<typeof Attachment>;

const Mentions = z.object({ everyone: z.boolean(), roleIds: z.array(z.string()).readonly(), userIds: z.array(z.string()).readonly() });
/** Whom a text pings, with all permissions considered. */
export type Mentions = z.output<typeof Mentions>;

const Version = z.object({
  /** ISO text. */
  at: z.string(),
  content: z.string(),
  embeds: z.array(Opaque).readonly(),
  components: z.array(Opaque).readonly(),
  attachments: z.array(Attachment).readonly(),
  flags: z.int(),
  mentions: Mentions,
});
/** A message as it stood from one instant on. */
export type Version = z.output<typeof Version>;

const Reaction = z.object({ emojiId: z.string().optional(), emojiName: z.string(), userIds: z.array(z.string()).readonly() });
export type Reaction = z.output<typeof Reaction>;

const Origin = z.object({
  interactionId: z.string(),
  type: z.int(),
  userId: z.string(),
  /** As `game streams`; only of commands. */
  commandName: z.string().optional(),
  /** Only of follow-ups. */
  originalMessageId: z.string().optional(),
  /** Only of components. */
  interactedMessageId: z.string().optional(),
});
/** The interaction that a message answers. */
export type Origin = z.output<typeof Origin>;

/** A message with all that became of it. */
export const Message = z.object({
  id: z.string(),
  channelId: z.string(),
  authorId: z.string(),
  type: z.int(),
  nonce: z.union([z.string(), z.int()]).optional(),
  /** Oldest first; the last is how it stands. */
  versions: z.array(Version).min(1).readonly(),
  replyTo: z.string().optional(),
  origin: Origin.optional(),
  reactions: z.array(Reaction).readonly(),
  threadId: z.string().optional(),
  /** Reads do not show it before. */
  visibleAtMs: z.number().optional(),
  /** ISO text. */
  deletedAt: z.string().optional(),
});
export type Message = z.output<typeof Message>;

/** How a message stands. */
export function currentOf(message: Message): Version {
  const version = message.versions.at(-1);
  if (!version) throw new RangeError(`message ${message.id} was never written`);
  return version;
}

export function hasFlag(message: Message, flag: number): boolean {
  return (currentOf(message).flags & flag) !== 0;
}

/** The versions that somebody could read: not the "is thinking" that a deferred answer begins with. */
export function shownOf(message: Message): readonly Version[] {
  return message.versions.filter(({ flags }) => (flags & FLAGS.Loading) === 0);
}
