import { directId, generatedReplies, openingMessages } from '#sandbox/social/messaging/mailbox.ts';
import type { StoredGroup, StoredMessage } from '#sandbox/social/messaging/direct-messages.ts';
import type { Conversation, Message } from '#src/social/records/message.ts';
import type { SocialGround } from '../ground.ts';
import { ME } from '../installation/past.ts';
import { partedFromMe } from './people.ts';

/** A conversation of the account. */
export interface StoredConversation {
  readonly id: string;
  readonly title: string | undefined;
  readonly memberIds: readonly string[];
  /** Oldest first. */
  readonly messages: readonly StoredMessage[];
}

/** What was sent through the API. */
export function sent({ store }: SocialGround): readonly StoredMessage[] {
  return store.all('social.messages') as unknown as readonly StoredMessage[]; // as the platform wrote them
}

/** The account's conversations, the one with the latest message first. */
export function conversations(ground: SocialGround): readonly StoredConversation[] {
  const groups = ground.store.all('social.message-groups') as unknown as readonly StoredGroup[]; // as the platform wrote them
  const opening = openingMessages(ground.people.others);
  const parted = partedFromMe(ground);
  const partners = [...opening, ...sent(ground)].flatMap(({ conversationId }) =>
    conversationId.split('-').filter((id) => id !== ME && ground.people.find(id) !== undefined),
  );
  const direct = [...new Set(partners)]
    .filter((id) => !parted.has(id))
    .map((id) => ({ id: directId(id, ME), title: undefined, memberIds: directId(id, ME).split('-') }));
  const all = [...direct, ...groups].map(({ id, title, memberIds }) => {
    const written = sent(ground).filter(({ conversationId }) => conversationId === id);
    const messages = [
      ...opening.filter(({ conversationId }) => conversationId === id),
      ...written,
      ...generatedReplies(written, memberIds),
    ];
    const shown = messages.filter(({ visibleAtMs, senderId }) => visibleAtMs <= ground.nowMs && !parted.has(senderId));
    return { id, title, memberIds, messages: shown.toSorted((a, b) => a.createdAtMs - b.createdAtMs) };
  });
  const latest = ({ messages }: StoredConversation): number => messages.at(-1)?.createdAtMs ?? 0;
  return all.toSorted((a, b) => latest(b) - latest(a) || (a.id < b.id ? -1 : 1));
}

export function conversationOf(ground: SocialGround, id: string): StoredConversation {
  const conversation = conversations(ground).find((one) => one.id === id);
  if (!conversation) throw new Error(`there is no conversation ${id}`);
  return conversation;
}

function readUntilMs({ store }: SocialGround, id: string): number {
  const read = store.get('social.message-reads', `${id} ${ME}`) as { readonly atMs: number } | undefined; // as the platform wrote it
  return read?.atMs ?? -Infinity;
}

/** What somebody said to a message with an emoji. */
export function emojiOf({ store }: SocialGround, messageId: string): string | undefined {
  const reaction = store.get('social.message-reactions', `${messageId} ${ME}`) as { readonly emoji: string } | undefined; // as the platform wrote it
  return reaction?.emoji;
}

export function unreadIn(ground: SocialGround, { id, messages }: StoredConversation): number {
  return messages.filter(({ senderId, createdAtMs }) => senderId !== ME && createdAtMs > readUntilMs(ground, id)).length;
}

export function conversationFacts(ground: SocialGround, conversation: StoredConversation): unknown {
  const last = conversation.messages.at(-1);
  const unreadCount = unreadIn(ground, conversation);
  return {
    id: conversation.id,
    kind: conversation.title === undefined ? 'direct' : 'group',
    title: conversation.title,
    participants: conversation.memberIds,
    last: last && messageFacts(last),
    unread: unreadCount > 0,
    unreadCount,
  };
}

export function seenConversation({ id, kind, title, participants, lastMessage, unread, unreadCount }: Conversation): unknown {
  return {
    id,
    kind,
    title,
    participants: participants.map((one) => one.id),
    last: lastMessage && seenMessage(lastMessage),
    unread,
    unreadCount,
  };
}

export function messageFacts({
  id,
  conversationId,
  senderId,
  text,
  createdAtMs,
  media,
  replyTo,
  sharedPostId,
}: Omit<StoredMessage, 'visibleAtMs'>): unknown {
  return { id, conversationId, senderId, text, createdAtMs, media: media.map((one) => [one.id, one.kind]), replyTo, sharedPostId };
}

export function seenMessage({ id, conversationId, sender, text, createdAt, media, replyTo, sharedPostId }: Message): unknown {
  return {
    id,
    conversationId,
    senderId: sender.id,
    text,
    createdAtMs: createdAt.getTime(),
    media: media.map((one) => [one.id, one.kind]),
    replyTo,
    sharedPostId,
  };
}
