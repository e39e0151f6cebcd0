import type { JsonObject } from '#src/operation/json.ts';
import type { Talk } from '../../social/messaging/mailbox.ts';
import type { StoredMessage } from '../../social/messaging/talks.ts';
import type { WorldPerson } from '../../world/world.ts';
import { derivedKey } from '../repo/derived.ts';
import { toEmbed } from '../view/embed.ts';
import { toBasicProfile } from '../view/profile.ts';
import { toOpaque } from './ids.ts';
import type { ChatLook } from './look.ts';
import type { MessageReaction } from './message-marks.ts';

const MESSAGE = 'chat.bsky.convo.defs#messageView';
const MOST_MEMBERS = 50;
const NO_REV = derivedKey('nothing said yet', 0);

/** A message as a conversation shows it. */
export function toMessage(message: StoredMessage, talk: Talk, chat: ChatLook): JsonObject {
  const { bluesky } = chat.look;
  const marks = bluesky.messageMarks;
  const answered = talk.messages.find(({ id }) => id === message.replyTo);
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
export function toConvo(talk: Talk, chat: ChatLook): JsonObject {
  const { look } = chat;
  const { bluesky, viewer } = look;
  const last = talk.messages.at(-1);
  const readUntilMs = bluesky.stage.talks.readUntilMs(talk.id, viewer.id);
  const unread = talk.messages.filter(({ senderId, createdAtMs }) => senderId !== viewer.id && createdAtMs > readUntilMs);
  return {
    id: toOpaque(talk.id),
    rev: last ? revOf(last) : NO_REV,
    members: talk.members.map((member) => toMember(member, talk, chat)),
    lastMessage: last && toMessage(last, talk, chat),
    muted: false,
    status: statusOf(talk, chat),
    unreadCount: unread.length,
    kind: kindOf(talk, chat),
  };
}

export function toMember(person: WorldPerson, talk: Talk, { look }: ChatLook): JsonObject {
  const isGroup = talk.title !== undefined;
  const kind = isGroup
    ? { $type: 'chat.bsky.actor.defs#groupConvoMember', role: person === talk.members[0] ? 'owner' : 'standard' }
    : { $type: 'chat.bsky.actor.defs#directConvoMember' };
  return { ...toBasicProfile(person, look), chatDisabled: false, kind };
}

/** What comes of somebody whom the owner neither follows nor ever wrote to has to be accepted first. */
export function statusOf({ id, messages, members, title }: Talk, { look }: ChatLook): 'request' | 'accepted' {
  const { viewer, moment, bluesky } = look;
  const isKnown =
    title !== undefined ||
    messages.length === 0 ||
    messages.some(({ senderId }) => senderId === viewer.id) ||
    members.some((member) => member.id !== viewer.id && moment.relations.follows(viewer.id, member.id)) ||
    bluesky.messageMarks.isAccepted(viewer.id, id);
  return isKnown ? 'accepted' : 'request';
}

function kindOf({ title, members, messages }: Talk, { look }: ChatLook): JsonObject {
  if (title === undefined) return { $type: 'chat.bsky.convo.defs#directConvo' };
  const createdAt = new Date(messages[0]?.createdAtMs ?? look.call.nowMs).toISOString();
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

function embedOf({ sharedPostId, senderId }: StoredMessage, { look }: ChatLook): JsonObject | undefined {
  const post = sharedPostId === undefined ? undefined : look.moment.feed.find(sharedPostId);
  const { posts, directory } = look.bluesky;
  const did = directory.didOf({ id: senderId });
  const record = { uri: post ? posts.of(post).uri : (sharedPostId ?? '') };
  return sharedPostId === undefined ? undefined : toEmbed({ $type: 'app.bsky.embed.record', record }, { uri: '', did, depth: 0 }, look);
}

/** The message that another answers, without what that one answers. */
function toAnswered(message: StoredMessage, chat: ChatLook): JsonObject {
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

function toReaction({ value, userId, atMs }: MessageReaction, chat: ChatLook): JsonObject {
  return { value, sender: senderOf(userId, chat), createdAt: new Date(atMs).toISOString() };
}

function senderOf(userId: string, { look }: ChatLook): JsonObject {
  return { did: look.bluesky.directory.didOf({ id: userId }) };
}

function revOf({ id, createdAtMs }: StoredMessage): string {
  return derivedKey(id, createdAtMs);
}
