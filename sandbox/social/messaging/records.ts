import type { Conversation, Message } from '#src/social/records/message.ts';
import type { WorldPerson } from '../../world/world.ts';
import { PLATFORM, entitiesOf, toMedia, toPerson } from '../records.ts';
import type { Snapshot } from '../snapshot.ts';
import type { MailboxConversation } from './mailbox.ts';
import type { StoredMessage, DirectMessages } from './direct-messages.ts';

export interface MessageView {
  readonly snapshot: Snapshot;
  readonly viewer: WorldPerson;
  readonly directMessages: DirectMessages;
}

export function toMessage(message: StoredMessage, { snapshot, directMessages }: MessageView): Message {
  const sender = snapshot.people.find(message.senderId);
  if (!sender) throw new Error(`message ${message.id} is by nobody`);
  return {
    platform: PLATFORM,
    id: message.id,
    conversationId: message.conversationId,
    sender: toPerson(sender, snapshot),
    text: message.text,
    entities: entitiesOf(message.text, snapshot),
    createdAt: new Date(message.createdAtMs),
    media: message.media.map((media) => toMedia(media, snapshot)),
    sharedPostId: message.sharedPostId,
    replyTo: message.replyTo,
    reactions: directMessages.reactionsTo(message.id).flatMap(({ emoji, userId }) => {
      const user = snapshot.people.find(userId);
      return user ? [{ emoji, user: toPerson(user, snapshot) }] : [];
    }),
  };
}

/** A conversation without its messages, as the inbox shows it. */
export function toConversation({ id, title, members, messages }: MailboxConversation, view: MessageView): Conversation {
  const { snapshot, viewer, directMessages } = view;
  const last = messages.at(-1);
  const readUntilMs = directMessages.readUntilMs(id, viewer.id);
  const unreadCount = messages.filter(({ senderId, createdAtMs }) => senderId !== viewer.id && createdAtMs > readUntilMs).length;
  return {
    platform: PLATFORM,
    id,
    kind: title === undefined ? 'direct' : 'group',
    title,
    participants: members.map((member) => toPerson(member, snapshot)),
    lastMessage: last && toMessage(last, view),
    unread: unreadCount > 0,
    unreadCount,
    fetchedAt: snapshot.now,
  };
}
