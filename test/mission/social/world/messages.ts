import { answersTo, directId, lettersOf } from '#src/sandbox/social/messaging/letters.ts';
import type { StoredGroup, StoredMessage } from '#src/sandbox/social/messaging/talks.ts';
import type { Conversation, Message } from '#src/social/records/message.ts';
import type { SocialGround } from '../ground.ts';
import { ME } from '../installation/past.ts';
import { partedFromMe } from './people.ts';

/** A conversation of the account. */
export interface Talk {
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
export function talks(ground: SocialGround): readonly Talk[] {
  const groups = ground.store.all('social.message-groups') as unknown as readonly StoredGroup[]; // as the platform wrote them
  const letters = lettersOf(ground.people.others);
  const parted = partedFromMe(ground);
  const partners = [...letters, ...sent(ground)].flatMap(({ conversationId }) =>
    conversationId.split('-').filter((id) => id !== ME && ground.people.find(id) !== undefined),
  );
  const direct = [...new Set(partners)]
    .filter((id) => !parted.has(id))
    .map((id) => ({ id: directId(id, ME), title: undefined, memberIds: directId(id, ME).split('-') }));
  const all = [...direct, ...groups].map(({ id, title, memberIds }) => {
    const written = sent(ground).filter(({ conversationId }) => conversationId === id);
    const messages = [...letters.filter(({ conversationId }) => conversationId === id), ...written, ...answersTo(written, memberIds)];
    const shown = messages.filter(({ visibleAtMs, senderId }) => visibleAtMs <= ground.nowMs && !parted.has(senderId));
    return { id, title, memberIds, messages: shown.toSorted((a, b) => a.createdAtMs - b.createdAtMs) };
  });
  const latest = ({ messages }: Talk): number => messages.at(-1)?.createdAtMs ?? 0;
  return all.toSorted((a, b) => latest(b) - latest(a) || (a.id < b.id ? -1 : 1));
}

export function talkIn(ground: SocialGround, id: string): Talk {
  const talk = talks(ground).find((one) => one.id === id);
  if (!talk) throw new Error(`there is no conversation ${id}`);
  return talk;
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

export function unreadIn(ground: SocialGround, { id, messages }: Talk): number {
  return messages.filter(({ senderId, createdAtMs }) => senderId !== ME && createdAtMs > readUntilMs(ground, id)).length;
}

export function talkFacts(ground: SocialGround, talk: Talk): unknown {
  const last = talk.messages.at(-1);
  const unreadCount = unreadIn(ground, talk);
  return {
    id: talk.id,
    kind: talk.title === undefined ? 'direct' : 'group',
    title: talk.title,
    participants: talk.memberIds,
    last: last && messageFacts(last),
    unread: unreadCount > 0,
    unreadCount,
  };
}

export function seenTalk({ id, kind, title, participants, lastMessage, unread, unreadCount }: Conversation): unknown {
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
