import { z } from 'zod';
import { type JsonObject, isJsonList, isJsonObject } from '#src/operation/json.ts';
import { countGraphemes } from '#src/operation/text/characters.ts';
import type { StoredMessage } from '../social/messaging/direct-messages.ts';
import type { MailboxConversation } from '../social/messaging/mailbox.ts';
import { type ChatView, chatViewOf, requireConvo, requireMessage, statusOf, toConvo, toMember, toMessage } from './chat-view.ts';
import type { Bluesky } from './core.ts';
import { Did, type Endpoints, type SignedCall, StrongRef, cutPage, many, one, paging, procedure, query, text } from './endpoint.ts';
import { invalidRequest } from './refusal.ts';
import { incomingOf } from './profile-view.ts';
import { Facet, limited } from './record-schemas.ts';
import { valueAt } from './records.ts';
import { findPost } from './view.ts';

const MOST_MEMBERS = 10;

/** `chat.bsky.convo`: what was said to somebody alone. */
export function chatReadingEndpoints(bluesky: Bluesky): Endpoints {
  return {
    'chat.bsky.convo.listConvos': query(
      z.object({
        readState: one(z.literal('unread')).optional(),
        status: one(z.enum(['request', 'accepted'])).optional(),
        kind: one(z.enum(['direct', 'group'])).optional(),
        ...paging(),
      }),
      ({ readState, status, kind, ...pageRequest }, call) => {
        const chat = chatViewOf(bluesky, call);
        const requested = chat.mailbox
          .all()
          .filter((conversation) => status === undefined || statusOf(conversation, chat) === status)
          .filter(({ title }) => kind === undefined || (kind === 'group') === (title !== undefined))
          .filter((conversation) => readState === undefined || toConvo(conversation, chat)['unreadCount'] !== 0);
        const { items, cursor } = cutPage(requested, pageRequest, { idOf: ({ id }) => id, fault: call.fault });
        return { cursor, convos: items.map((conversation) => toConvo(conversation, chat)) };
      },
    ),

    'chat.bsky.convo.getConvo': query(z.object({ convoId: text }), ({ convoId }, call) => {
      const chat = chatViewOf(bluesky, call);
      return { convo: toConvo(requireConvo(chat, convoId), chat) };
    }),

    'chat.bsky.convo.getConvoForMembers': query(z.object({ members: many(Did, MOST_MEMBERS).min(1) }), ({ members }, call) => {
      const chat = chatViewOf(bluesky, call);
      return { convo: toConvo(convoWith(members, chat), chat) };
    }),

    'chat.bsky.convo.getMessages': query(z.object({ convoId: text, ...paging() }), ({ convoId, ...pageRequest }, call) => {
      const chat = chatViewOf(bluesky, call);
      const conversation = requireConvo(chat, convoId);
      const { items, cursor } = cutPage(conversation.messages.toReversed(), pageRequest, { idOf: ({ id }) => id, fault: call.fault });
      return {
        cursor,
        messages: items.map((message) => toMessage(message, conversation, chat)),
        relatedProfiles: conversation.members.map((member) => toMember(member, conversation, chat)),
      };
    }),

    'chat.bsky.convo.updateRead': procedure(
      z.looseObject({ convoId: z.string(), messageId: z.string().optional() }),
      ({ convoId }, call) => {
        const chat = chatViewOf(bluesky, call);
        const conversation = requireConvo(chat, convoId);
        bluesky.core.directMessages.setReadUntil(conversation.id, call.session.person.id, call.nowMs);
        return { convo: toConvo(conversation, chat) };
      },
    ),
  };
}

/** The conversation with one other; refuses where they do not take messages of the caller. */
function convoWith(members: readonly string[], chat: ChatView): MailboxConversation {
  const { bluesky, viewer, snapshot } = chat.view;
  const people = members.map((did) => bluesky.directory.find(did));
  if (people.includes(undefined)) throw invalidRequest('Recipient not found', 'RecipientNotFound');
  const [other, ...more] = people.flatMap((person) => (person && person.id !== viewer.id ? [person] : []));
  if (!other) throw invalidRequest('Conversation must have at least one other member');
  if (more.length > 0) throw invalidRequest('Only direct conversations can be found by their members');
  const { relations } = snapshot;
  if (relations.blocks(viewer.id, other.id)) throw invalidRequest('requester has blocked recipient', 'BlockedActor');
  if (relations.blocks(other.id, viewer.id)) throw invalidRequest('recipient has blocked requester', 'BlockedSubject');
  const conversation = chat.mailbox.with(other);
  const allowed = incomingOf(chat.view, other);
  if (conversation.messages.length > 0 || allowed === 'all') return conversation;
  if (allowed === 'none') throw invalidRequest('recipient has disabled incoming messages', 'MessagesDisabled');
  if (relations.follows(other.id, viewer.id)) return conversation;
  throw invalidRequest('recipient requires incoming messages to come from someone they follow', 'NotFollowedBySender');
}

const MOST_REACTIONS = 5;

const Message = z.looseObject({
  text: limited({ graphemes: 1000, bytes: 10_000 }),
  facets: z.array(Facet).optional(),
  embed: z.looseObject({ $type: z.literal('app.bsky.embed.record'), record: StrongRef }).optional(),
  replyTo: z.looseObject({ messageId: z.string() }).optional(),
});
const Reacting = z.looseObject({ convoId: z.string(), messageId: z.string(), value: z.string() });

/** `chat.bsky.convo`: sending messages and reactions. */
export function chatWritingEndpoints(bluesky: Bluesky): Endpoints {
  const { directMessages } = bluesky.core;

  function send(conversation: MailboxConversation, message: z.output<typeof Message>, input: JsonObject, chat: ChatView): StoredMessage {
    const { viewer, call } = chat.view;
    if (message.text.trim() === '' && !message.embed) throw invalidRequest('Message text cannot be empty');
    const shared = message.embed?.record.uri;
    const sent = directMessages.add({
      conversationId: conversation.id,
      senderId: viewer.id,
      text: message.text,
      createdAtMs: call.nowMs,
      visibleAtMs: call.nowMs + (call.fault('delayedVisibility')?.ms ?? 0),
      media: [],
      replyTo: message.replyTo && answered(conversation, message.replyTo.messageId).id,
      sharedPostId: shared === undefined ? undefined : (findPost(chat.view, shared)?.id ?? shared),
    });
    const facets = valueAt(input, 'facets');
    if (isJsonList(facets)) bluesky.messageDetails.setFacets(sent.id, facets.filter(isJsonObject));
    directMessages.setReadUntil(conversation.id, viewer.id, call.nowMs);
    return sent;
  }

  function answered(conversation: MailboxConversation, messageId: string): StoredMessage {
    try {
      return requireMessage(conversation, messageId);
    } catch {
      throw invalidRequest('Reply target not found', 'ReplyTargetNotFound');
    }
  }

  function react(call: SignedCall, { convoId, messageId, value }: z.output<typeof Reacting>, on: boolean): JsonObject {
    const chat = chatViewOf(bluesky, call);
    const conversation = requireConvo(chat, convoId);
    const { id } = requireMessage(conversation, messageId);
    if (countGraphemes(value) !== 1 || !/\p{Emoji}/u.test(value)) throw invalidRequest('Reaction value is invalid', 'ReactionInvalidValue');
    const userId = chat.view.viewer.id;
    const stored = bluesky.messageDetails.on(id).filter((reaction) => reaction.userId === userId);
    if (on && stored.length >= MOST_REACTIONS && !stored.some((reaction) => reaction.value === value)) {
      throw invalidRequest(`Cannot add more than ${MOST_REACTIONS} reactions`, 'ReactionLimitReached');
    }
    if (on) bluesky.messageDetails.add({ messageId: id, userId, value, atMs: call.nowMs });
    else bluesky.messageDetails.remove({ messageId: id, userId, value });
    return { message: toMessage(requireMessage(conversation, messageId), conversation, chat) };
  }

  return {
    'chat.bsky.convo.sendMessage': procedure(
      z.looseObject({ convoId: z.string(), message: Message }),
      ({ convoId, message }, call, body) => {
        const chat = chatViewOf(bluesky, call);
        const conversation = requireConvo(chat, convoId);
        const input = valueAt(body, 'message');
        return toMessage(send(conversation, message, isJsonObject(input) ? input : {}, chat), conversation, chat);
      },
    ),

    'chat.bsky.convo.addReaction': procedure(Reacting, (input, call) => react(call, input, true)),
    'chat.bsky.convo.removeReaction': procedure(Reacting, (input, call) => react(call, input, false)),
  };
}
