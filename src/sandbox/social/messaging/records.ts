import type { Conversation, Message } from '#src/social/records/message.ts';
import type { WorldPerson } from '../../world/world.ts';
import { entitiesOf } from '../entities.ts';
import type { Moment } from '../moment.ts';
import { toMedia } from '../records.ts';
import { PLATFORM, toPerson } from '../user-record.ts';
import type { Talk } from './mailbox.ts';
import type { StoredMessage, Talks } from './talks.ts';

export interface Reading {
  readonly moment: Moment;
  readonly viewer: WorldPerson;
  readonly talks: Talks;
}

export function toMessage(message: StoredMessage, { moment, talks }: Reading): Message {
  const sender = moment.people.find(message.senderId);
  if (!sender) throw new Error(`message ${message.id} is by nobody`);
  return {
    platform: PLATFORM,
    id: message.id,
    conversationId: message.conversationId,
    sender: toPerson(sender, moment),
    text: message.text,
    entities: entitiesOf(message.text, moment),
    createdAt: new Date(message.createdAtMs),
    media: message.media.map((media) => toMedia(media, moment)),
    sharedPostId: message.sharedPostId,
    replyTo: message.replyTo,
    reactions: talks.reactionsTo(message.id).flatMap(({ emoji, userId }) => {
      const user = moment.people.find(userId);
      return user ? [{ emoji, user: toPerson(user, moment) }] : [];
    }),
  };
}

/** A conversation without its messages, as the inbox shows it. */
export function toConversation({ id, title, members, messages }: Talk, reading: Reading): Conversation {
  const { moment, viewer, talks } = reading;
  const last = messages.at(-1);
  const readUntilMs = talks.readUntilMs(id, viewer.id);
  const unreadCount = messages.filter(({ senderId, createdAtMs }) => senderId !== viewer.id && createdAtMs > readUntilMs).length;
  return {
    platform: PLATFORM,
    id,
    kind: title === undefined ? 'direct' : 'group',
    title,
    participants: members.map((member) => toPerson(member, moment)),
    lastMessage: last && toMessage(last, reading),
    unread: unreadCount > 0,
    unreadCount,
    fetchedAt: moment.now,
  };
}
