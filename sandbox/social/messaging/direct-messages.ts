import { z } from 'zod';
import type { Journal } from '../../journal.ts';
import { Keys, StoredMedia } from '../posts.ts';

const GROUPS = 'social.message-groups';
const MESSAGES = 'social.messages';
const REACTIONS = 'social.message-reactions';
const READS = 'social.message-reads';

const Group = z.object({ id: z.string(), title: z.string(), memberIds: z.array(z.string()), createdAtMs: z.number() });
export interface StoredGroup extends Readonly<z.output<typeof Group>> {}

const Message = z.object({
  id: z.string(),
  conversationId: z.string(),
  senderId: z.string(),
  text: z.string(),
  createdAtMs: z.number(),
  /** From when on reads show it. */
  visibleAtMs: z.number(),
  media: z.array(StoredMedia),
  replyTo: z.string().optional(),
  sharedPostId: z.string().optional(),
  key: z.string().optional(),
});
/** A direct message as the platform keeps it. */
export interface StoredMessage extends Readonly<z.output<typeof Message>> {}

const Reaction = z.object({ messageId: z.string(), userId: z.string(), emoji: z.string() });
type StoredReaction = z.output<typeof Reaction>;

const Read = z.object({ conversationId: z.string(), userId: z.string(), atMs: z.number() });

/** The direct messages that were sent through the API, the groups, who reacted to what, and who has read how far. */
export class DirectMessages {
  readonly #journal: Journal;
  readonly #groups = new Map<string, StoredGroup>();
  readonly #messages = new Map<string, StoredMessage>();
  readonly #byConversation = new Map<string, StoredMessage[]>();
  readonly #reactions = new Map<string, Map<string, StoredReaction>>();
  readonly #reads = new Map<string, number>();
  readonly #keys = new Keys();

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const document of journal.all(GROUPS)) this.#rememberGroup(Group.parse(document));
    for (const document of journal.all(MESSAGES)) this.#remember(Message.parse(document));
    for (const document of journal.all(REACTIONS)) this.#rememberReaction(Reaction.parse(document));
    for (const { conversationId, userId, atMs } of journal.all(READS).map((document) => Read.parse(document))) {
      this.#reads.set(readBy(conversationId, userId), atMs);
    }
  }

  groups(): readonly StoredGroup[] {
    return [...this.#groups.values()];
  }

  addGroup(group: Omit<StoredGroup, 'id'>): StoredGroup {
    const added = { ...group, id: `group-${this.#groups.size + 1}` };
    this.#journal.put(GROUPS, added.id, added);
    this.#rememberGroup(added);
    return added;
  }

  /** Oldest first. */
  in(conversationId: string): readonly StoredMessage[] {
    return this.#byConversation.get(conversationId) ?? [];
  }

  /** All that were sent, in their order. */
  all(): readonly StoredMessage[] {
    return [...this.#messages.values()];
  }

  /** The conversations in which somebody wrote something. */
  conversationIds(): readonly string[] {
    return [...this.#byConversation.keys()];
  }

  /** The first one that its sender sent with this key. */
  findByKey(senderId: string, key: string): StoredMessage | undefined {
    const id = this.#keys.find(senderId, key);
    return id === undefined ? undefined : this.#messages.get(id);
  }

  add(draft: Omit<StoredMessage, 'id'>): StoredMessage {
    const message = { ...draft, id: `message-${this.#messages.size + 1}` };
    // First where it survives a kill.
    this.#journal.put(MESSAGES, message.id, message);
    this.#remember(message);
    return message;
  }

  /** In the order in which people first reacted. */
  reactionsTo(messageId: string): readonly StoredReaction[] {
    return [...(this.#reactions.get(messageId)?.values() ?? [])];
  }

  react(reaction: StoredReaction): void {
    this.#journal.put(REACTIONS, `${reaction.messageId} ${reaction.userId}`, reaction);
    this.#rememberReaction(reaction);
  }

  /** The instant until which a person has read a conversation. */
  readUntilMs(conversationId: string, userId: string): number {
    return this.#reads.get(readBy(conversationId, userId)) ?? -Infinity;
  }

  setReadUntil(conversationId: string, userId: string, atMs: number): void {
    const id = readBy(conversationId, userId);
    this.#journal.put(READS, id, { conversationId, userId, atMs });
    this.#reads.set(id, atMs);
  }

  #rememberGroup(group: StoredGroup): void {
    this.#groups.set(group.id, group);
  }

  #remember(message: StoredMessage): void {
    const { id, conversationId, senderId, key } = message;
    this.#messages.set(id, message);
    this.#byConversation.set(conversationId, [...this.in(conversationId), message]);
    this.#keys.remember({ ownerId: senderId, key, id });
  }

  #rememberReaction(reaction: StoredReaction): void {
    const known = this.#reactions.get(reaction.messageId) ?? new Map<string, StoredReaction>();
    this.#reactions.set(reaction.messageId, known.set(reaction.userId, reaction));
  }
}

function readBy(conversationId: string, userId: string): string {
  return `${conversationId} ${userId}`;
}
