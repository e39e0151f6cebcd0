import type { JsonObject } from '#src/operation/json.ts';
import type { StoredGroup, StoredMessage } from '../../social/messaging/talks.ts';
import { conversationId, eventId, groupId } from '../ids/message-ids.ts';
import { userId } from '../ids/user-ids.ts';
import { wireText } from './text.ts';
import { instant, made, referenceId, type Makers, type View } from './view.ts';

/** What happened in a conversation: somebody wrote, or people came together in a group. */
export type DmEvent =
  | { readonly kind: 'message'; readonly message: StoredMessage }
  | { readonly kind: 'join'; readonly group: StoredGroup };

const makers: Makers<DmEvent> = {
  id: dmEventId,
  event_type: ({ kind }) => (kind === 'message' ? 'MessageCreate' : 'ParticipantsJoin'),
  text: (event, view) => (event.kind === 'message' ? wireText(event.message.text, { people: view.moment.people }).text : undefined),
  attachments: (event, view) =>
    event.kind === 'message' && event.message.media.length > 0
      ? { media_keys: event.message.media.map((media) => view.media.keyOf(media, event.message)) }
      : undefined,
  created_at: (event) => instant(atMsOf(event)),
  dm_conversation_id: (event, { meeting }) => conversationId(storedConversationOf(event), meeting.talks.groups()),
  entities: (event, view) => (event.kind === 'message' ? wireText(event.message.text, { people: view.moment.people }).entities : undefined),
  participant_ids: (event) => (event.kind === 'join' ? event.group.memberIds.map((id) => userId({ id })) : undefined),
  referenced_tweets: (event, view) => {
    const id =
      event.kind === 'message' && event.message.sharedPostId !== undefined ? referenceId(event.message.sharedPostId, view) : undefined;
    return id === undefined ? undefined : [{ id }];
  },
  sender_id: (event) => userId({ id: event.kind === 'message' ? event.message.senderId : (event.group.memberIds[0] ?? '') }),
};

const NEEDED: Readonly<Record<string, string>> = {
  sender_id: 'sender_id',
  participant_ids: 'participant_ids',
  'attachments.media_keys': 'attachments',
  'referenced_tweets.id': 'referenced_tweets',
};

/** An event with what was asked of it. */
export function toDmEvent(event: DmEvent, view: View): JsonObject {
  // Who came is all that a join says.
  const joins = event.kind === 'join' ? ['participant_ids'] : [];
  return made(makers, event, {
    kind: 'dm_event',
    view,
    also: [...joins, ...[...view.asked.expansions].flatMap((name) => NEEDED[name] ?? [])],
  });
}

export function dmEventId(event: DmEvent): string {
  return event.kind === 'message' ? eventId(event.message) : groupId(event.group);
}

export function atMsOf(event: DmEvent): number {
  return event.kind === 'message' ? event.message.createdAtMs : event.group.createdAtMs;
}

function storedConversationOf(event: DmEvent): string {
  return event.kind === 'message' ? event.message.conversationId : event.group.id;
}
