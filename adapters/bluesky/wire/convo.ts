import { z } from 'zod';
import type { Person } from '#src/clients/operation/record.ts';
import type { Conversation, Message } from '#src/clients/social/records/message.ts';
import { conversationUrl } from '../addresses.ts';
import { PLATFORM } from '../errors.ts';
import { carriedBy } from './embed.ts';
import { Facets, toText } from './facets.ts';
import { anything, listOf, maybe, maybeCount, maybeInstant, maybeText } from './parts.ts';
import { Profile, toPerson } from './profile.ts';

const Sender = z.object({ did: z.string() });

/** A message. Deleted messages and system messages have no text. */
export const MessageView = z.object({
  id: z.string(),
  text: z.string(),
  facets: Facets,
  embed: anything,
  reactions: maybe(listOf(z.object({ value: z.string(), sender: Sender }))),
  replyTo: maybe(z.looseObject({ id: maybeText })),
  sender: Sender,
  sentAt: maybeInstant,
});
export type MessageView = z.output<typeof MessageView>;

/** A message, or undefined for any other item. */
const MaybeMessage = z.union([MessageView, z.looseObject({}).transform(() => undefined)]);

/** An item of a conversation with its message, if it is one. A deleted message keeps its id. */
export const ConvoItem = z.looseObject({ id: maybeText }).transform((item) => ({ id: item.id, message: MaybeMessage.parse(item) }));

export const ConvoView = z.object({
  id: z.string(),
  members: listOf(Profile),
  lastMessage: maybe(MaybeMessage),
  unreadCount: maybeCount,
  kind: maybe(z.object({ $type: maybeText, name: maybeText })),
});
export type ConvoView = z.output<typeof ConvoView>;

/** Who is who among those who write. */
export type People = ReadonlyMap<string, Person>;

export function peopleIn(profiles: readonly Profile[]): People {
  return new Map(profiles.map((profile) => [profile.did, toPerson(profile)]));
}

export function toMessage(
  view: MessageView,
  { conversationId, people, now }: { readonly conversationId: string; readonly people: People; readonly now: Date },
): Message {
  const personOf = (did: string): Person => people.get(did) ?? toPerson({ did, handle: did, displayName: did });
  return {
    platform: PLATFORM,
    id: view.id,
    conversationId,
    visibility: 'direct',
    sender: personOf(view.sender.did),
    ...toText(view.text, view.facets),
    createdAt: view.sentAt ?? now,
    media: [],
    sharedPostId: carriedBy(view.embed).quoted?.postId,
    replyTo: view.replyTo?.id,
    reactions: (view.reactions ?? []).map(({ value, sender }) => ({ emoji: value, user: personOf(sender.did) })),
  };
}

export function toConversation(view: ConvoView, fetchedAt: Date): Conversation {
  const { id, members, lastMessage, unreadCount, kind } = view;
  const isGroup = kind?.$type?.endsWith('#groupConvo') ?? members.length > 2;
  return {
    platform: PLATFORM,
    id,
    url: conversationUrl(id),
    kind: isGroup ? 'group' : 'direct',
    title: kind?.name,
    visibility: 'direct',
    participants: members.map(toPerson),
    lastMessage: lastMessage && toMessage(lastMessage, { conversationId: id, people: peopleIn(members), now: fetchedAt }),
    unread: (unreadCount ?? 0) > 0,
    unreadCount,
    fetchedAt,
  };
}
