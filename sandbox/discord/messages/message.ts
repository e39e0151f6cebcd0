import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { JsonObject } from '#src/operation/json.ts';
import type { Journal } from '../../journal.ts';
import { type Snowflakes, compareIds, madeAtMs } from '../snowflake.ts';

/** The flags of messages by their bits. */
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

/** A message with its history. */
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

const COLLECTION = 'discord.messages';
/** "The past few minutes" in which a nonce is looked at. */
const NONCE_WINDOW_MS = 5 * 60_000;
/** What a sandbox that runs for months remembers; the journal keeps as many. */
const MOST_MESSAGES = 2000;

/** Where a page of a channel begins. */
export interface MessageRange {
  readonly limit: number;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly around?: string | undefined;
}

/** The messages that were sent, deleted ones too; written through to the journal. */
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

  /** All of them, as they arrived. */
  all(): IterableIterator<Message> {
    return this.#byId.values();
  }

  /** Whatever became of it. */
  find(id: string): Message | undefined {
    return this.#byId.get(id);
  }

  /** Where it was not deleted. */
  standing(channelId: string, id: string): Message | undefined {
    const message = this.#byId.get(id);
    return message?.channelId === channelId && message.deletedAt === undefined ? message : undefined;
  }

  /** As a read finds it: standing, and visible already. */
  read(channelId: string, id: string): Message | undefined {
    const message = this.standing(channelId, id);
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

  /** The newest that everybody could read, even if it was deleted since. */
  lastId(channelId: string): string | undefined {
    return this.#idsByChannel.get(channelId)?.findLast((id) => {
      const message = this.#byId.get(id);
      return message && this.#isVisible(message) && !hasFlag(message, FLAGS.Ephemeral);
    });
  }

  /** The message that this author sent with this nonce a short while ago, deleted or not. */
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
    if (this.#byId.size > MOST_MESSAGES) this.#forgetOldest();
  }

  #forgetOldest(): void {
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
