import { z } from 'zod';
import type { Person } from '#src/operation/record.ts';
import type { Message } from '#src/social/records/message.ts';
import type { Includes } from './envelope.ts';
import { id, instant, instantOf, maybe, rowsOf } from './parts.ts';
import { postIdIn, TextEntities, toText } from './text.ts';
import { toPerson, unknownPerson } from './user.ts';

/** An event of a conversation. */
export const EventRow = z
  .object({
    id,
    event_type: z.string().catch('MessageCreate'),
    text: z.string().catch(''),
    created_at: maybe(instant),
    sender_id: maybe(id),
    dm_conversation_id: maybe(id),
    participant_ids: rowsOf(id),
    attachments: maybe(z.object({ media_keys: rowsOf(id) })),
    entities: maybe(TextEntities),
    referenced_tweets: rowsOf(z.object({ id })),
    referenced_posts: rowsOf(z.object({ id })),
  })
  .transform(({ referenced_tweets, referenced_posts, ...wire }) => ({
    ...wire,
    shared: [...referenced_tweets, ...referenced_posts][0]?.id,
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
    sender: personOf(row.sender_id ?? '0', includes),
    text,
    entities: [...entities],
    createdAt: row.created_at ?? instantOf(row.id) ?? fetchedAt,
    media: row.attachments?.media_keys.flatMap((key) => includes.media.get(key)?.media ?? []) ?? [],
    sharedPostId: row.shared,
    reactions: [],
  };
}
