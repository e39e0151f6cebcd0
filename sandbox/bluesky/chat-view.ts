import type { JsonObject } from '#src/operation/json.ts';
import type { StoredMessage } from '../social/messaging/direct-messages.ts';
import { type Mailbox, type MailboxConversation, mailboxOf } from '../social/messaging/mailbox.ts';
import type { WorldPerson } from '../world/world.ts';
import type { Bluesky } from './core.ts';
import { fromBase32, toBase32 } from './encoding.ts';
import { type SignedCall } from './endpoint.ts';
import { invalidRequest } from './refusal.ts';
import type { MessageReaction } from './message-details.ts';
import { toEmbed } from './post-view.ts';
import { toBasicProfile } from './profile-view.ts';
import { derivedKey } from './records.ts';
import { type BlueskyView, viewOf } from './view.ts';

/** An id of the stage as this platform shows it: letters and digits that say nothing. */
export function toOpaque(id: string): string {
  return toBase32(Buffer.from(id));
}

function fromOpaque(text: string): string {
  return fromBase32(text)?.toString() ?? '';
}

/** Somebody's messages as one request finds them. */
export interface ChatView {
  readonly view: BlueskyView;
  readonly mailbox: Mailbox;
}

export function chatViewOf(bluesky: Bluesky, call: SignedCall): ChatView {
  const view = viewOf(bluesky, call);
  const { people, relations } = view.snapshot;
  return {
    view,
    mailbox: mailboxOf({ owner: view.viewer, directMessages: bluesky.core.directMessages, people, relations, nowMs: call.nowMs }),
  };
}

export function requireConvo({ mailbox }: ChatView, convoId: string): MailboxConversation {
  const conversation = mailbox.find(fromOpaque(convoId));
  if (!conversation) throw invalidRequest('Convo not found', 'InvalidConvo');
  return conversation;
}

export function requireMessage({ messages }: MailboxConversation, messageId: string): StoredMessage {
  const id = fromOpaque(messageId);
  const message = messages.find((one) => one.id === id);
  if (!message) throw invalidRequest('Message not found');
  return message;
}

const MESSAGE = 'chat.bsky.convo.defs#messageView';
const MOST_MEMBERS = 50;
const NO_REV = derivedKey('nothing said yet', 0);

/** A message as a conversation shows it. */
export function toMessage(message: StoredMessage, conversation: MailboxConversation, chat: ChatView): JsonObject {
  const { bluesky } = chat.view;
  const marks = bluesky.messageDetails;
  const answered = conversation.messages.find(({ id }) => id === message.replyTo);
  return {
    $type: MESSAGE,
    id: toOpaque(message.id),
    rev: revOf(message),
    text: message.text,
    facets: marks.facetsOf(message.id),
    embed: embedOf(message, chat),
    reactions: marks.on(message.id).map((reaction) => toReaction(reaction, chat)),
    replyTo: answered && toAnswered(answered, chat),
    sender: senderOf(message.senderId, chat),
    sentAt: new Date(message.createdAtMs).toISOString(),
  };
}

/** A conversation without its messages but the last. */
export function toConvo(conversation: MailboxConversation, chat: ChatView): JsonObject {
  const { view } = chat;
  const { bluesky, viewer } = view;
  const last = conversation.messages.at(-1);
  const readUntilMs = bluesky.core.directMessages.readUntilMs(conversation.id, viewer.id);
  const unread = conversation.messages.filter(({ senderId, createdAtMs }) => senderId !== viewer.id && createdAtMs > readUntilMs);
  return {
    id: toOpaque(conversation.id),
    rev: last ? revOf(last) : NO_REV,
    members: conversation.members.map((member) => toMember(member, conversation, chat)),
    lastMessage: last && toMessage(last, conversation, chat),
    muted: false,
    status: statusOf(conversation, chat),
    unreadCount: unread.length,
    kind: kindOf(conversation, chat),
  };
}

export function toMember(person: WorldPerson, conversation: MailboxConversation, { view }: ChatView): JsonObject {
  const isGroup = conversation.title !== undefined;
  const kind = isGroup
    ? { $type: 'chat.bsky.actor.defs#groupConvoMember', role: person === conversation.members[0] ? 'owner' : 'standard' }
    : { $type: 'chat.bsky.actor.defs#directConvoMember' };
  return { ...toBasicProfile(person, view), chatDisabled: false, kind };
}

/** What comes of somebody whom the owner neither follows nor ever wrote to has to be accepted first. */
export function statusOf({ id, messages, members, title }: MailboxConversation, { view }: ChatView): 'request' | 'accepted' {
  const { viewer, snapshot, bluesky } = view;
  const isKnown =
    title !== undefined ||
    messages.length === 0 ||
    messages.some(({ senderId }) => senderId === viewer.id) ||
    members.some((member) => member.id !== viewer.id && snapshot.relations.follows(viewer.id, member.id)) ||
    bluesky.messageDetails.isAccepted(viewer.id, id);
  return isKnown ? 'accepted' : 'request';
}

function kindOf({ title, members, messages }: MailboxConversation, { view }: ChatView): JsonObject {
  if (title === undefined) return { $type: 'chat.bsky.convo.defs#directConvo' };
  const createdAt = new Date(messages[0]?.createdAtMs ?? view.call.nowMs).toISOString();
  const lock = { lockStatus: 'unlocked', lockStatusModerationOverride: false };
  return {
    $type: 'chat.bsky.convo.defs#groupConvo',
    createdAt,
    ...lock,
    memberCount: members.length,
    memberLimit: MOST_MEMBERS,
    name: title,
  };
}

function embedOf({ sharedPostId, senderId }: StoredMessage, { view }: ChatView): JsonObject | undefined {
  const post = sharedPostId === undefined ? undefined : view.snapshot.feed.find(sharedPostId);
  const { posts, directory } = view.bluesky;
  const did = directory.didOf({ id: senderId });
  const record = { uri: post ? posts.of(post).uri : (sharedPostId ?? '') };
  return sharedPostId === undefined ? undefined : toEmbed({ $type: 'app.bsky.embed.record', record }, { uri: '', did, depth: 0 }, view);
}

/** The message that another answers, without what that one answers. */
function toAnswered(message: StoredMessage, chat: ChatView): JsonObject {
  const sentAt = new Date(message.createdAtMs).toISOString();
  return {
    $type: MESSAGE,
    id: toOpaque(message.id),
    rev: revOf(message),
    text: message.text,
    sender: senderOf(message.senderId, chat),
    sentAt,
  };
}

function toReaction({ value, userId, atMs }: MessageReaction, chat: ChatView): JsonObject {
  return { value, sender: senderOf(userId, chat), createdAt: new Date(atMs).toISOString() };
}

function senderOf(userId: string, { view }: ChatView): JsonObject {
  return { did: view.bluesky.directory.didOf({ id: userId }) };
}

function revOf({ id, createdAtMs }: StoredMessage): string {
  return derivedKey(id, createdAtMs);
}
