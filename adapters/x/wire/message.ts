import type { z } from 'zod';
import { instantIn, needed, objectIn, rowOf, rowsIn, textIn } from '#src/http/values.ts';
import type { Person } from '#src/clients/operation/record.ts';
import type { Message } from '#src/clients/social/records/message.ts';
import type { Includes } from './envelope.ts';
import { idIn, instantOf } from './parts.ts';
import { entitiesOf, postIdIn, toText } from './text.ts';
import { toPerson, unknownPerson } from './user.ts';

/** The id of a post that a message shows. */
const sharedIn = (wire: unknown): string | undefined => idIn(objectIn(wire)?.['id']);

/** An event of a conversation. */
export const EventRow = rowOf((row) => ({
  id: needed(idIn(row['id']), 'id'),
  event_type: textIn(row['event_type']) ?? 'MessageCreate',
  text: textIn(row['text']) ?? '',
  created_at: instantIn(row['created_at']),
  sender_id: idIn(row['sender_id']),
  dm_conversation_id: idIn(row['dm_conversation_id']),
  participant_ids: rowsIn(row['participant_ids'], idIn),
  media_keys: rowsIn(objectIn(row['attachments'])?.['media_keys'], idIn),
  entities: entitiesOf(row['entities']),
  shared: [...rowsIn(row['referenced_tweets'], sharedIn), ...rowsIn(row['referenced_posts'], sharedIn)][0],
}));
export type EventRow = z.output<typeof EventRow>;

/** The user with this id, from the expansions. */
export function personOf(userId: string, { users }: Includes): Person {
  const user = users.get(userId);
  return user ? toPerson(user) : unknownPerson(userId);
}

/** The message of an event. */
export function toMessage(row: EventRow, includes: Includes, fetchedAt: Date): Message {
  // The text contains a link for the file and for the shown post.
  const { text, entities } = toText(row.text, row.entities, ({ media_key: key, expanded_url: url = '' }) => {
    const isFile = key !== undefined || /\/messages\/media\/\d+$/.test(url) || /^https:\/\/(x|twitter)\.com\/messages\//.test(url);
    return isFile || (row.shared !== undefined && postIdIn(url) === row.shared);
  });
  return {
    platform: 'x',
    id: row.id,
    conversationId: row.dm_conversation_id ?? '',
    visibility: 'direct',
    sender: personOf(row.sender_id ?? '0', includes),
    text,
    entities,
    createdAt: row.created_at ?? instantOf(row.id) ?? fetchedAt,
    media: row.media_keys.flatMap((key) => includes.media.get(key)?.media ?? []),
    sharedPostId: row.shared,
    reactions: [],
  };
}
