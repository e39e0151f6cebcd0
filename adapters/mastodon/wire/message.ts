import { z } from 'zod';
import type { Conversation, Message } from '#src/clients/social/records/message.ts';
import { readHtml } from '../text/html.ts';
import { withWarning } from '../text/warning.ts';
import { AccountRow, toAuthor, toPerson } from './account.ts';
import { flag, id, PLATFORM, rowsOf } from './parts.ts';
import { StatusRow } from './status.ts';

type Entities = Message['entities'];

/** A direct status as a message, without the handles of its recipients at the beginning. */
export function toMessage(row: StatusRow, conversationId: string): Message {
  const { text, entities } = readHtml(row.content, row);
  return {
    platform: PLATFORM,
    id: row.id,
    url: row.url,
    conversationId,
    visibility: 'direct',
    sender: toAuthor(row.account),
    ...withWarning(withoutJoiners(withoutAddressees(text, entities)), row.spoiler_text.trim()),
    createdAt: row.created_at,
    media: [...row.media_attachments],
    sharedPostId: row.quote?.postId,
    replyTo: row.in_reply_to_id ?? undefined,
    reactions: [],
  };
}

/** A thread of direct statuses as a conversation. */
export function toConversation({ id, unread, accounts, last_status: last }: ConversationRow, fetchedAt: Date): Conversation {
  return {
    platform: PLATFORM,
    id,
    kind: accounts.length > 1 ? 'group' : 'direct',
    visibility: 'direct',
    participants: accounts.map(toPerson),
    lastMessage: last ? toMessage(last, id) : undefined,
    unread,
    fetchedAt,
  };
}

interface RichText {
  readonly text: string;
  readonly entities: Entities;
}

function withoutAddressees(text: string, entities: Entities): RichText {
  let start = 0;
  for (const entity of entities) {
    if (entity.type !== 'mention' || text.slice(start, entity.start).trim() !== '') break;
    start = entity.end;
  }
  if (start > 0) start += /^\s*/u.exec(text.slice(start))?.[0].length ?? 0;
  return {
    text: text.slice(start),
    entities: entities.filter((entity) => entity.start >= start).map((entity) => moved(entity, start)),
  };
}

/** Removes the word joiners that keep a handle from being a mention. */
function withoutJoiners({ text, entities }: RichText): RichText {
  const joiners = Array.from(text.matchAll(/(?<=[@＠])\u2060/gu), ({ index }) => index);
  return {
    text: text.replace(/(?<=[@＠])\u2060/gu, ''),
    entities: entities.map((entity) => {
      const before = (offset: number): number => joiners.filter((joiner) => joiner < offset).length;
      return { ...entity, start: entity.start - before(entity.start), end: entity.end - before(entity.end) };
    }),
  };
}

function moved<T extends { readonly start: number; readonly end: number }>(entity: T, by: number): T {
  return { ...entity, start: entity.start - by, end: entity.end - by };
}

/** A thread of direct statuses, with its other participants. */
export const ConversationRow = z.object({
  id,
  unread: flag,
  accounts: rowsOf(AccountRow),
  last_status: StatusRow.nullish().catch(undefined),
});
export type ConversationRow = z.output<typeof ConversationRow>;
