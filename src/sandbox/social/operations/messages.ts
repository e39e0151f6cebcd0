import type { SocialPlatform } from '#src/social/social.ts';
import { attached } from '../draft.ts';
import { requirePerson, requirePost, type Meeting } from '../meeting.ts';
import { mailboxOf, type Talk } from '../messaging/mailbox.ts';
import { toConversation, toMessage } from '../messaging/records.ts';
import type { StoredMessage } from '../messaging/talks.ts';
import { pageOf } from '../paging.ts';
import type { StoredMedia } from '../posts.ts';
import { notFound, Refusal } from '../refusal.ts';

type Name = 'getInbox' | 'getConversation' | 'sendMessage' | 'sendMessageReaction';

interface Messages {
  readonly operations: Pick<Required<SocialPlatform['operations']>, Name>;
  readonly recover: Pick<Required<NonNullable<SocialPlatform['recover']>>, 'sendMessage'>;
}

/** What the signed-in account and others write to each other, unseen by everybody else. */
export function messagesOperations(meeting: Meeting): Messages {
  const { moment, viewer, talks, fault } = meeting;
  const { people, relations, now } = moment;
  const nowMs = now.getTime();
  const mailbox = mailboxOf({ owner: viewer, talks, people, relations, nowMs });

  /** By its own id, or by the name of whom it is with. */
  function requireTalk(name: string): Talk {
    const talk = mailbox.find(name);
    if (talk) return talk;
    const person = people.find(name);
    if (!person || person.id === viewer.id) throw notFound(`conversation ${name}`);
    return mailbox.with(person);
  }

  function recipientTalk(name: string, inGroup: boolean): Talk {
    if (!inGroup) {
      const person = requirePerson(meeting, name);
      if (person.id === viewer.id) throw new Refusal(422, 'invalid_recipient', 'Nobody writes to themselves here.');
      if (relations.parted(viewer.id, person.id)) throw new Refusal(403, 'blocked', 'A block stands between the two of you.');
      return mailbox.with(person);
    }
    const group = mailbox.find(name);
    if (group?.title === undefined) throw notFound(`group ${name}`);
    return group;
  }

  function requireMessage({ messages }: Talk, id: string): StoredMessage {
    const message = messages.find((one) => one.id === id);
    if (!message) throw notFound(`message ${id} in this conversation`);
    return message;
  }

  return {
    operations: {
      async getInbox({ user }, { cursor }) {
        const wanted = user === undefined ? undefined : mailbox.with(requirePerson(meeting, user)).id;
        const page = pageOf(
          mailbox.all().filter(({ id }) => wanted === undefined || id === wanted),
          cursor,
        );
        return { ...page, items: page.items.map((talk) => toConversation(talk, meeting)) };
      },

      async getConversation({ conversation, maxId }) {
        const talk = requireTalk(conversation);
        const after = maxId === undefined ? 0 : talk.messages.indexOf(requireMessage(talk, maxId)) + 1;
        const answer = toConversation(talk, meeting);
        // Whoever opens a conversation has read it from then on.
        talks.markRead(talk.id, viewer.id, nowMs);
        return { ...answer, messages: talk.messages.slice(after).map((message) => toMessage(message, meeting)) };
      },

      async sendMessage({ user, text, file, inGroup, replyToMessage, audioOnly, quotePost }, { key }) {
        const earlier = key === undefined || fault('ignoreKey') ? undefined : talks.findByKey(viewer.id, key);
        if (earlier) return toMessage(earlier, meeting);
        const talk = recipientTalk(user, inGroup);
        const attachments = file === undefined ? [] : attached([file], meeting);
        const media = audioOnly ? soundOf(attachments) : attachments;
        if (text === '' && media.length === 0) throw new Refusal(422, 'empty_message', 'A message without a file says something.');
        const message = talks.add({
          conversationId: talk.id,
          senderId: viewer.id,
          text,
          createdAtMs: nowMs,
          visibleAtMs: nowMs + (fault('delayedVisibility')?.ms ?? 0),
          media,
          replyTo: replyToMessage === undefined ? undefined : requireMessage(talk, replyToMessage).id,
          sharedPostId: quotePost === undefined ? undefined : requirePost(meeting, quotePost).id,
          key,
        });
        talks.markRead(talk.id, viewer.id, nowMs);
        return toMessage(message, meeting);
      },

      async sendMessageReaction({ reactionEmoji, message, conversation }) {
        const { id } = requireMessage(requireTalk(conversation), message);
        talks.react({ messageId: id, userId: viewer.id, emoji: reactionEmoji });
        return true;
      },
    },

    recover: {
      async sendMessage(_, { key }) {
        const message = talks.findByKey(viewer.id, key);
        return message ? { found: toMessage(message, meeting) } : 'absent';
      },
    },
  };
}

/** What is left of files when only their sound is sent. */
function soundOf(media: readonly StoredMedia[]): StoredMedia[] {
  if (media.length === 0 || media.some(({ kind }) => kind === 'image' || kind === 'gif')) {
    throw new Refusal(422, 'no_sound', 'There is no file with sound that could be sent.');
  }
  return media.map(({ width: _width, height: _height, ...one }) => ({ ...one, kind: 'audio' }));
}
