import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { StoredMessage } from '../social/messaging/direct-messages.ts';
import { type MailboxConversation, mailboxOf } from '../social/messaging/mailbox.ts';
import { Did, StrongRef } from './addresses.ts';
import { findPost, toEmbed } from './post-json.ts';
import { recordOf } from './post-records.ts';
import { toBasicProfile } from './profile-json.ts';
import { limitedText } from './record-schemas.ts';
import { RecordValue } from './records.ts';
import { invalidRequest } from './refusal.ts';
import { pageAnswer, paging, procedure, query, type SignedInRequest, text, type XrpcRoute } from './request.ts';
import { reactionKey } from './state.ts';

const Message = z.looseObject({
  text: limitedText(1000),
  facets: z.array(RecordValue).optional(),
  embed: z.looseObject({ $type: z.literal('app.bsky.embed.record'), record: StrongRef }).optional(),
  replyTo: z.looseObject({ messageId: z.string() }).optional(),
});
const Reaction = z.looseObject({ convoId: z.string(), messageId: z.string(), value: z.string() });

/** `chat.bsky.convo`: direct messages between two people. */
export const chatRoutes: readonly XrpcRoute[] = [
  query('chat.bsky.convo.listConvos', paging, (page, request) =>
    pageAnswer('convos', mailboxFor(request).all(), page, request, (conversation) => toConvo(conversation, request)),
  ),

  query('chat.bsky.convo.getConvo', { convoId: text }, ({ convoId }, request) => ({
    convo: toConvo(requireConvo(convoId, request), request),
  })),

  query('chat.bsky.convo.getConvoForMembers', { members: z.array(Did).min(1).max(10) }, ({ members }, request) => ({
    convo: toConvo(convoWith(members, request), request),
  })),

  query('chat.bsky.convo.getMessages', { convoId: text, ...paging }, ({ convoId, ...page }, request) => {
    const conversation = requireConvo(convoId, request);
    const latestFirst = conversation.messages.toReversed();
    return {
      ...pageAnswer('messages', latestFirst, page, request, (message) => toMessage(message, conversation, request)),
      relatedProfiles: conversation.members.map((member) => toBasicProfile(member, request)),
    };
  }),

  procedure('chat.bsky.convo.sendMessage', z.looseObject({ convoId: z.string(), message: Message }), ({ convoId, message }, request) => {
    const conversation = requireConvo(convoId, request);
    return toMessage(send(message, conversation, request), conversation, request);
  }),

  procedure('chat.bsky.convo.addReaction', Reaction, ({ convoId, messageId, value }, request) => {
    const { state, viewer, nowMs } = request;
    const conversation = requireConvo(convoId, request);
    const message = requireMessage(messageId, conversation);
    const reaction = { messageId: message.id, userId: viewer.id, value, atMs: nowMs };
    if (!state.messageReactions.has(reactionKey(reaction))) state.messageReactions.put(reaction);
    return { message: toMessage(message, conversation, request) };
  }),

  procedure('chat.bsky.convo.removeReaction', Reaction, ({ convoId, messageId, value }, request) => {
    const conversation = requireConvo(convoId, request);
    const message = requireMessage(messageId, conversation);
    request.state.messageReactions.delete(reactionKey({ messageId: message.id, userId: request.viewer.id, value }));
    return { message: toMessage(message, conversation, request) };
  }),
];

function mailboxFor({ state: { core }, viewer: owner, snapshot: { people, relations }, nowMs }: SignedInRequest) {
  return mailboxOf({ owner, directMessages: core.directMessages, people, relations, nowMs });
}

function requireConvo(convoId: string, request: SignedInRequest): MailboxConversation {
  const conversation = mailboxFor(request).find(fromChatId(convoId));
  if (!conversation) throw invalidRequest('Convo not found', 'InvalidConvo');
  return conversation;
}

function requireMessage(messageId: string, { messages }: MailboxConversation, error?: string): StoredMessage {
  const id = fromChatId(messageId);
  const message = messages.find((each) => each.id === id);
  if (!message) throw invalidRequest('Message not found', error);
  return message;
}

/** The conversation with another person. */
function convoWith(members: readonly string[], request: SignedInRequest): MailboxConversation {
  const people = members.map((did) => request.state.directory.find(did));
  if (people.includes(undefined)) throw invalidRequest('Recipient not found', 'RecipientNotFound');
  const other = people.find((person) => person?.id !== request.viewer.id);
  if (!other) throw invalidRequest('Conversation must have one other member');
  if (request.snapshot.relations.parted(request.viewer.id, other.id))
    throw invalidRequest('block between recipient and requester', 'BlockedActor');
  return mailboxFor(request).with(other);
}

function send(message: z.output<typeof Message>, conversation: MailboxConversation, request: SignedInRequest): StoredMessage {
  const { state, viewer, nowMs, fault } = request;
  const { facets, embed, replyTo } = message;
  if (message.text.trim() === '' && !embed) throw invalidRequest('Message text cannot be empty');
  const sharedUri = embed?.record.uri;
  const sent = state.core.directMessages.add({
    conversationId: conversation.id,
    senderId: viewer.id,
    text: message.text,
    createdAtMs: nowMs,
    visibleAtMs: nowMs + (fault('delayedVisibility')?.ms ?? 0),
    media: [],
    replyTo: replyTo && requireMessage(replyTo.messageId, conversation, 'ReplyTargetNotFound').id,
    sharedPostId: sharedUri && (findPost(sharedUri, request)?.id ?? sharedUri),
  });
  if (facets) state.messageFacets.put({ messageId: sent.id, facets });
  state.core.directMessages.setReadUntil(conversation.id, viewer.id, nowMs);
  return sent;
}

/** An id of the world as the service shows it. */
export function toChatId(id: string): string {
  return Buffer.from(id).toString('hex');
}

function fromChatId(text: string): string {
  return Buffer.from(text, 'hex').toString();
}

function toMessage(message: StoredMessage, conversation: MailboxConversation, request: SignedInRequest): JsonObject {
  const { state } = request;
  const senderOf = (userId: string): JsonObject => ({ did: state.directory.didOf({ id: userId }) });
  const basicMessage = ({ id, text: content, senderId, createdAtMs }: StoredMessage): JsonObject => ({
    $type: 'chat.bsky.convo.defs#messageView',
    id: toChatId(id),
    rev: toChatId(id),
    text: content,
    sender: senderOf(senderId),
    sentAt: new Date(createdAtMs).toISOString(),
  });
  const parent = conversation.messages.find(({ id }) => id === message.replyTo);
  const reactions = state.messageReactions.all().filter(({ messageId }) => messageId === message.id);
  return {
    ...basicMessage(message),
    facets: state.messageFacets.get(message.id)?.facets,
    embed: embedOf(message, request),
    reactions: reactions.map(({ value, userId, atMs }) => ({ value, sender: senderOf(userId), createdAt: new Date(atMs).toISOString() })),
    replyTo: parent && basicMessage(parent),
  };
}

/** The post that a message shows. An unknown post has its address as its id. */
function embedOf({ sharedPostId, senderId }: StoredMessage, request: SignedInRequest): JsonObject | undefined {
  if (sharedPostId === undefined) return undefined;
  const post = request.snapshot.feed.find(sharedPostId);
  const uri = post ? recordOf(post, request.state).uri : sharedPostId;
  return toEmbed({ $type: 'app.bsky.embed.record', record: { uri } }, request.state.directory.didOf({ id: senderId }), request);
}

function toConvo(conversation: MailboxConversation, request: SignedInRequest): JsonObject {
  const { state, viewer } = request;
  const { id, members, messages } = conversation;
  const last = messages.at(-1);
  const readUntilMs = state.core.directMessages.readUntilMs(id, viewer.id);
  return {
    id: toChatId(id),
    rev: toChatId(last?.id ?? ''),
    members: members.map((member) => toBasicProfile(member, request)),
    lastMessage: last && toMessage(last, conversation, request),
    muted: false,
    unreadCount: messages.filter(({ senderId, createdAtMs }) => senderId !== viewer.id && createdAtMs > readUntilMs).length,
    kind: { $type: 'chat.bsky.convo.defs#directConvo' },
  };
}
