import { SELF, type People } from '../../social/people.ts';
import { directId } from '../../social/messaging/letters.ts';
import type { StoredGroup, StoredMessage } from '../../social/messaging/talks.ts';
import { snowflake } from './snowflake.ts';
import { findById, SELF_ID, userId } from './user-ids.ts';

/** What messages are called in the stage, so that no two of an instant share an id. */
const KINDS = ['message', 'letter', 'answer', 'group'];

/** The id of a message as an event. */
export function eventId({ id, createdAtMs }: Pick<StoredMessage, 'id' | 'createdAtMs'>): string {
  const [, kind = '', number = '0'] = /^([a-z]+)-(\d+)$/.exec(id) ?? [];
  return snowflake(createdAtMs, Number(number) * KINDS.length + Math.max(0, KINDS.indexOf(kind)));
}

export function groupId({ id, createdAtMs }: Pick<StoredGroup, 'id' | 'createdAtMs'>): string {
  return snowflake(createdAtMs, Number(id.slice('group-'.length)));
}

/** Of two people: the lesser id, a hyphen, the greater. Of a group: a number. */
export function conversationId(storedId: string, groups: readonly StoredGroup[]): string {
  const group = groups.find(({ id }) => id === storedId);
  if (group) return groupId(group);
  const ids = storedId.split('-').map((id) => (id === SELF.id ? SELF_ID : id));
  return ids.toSorted(byNumber).join('-');
}

/** What the stage calls the conversation with this id. */
export function storedConversationId(id: string, { people, groups }: { readonly people: People; readonly groups: readonly StoredGroup[] }) {
  const group = groups.find((one) => groupId(one) === id);
  if (group) return group.id;
  const [one, other, ...more] = id.split('-').map((part) => findById(part, people));
  if (!one || !other || more.length > 0) return undefined;
  const inOrder = [userId(one), userId(other)].toSorted(byNumber).join('-') === id;
  return inOrder ? directId(one.id, other.id) : undefined;
}

function byNumber(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : 1);
}
