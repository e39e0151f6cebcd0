import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Journal } from '../../journal.ts';
import { type Snowflakes, compareIds, madeAtMs } from '../snowflake.ts';

/** The bits of message flags. */
export const FLAGS = {
  Crossposted: 1 << 0,
  SuppressEmbeds: 1 << 2,
  HasThread: 1 << 5,
  Ephemeral: 1 << 6,
  Loading: 1 << 7,
  SuppressNotifications: 1 << 12,
  IsComponentsV2: 1 << 15,
} as const;

export const MESSAGE_TYPES = { normal: 0, threadCreated: 18, reply: 19, command: 20 } as const;

/** JSON that the form has checked. */
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
/** The users and roles that a text pings, after the permission checks. */
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
/** A version of a message. Each edit adds one. */
export type Version = z.output<typeof Version>;

const Reaction = z.object({ emojiId: z.string().optional(), emojiName: z.string(), userIds: z.array(z.string()).readonly() });
export type Reaction = z.output<typeof Reaction>;

const Origin = z.object({
  interactionId: z.string(),
  type: z.int(),
  userId: z.string(),
  /** For example `game streams`; only of commands. */
  commandName: z.string().optional(),
  /** Only of follow-ups. */
  originalMessageId: z.string().optional(),
  /** Only of components. */
  interactedMessageId: z.string().optional(),
});
/** The interaction that a message answers. */
export type Origin = z.output<typeof Origin>;

/** A message with its history. */
export const Message = z.object({
  id: z.string(),
  channelId: z.string(),
  authorId: z.string(),
  type: z.int(),
  /** The name and the picture of a message that a webhook sent; its author is the webhook. */
  sender: z.object({ name: z.string(), avatar: z.string().optional() }).optional(),
  nonce: z.union([z.string(), z.int()]).optional(),
  /** Oldest first. The last version is the current one. */
  versions: z.array(Version).min(1).readonly(),
  replyTo: z.string().optional(),
  origin: Origin.optional(),
  reactions: z.array(Reaction).readonly(),
  threadId: z.string().optional(),
  /** Reads hide the message until this time. */
  visibleAtMs: z.number().optional(),
  /** ISO text. */
  deletedAt: z.string().optional(),
});
export type Message = z.output<typeof Message>;

export function currentOf(message: Message): Version {
  const version = message.versions.at(-1);
  if (!version) throw new RangeError(`message ${message.id} was never written`);
  return version;
}

/** The content as people read it. */
export function readableContent(message: Message): string {
  const { content } = currentOf(message);
  return message.type === MESSAGE_TYPES.threadCreated ? `started a thread: **${content}**` : content;
}

/** The files that Discord lists as attachments: those that no embed and no component shows. */
export function listedFiles({ embeds, components, attachments }: Version): readonly Attachment[] {
  const shown = JSON.stringify([embeds, components]);
  return attachments.filter(({ filename }) => !shown.includes(`"attachment://${filename}"`));
}

/** The files that people see below a message. With Components V2, they see none there. */
export function filesBelow(version: Version): readonly Attachment[] {
  return (version.flags & FLAGS.IsComponentsV2) === 0 ? listedFiles(version) : [];
}

export function hasFlag(message: Message, flag: number): boolean {
  return (currentOf(message).flags & flag) !== 0;
}

/** The versions that users could read. The "is thinking" of a deferred answer is not one of them. */
export function shownOf(message: Message): readonly Version[] {
  return message.versions.filter(({ flags }) => (flags & FLAGS.Loading) === 0);
}

const COLLECTION = 'discord.messages';
/** How long a nonce deduplicates. Discord documents "the past few minutes". */
const NONCE_WINDOW_MS = 5 * 60_000;
/** The limit for sandboxes that run for months. The journal has the same limit. */
const MAX_MESSAGES = 2000;

/** A page of the history of a channel. */
interface MessageRange {
  readonly limit: number;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly around?: string | undefined;
}

/** All messages, deleted ones included. The journal stores them. */
export class Messages {
  readonly #journal: Journal;
  readonly #clock: Clock;
  /** In order of arrival. */
  readonly #byId = new Map<string, Message>();
  /** In order of arrival. */
  readonly #idsByChannel = new Map<string, string[]>();
  readonly #idByNonce = new Map<string, string>();

  constructor({ journal, clock, ids }: { readonly journal: Journal; readonly clock: Clock; readonly ids: Snowflakes }) {
    this.#journal = journal;
    this.#clock = clock;
    for (const document of journal.all(COLLECTION)) {
      const message = Message.parse(document);
      this.#index(message);
      ids.skipPast(message.id);
    }
  }

  put(message: Message): void {
    this.#index(message);
    this.#journal.put(COLLECTION, message.id, message);
  }

  /** All messages in order of arrival. */
  all(): IterableIterator<Message> {
    return this.#byId.values();
  }

  /** Finds a message, even if it was deleted. */
  find(id: string): Message | undefined {
    return this.#byId.get(id);
  }

  /** Finds a message that was not deleted. */
  existing(channelId: string, id: string): Message | undefined {
    const message = this.#byId.get(id);
    return message?.channelId === channelId && message.deletedAt === undefined ? message : undefined;
  }

  /** Finds a message that reads can show. */
  read(channelId: string, id: string): Message | undefined {
    const message = this.existing(channelId, id);
    return message && this.#isVisible(message) ? message : undefined;
  }

  /** A page of a channel's history, newest first. */
  list(channelId: string, { limit, before, after, around }: MessageRange): readonly Message[] {
    const newest = this.#history(channelId).toReversed();
    if (before !== undefined) return newest.filter(({ id }) => compareIds(id, before) < 0).slice(0, limit);
    if (after !== undefined) return newest.filter(({ id }) => compareIds(id, after) > 0).slice(-limit);
    if (around === undefined) return newest.slice(0, limit);

    const older = newest.filter(({ id }) => compareIds(id, around) <= 0);
    const newer = newest.filter(({ id }) => compareIds(id, around) > 0);
    const half = Math.floor(limit / 2);
    return [...(half > 0 ? newer.slice(-half) : []), ...older.slice(0, limit - half)];
  }

  /** The id of the newest message that everyone could read, even if it was deleted. */
  lastId(channelId: string): string | undefined {
    return this.#idsByChannel.get(channelId)?.findLast((id) => {
      const message = this.#byId.get(id);
      return message && this.#isVisible(message) && !hasFlag(message, FLAGS.Ephemeral);
    });
  }

  /** The message that the author recently sent with this nonce, even if it was deleted. */
  findByNonce(authorId: string, nonce: string | number): Message | undefined {
    const message = this.#byId.get(this.#idByNonce.get(toNonceKey(authorId, nonce)) ?? '');
    return message && madeAtMs(message.id) > this.#clock.nowMs() - NONCE_WINDOW_MS ? message : undefined;
  }

  #history(channelId: string): readonly Message[] {
    return (this.#idsByChannel.get(channelId) ?? []).flatMap((id) => {
      const message = this.read(channelId, id);
      return message && !hasFlag(message, FLAGS.Ephemeral) ? [message] : [];
    });
  }

  #isVisible({ visibleAtMs = 0 }: Message): boolean {
    return visibleAtMs <= this.#clock.nowMs();
  }

  #index(message: Message): void {
    if (!this.#byId.has(message.id)) {
      const ids = this.#idsByChannel.get(message.channelId);
      if (ids) ids.push(message.id);
      else this.#idsByChannel.set(message.channelId, [message.id]);
    }
    if (message.nonce !== undefined) this.#idByNonce.set(toNonceKey(message.authorId, message.nonce), message.id);
    this.#byId.set(message.id, message);
    if (this.#byId.size > MAX_MESSAGES) this.#dropOldest();
  }

  #dropOldest(): void {
    const [oldest] = this.#byId.values();
    if (!oldest) return;
    this.#byId.delete(oldest.id);
    this.#idsByChannel.get(oldest.channelId)?.shift();
    if (oldest.nonce !== undefined) this.#idByNonce.delete(toNonceKey(oldest.authorId, oldest.nonce));
  }
}

function toNonceKey(authorId: string, nonce: string | number): string {
  return `${authorId} ${nonce}`;
}
