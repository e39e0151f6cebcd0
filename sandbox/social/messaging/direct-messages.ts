import { z } from 'zod';
import type { Journal } from '../../journal.ts';
import { StoredMap } from '../../stored-map.ts';
import { byKey, StoredMedia } from '../posts.ts';

const Group = z.object({ id: z.string(), title: z.string(), memberIds: z.array(z.string()), createdAtMs: z.number() });
export interface StoredGroup extends Readonly<z.output<typeof Group>> {}

const Message = z.object({
  id: z.string(),
  conversationId: z.string(),
  senderId: z.string(),
  text: z.string(),
  createdAtMs: z.number(),
  /** Reads show the message from this time on. */
  visibleAtMs: z.number(),
  media: z.array(StoredMedia),
  replyTo: z.string().optional(),
  sharedPostId: z.string().optional(),
  key: z.string().optional(),
});
/** A direct message. */
export interface StoredMessage extends Readonly<z.output<typeof Message>> {}

const Reaction = z.object({ messageId: z.string(), userId: z.string(), emoji: z.string() });
type StoredReaction = z.output<typeof Reaction>;

const Read = z.object({ conversationId: z.string(), userId: z.string(), atMs: z.number() });

/** The direct messages from the API with their groups, reactions and read markers. */
export class DirectMessages {
  readonly #groups: StoredMap<StoredGroup>;
  readonly #messages: StoredMap<StoredMessage>;
  readonly #reactions: StoredMap<StoredReaction>;
  readonly #reads: StoredMap<z.output<typeof Read>>;
  /** The messages of a conversation, oldest first. */
  readonly in: (conversationId: string) => readonly StoredMessage[];
  /** The reactions to a message in the order in which people first reacted. */
  readonly reactionsTo: (messageId: string) => readonly StoredReaction[];
  /** The first message that a sender sent with a key. */
  readonly findByKey: (senderId: string, key: string) => StoredMessage | undefined;

  constructor(journal: Journal) {
    this.#groups = new StoredMap({ journal, collection: 'social.message-groups', schema: Group, keyOf: ({ id }) => id });
    this.#messages = new StoredMap({ journal, collection: 'social.messages', schema: Message, keyOf: ({ id }) => id });
    this.#reactions = new StoredMap({
      journal,
      collection: 'social.message-reactions',
      schema: Reaction,
      keyOf: ({ messageId, userId }) => `${messageId} ${userId}`,
    });
    this.#reads = new StoredMap({
      journal,
      collection: 'social.message-reads',
      schema: Read,
      keyOf: ({ conversationId, userId }) => `${conversationId} ${userId}`,
    });
    this.in = this.#messages.index(({ conversationId }) => conversationId);
    this.reactionsTo = this.#reactions.index(({ messageId }) => messageId);
    this.findByKey = byKey(this.#messages, ({ senderId }) => senderId);
  }

  groups(): readonly StoredGroup[] {
    return this.#groups.all();
  }

  addGroup(group: Omit<StoredGroup, 'id'>): StoredGroup {
    return this.#groups.put({ ...group, id: `group-${this.#groups.size + 1}` });
  }

  /** Oldest first. */
  all(): readonly StoredMessage[] {
    return this.#messages.all();
  }

  /** The conversations with at least one message. */
  conversationIds(): readonly string[] {
    return [...new Set(this.all().map(({ conversationId }) => conversationId))];
  }

  add(draft: Omit<StoredMessage, 'id'>): StoredMessage {
    return this.#messages.put({ ...draft, id: `message-${this.#messages.size + 1}` });
  }

  react(reaction: StoredReaction): void {
    this.#reactions.put(reaction);
  }

  /** The instant until which a person has read a conversation. */
  readUntilMs(conversationId: string, userId: string): number {
    return this.#reads.get(`${conversationId} ${userId}`)?.atMs ?? -Infinity;
  }

  setReadUntil(conversationId: string, userId: string, atMs: number): void {
    this.#reads.put({ conversationId, userId, atMs });
  }
}
