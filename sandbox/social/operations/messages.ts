import type * as messageTopic from '#src/clients/social/messages.ts';
import type { Conversation, Message } from '#src/clients/social/records/message.ts';
import type { PrimitivesOf } from '#src/clients/social/social.ts';
import { attached } from '../draft.ts';
import { type SocialRequest, requirePerson, requirePost } from '../request.ts';
import { type MailboxConversation, mailboxOf } from '../messaging/mailbox.ts';
import type { StoredMessage } from '../messaging/direct-messages.ts';
import { pageOf } from '../paging.ts';
import type { StoredMedia } from '../posts.ts';
import { entitiesOf, PLATFORM, toMedia, toPerson } from '../records.ts';
import { notFound, Refusal } from '../refusal.ts';

/** Direct messages of the signed-in account. */
export function messagesOperations(request: SocialRequest): PrimitivesOf<typeof messageTopic> {
  const { snapshot, viewer, directMessages, fault } = request;
  const { people, relations, now } = snapshot;
  const nowMs = now.getTime();
  const mailbox = mailboxOf({ owner: viewer, directMessages, people, relations, nowMs });

  /** Finds a conversation by its id or by the name of the other person. */
  function requireConversation(name: string): MailboxConversation {
    const conversation = mailbox.find(name);
    if (conversation) return conversation;
    const person = people.find(name);
    if (!person || person.id === viewer.id) throw notFound(`conversation ${name}`);
    return mailbox.with(person);
  }

  function recipientConversation(name: string, inGroup: boolean): MailboxConversation {
    if (!inGroup) {
      const person = requirePerson(request, name);
      if (person.id === viewer.id) throw new Refusal(422, 'invalid_recipient', 'You cannot send messages to yourself.');
      if (relations.parted(viewer.id, person.id)) throw new Refusal(403, 'blocked', 'One of you has blocked the other.');
      return mailbox.with(person);
    }
    const group = mailbox.find(name);
    if (group?.title === undefined) throw notFound(`group ${name}`);
    return group;
  }

  function requireMessage({ messages }: MailboxConversation, id: string): StoredMessage {
    const message = messages.find((one) => one.id === id);
    if (!message) throw notFound(`message ${id} in this conversation`);
    return message;
  }

  return {
    async getInbox({ user }, { cursor }) {
      const wanted = user === undefined ? undefined : mailbox.with(requirePerson(request, user)).id;
      const page = pageOf(
        mailbox.all().filter(({ id }) => wanted === undefined || id === wanted),
        cursor,
      );
      return { ...page, items: page.items.map((conversation) => toConversation(conversation, request)) };
    },

    async getConversation({ conversation: name, maxId }) {
      const conversation = requireConversation(name);
      const after = maxId === undefined ? 0 : conversation.messages.indexOf(requireMessage(conversation, maxId)) + 1;
      const answer = toConversation(conversation, request);
      // Opening a conversation marks it as read.
      directMessages.setReadUntil(conversation.id, viewer.id, nowMs);
      return { ...answer, messages: conversation.messages.slice(after).map((message) => toMessage(message, request)) };
    },

    async sendMessage({ user, text, file, inGroup, replyToMessage, audioOnly, quotePost }, { key }) {
      const conversation = recipientConversation(user, inGroup);
      const attachments = file === undefined ? [] : attached([file], request);
      const media = audioOnly ? soundOf(attachments) : attachments;
      const message = directMessages.add({
        conversationId: conversation.id,
        senderId: viewer.id,
        text,
        createdAtMs: nowMs,
        visibleAtMs: nowMs + (fault('delayedVisibility')?.ms ?? 0),
        media,
        replyTo: replyToMessage === undefined ? undefined : requireMessage(conversation, replyToMessage).id,
        sharedPostId: quotePost === undefined ? undefined : requirePost(request, quotePost).id,
        key,
      });
      directMessages.setReadUntil(conversation.id, viewer.id, nowMs);
      return toMessage(message, request);
    },

    async sendMessageReaction({ reactionEmoji, message, conversation }) {
      const { id } = requireMessage(requireConversation(conversation), message);
      directMessages.react({ messageId: id, userId: viewer.id, emoji: reactionEmoji });
      return true;
    },
  };
}

/** The files of an audio-only message. */
function soundOf(media: readonly StoredMedia[]): StoredMedia[] {
  if (media.length === 0 || media.some(({ kind }) => kind === 'image' || kind === 'gif')) {
    throw new Refusal(422, 'no_sound', 'An audio message needs a file with sound.');
  }
  return media.map(({ width: _width, height: _height, ...one }) => ({ ...one, kind: 'audio' }));
}

export function toMessage(message: StoredMessage, { snapshot, directMessages }: SocialRequest): Message {
  const sender = snapshot.people.find(message.senderId);
  if (!sender) throw new Error(`message ${message.id} has no sender`);
  return {
    platform: PLATFORM,
    id: message.id,
    conversationId: message.conversationId,
    visibility: 'direct',
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

/** A conversation without its messages. */
function toConversation({ id, title, members, messages }: MailboxConversation, view: SocialRequest): Conversation {
  const { snapshot, viewer, directMessages } = view;
  const last = messages.at(-1);
  const readUntilMs = directMessages.readUntilMs(id, viewer.id);
  const unreadCount = messages.filter(({ senderId, createdAtMs }) => senderId !== viewer.id && createdAtMs > readUntilMs).length;
  return {
    platform: PLATFORM,
    id,
    kind: title === undefined ? 'direct' : 'group',
    title,
    visibility: 'direct',
    participants: members.map((member) => toPerson(member, snapshot)),
    lastMessage: last && toMessage(last, view),
    unread: unreadCount > 0,
    unreadCount,
    fetchedAt: snapshot.now,
  };
}
