import type { SocialPlatform } from '#src/social/social.ts';
import { attached } from '../draft.ts';
import { type SocialRequest, requirePerson, requirePost } from '../request.ts';
import { type MailboxConversation, mailboxOf } from '../messaging/mailbox.ts';
import { toConversation, toMessage } from '../messaging/records.ts';
import type { StoredMessage } from '../messaging/direct-messages.ts';
import { pageOf } from '../paging.ts';
import type { StoredMedia } from '../posts.ts';
import { notFound, Refusal } from '../refusal.ts';

type Name = 'getInbox' | 'getConversation' | 'sendMessage' | 'sendMessageReaction';

interface Messages {
  readonly operations: Pick<Required<SocialPlatform['operations']>, Name>;
  readonly recover: Pick<Required<NonNullable<SocialPlatform['recover']>>, 'sendMessage'>;
}

/** What the signed-in account and others write to each other, unseen by everybody else. */
export function messagesOperations(request: SocialRequest): Messages {
  const { snapshot, viewer, directMessages, fault } = request;
  const { people, relations, now } = snapshot;
  const nowMs = now.getTime();
  const mailbox = mailboxOf({ owner: viewer, directMessages, people, relations, nowMs });

  /** By its own id, or by the name of whom it is with. */
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
      if (person.id === viewer.id) throw new Refusal(422, 'invalid_recipient', 'Nobody writes to themselves here.');
      if (relations.parted(viewer.id, person.id)) throw new Refusal(403, 'blocked', 'A block stands between the two of you.');
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
    operations: {
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
        const earlier = key === undefined || fault('ignoreKey') ? undefined : directMessages.findByKey(viewer.id, key);
        if (earlier) return toMessage(earlier, request);
        const conversation = recipientConversation(user, inGroup);
        const attachments = file === undefined ? [] : attached([file], request);
        const media = audioOnly ? soundOf(attachments) : attachments;
        if (text === '' && media.length === 0) throw new Refusal(422, 'empty_message', 'A message without a file says something.');
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
    },

    recover: {
      async sendMessage(_, { key }) {
        const message = directMessages.findByKey(viewer.id, key);
        return message ? { found: toMessage(message, request) } : 'absent';
      },
    },
  };
}

/** The files of an audio-only message. */
function soundOf(media: readonly StoredMedia[]): StoredMedia[] {
  if (media.length === 0 || media.some(({ kind }) => kind === 'image' || kind === 'gif')) {
    throw new Refusal(422, 'no_sound', 'There is no file with sound that could be sent.');
  }
  return media.map(({ width: _width, height: _height, ...one }) => ({ ...one, kind: 'audio' }));
}
