import type { Person } from '#src/operation/record.ts';
import type { Conversation } from '#src/social/records/message.ts';
import { readMany } from '../users/users.ts';
import type { XApi } from '../api.ts';
import { byIdDescending } from '../wire/parts.ts';
import { personOf, toMessage } from '../wire/message.ts';
import { toPerson } from '../wire/user.ts';
import type { EventsPage } from './events.ts';

/** What is known of one conversation. */
export interface Gathered {
  readonly id: string;
  /** Latest first. */
  readonly events: EventsPage['rows'];
  readonly includes: EventsPage['includes'];
  readonly fetchedAt: Date;
}

/** The two of a conversation between two, by its id. */
function twoOf(conversationId: string): readonly string[] | undefined {
  return /^(\d+)-(\d+)$/.exec(conversationId)?.slice(1);
}

/** The conversation as a record, with all messages that are known of it where they were asked for. */
export function toConversation(
  { id, events, includes, fetchedAt }: Gathered,
  { withMessages }: { readonly withMessages: boolean },
): Conversation {
  const said = events.filter(({ event_type: type }) => type === 'MessageCreate').toSorted(byIdDescending);
  const messages = said.map((row) => toMessage(row, includes, fetchedAt));
  const two = twoOf(id);
  // In a group those are known who said something or came.
  const people = two ?? [
    ...new Set(events.flatMap(({ sender_id: sender, participant_ids: others }) => [...(sender ? [sender] : []), ...others])),
  ];
  return {
    platform: 'x',
    id,
    url: `https://x.com/messages/${id}`,
    kind: two ? 'direct' : 'group',
    participants: people.map((userId) => personOf(userId, includes)),
    lastMessage: messages[0],
    messages: withMessages ? messages.toReversed() : undefined,
    unread: false,
    fetchedAt,
  };
}

/** The conversations with the names of those who are in them, of as many as may be asked for. */
export async function withPeople(
  api: XApi,
  conversations: readonly Conversation[],
  { signal, most }: { readonly signal: AbortSignal | undefined; readonly most?: number | undefined },
): Promise<readonly Conversation[]> {
  const nameless = conversations.flatMap(({ participants }) => participants.filter(({ id, handle }) => id === handle).map(({ id }) => id));
  const unknown = [...new Set(nameless)].slice(0, most);
  const found = unknown.length > 0 ? await readMany(api, unknown, signal, 'ids') : new Map<string, never>();
  const named = (person: Person): Person => {
    const one = found.get(person.id);
    return one ? toPerson(one.row) : person;
  };
  return conversations.map((conversation) => ({ ...conversation, participants: conversation.participants.map(named) }));
}
