import { z } from 'zod';
import { PlatformError } from '#src/errors.ts';
import type { Person } from '#src/clients/operation/record.ts';
import type { PartialError } from '#src/clients/paging/page.ts';
import { readPages } from '#src/clients/paging/read-pages.ts';
import type { Conversation } from '#src/clients/social/records/message.ts';
import { ignoreFaults } from '#src/http/errors.ts';
import { WAYS } from '../auth/access.ts';
import { openPageBudget, type XBudgets } from '../budgets.ts';
import type { Primitives, XApi, XRequest } from '../client.ts';
import { MOST_ROWS } from '../pages.ts';
import { type Includes, listOf, partsOf } from '../wire/envelope.ts';
import { MESSAGE_FIELDS } from '../wire/fields.ts';
import { EventRow, personOf, toMessage } from '../wire/message.ts';
import { byIdDescending } from '../wire/parts.ts';
import { toPerson } from '../wire/user.ts';
import { isId, readMany, type UserNames } from './users.ts';

/** The known events of one conversation. */
interface Gathered {
  readonly id: string;
  /** Latest first. */
  readonly events: EventsPage['rows'];
  readonly includes: EventsPage['includes'];
  readonly fetchedAt: Date;
}

/** The two participants of a direct conversation, from its id; undefined for a group. */
function twoOf(conversationId: string): readonly string[] | undefined {
  return /^(\d+)-(\d+)$/.exec(conversationId)?.slice(1);
}

/** The conversation as a record, with its known messages if `withMessages`. */
function toConversation({ id, events, includes, fetchedAt }: Gathered, { withMessages }: { readonly withMessages: boolean }): Conversation {
  const created = events.filter(({ event_type: type }) => type === 'MessageCreate').toSorted(byIdDescending);
  const messages = created.map((row) => toMessage(row, includes, fetchedAt));
  const two = twoOf(id);
  // Of a group, only participants who wrote or joined are known.
  const people = two ?? [
    ...new Set(events.flatMap(({ sender_id: sender, participant_ids: others }) => [...(sender ? [sender] : []), ...others])),
  ];
  return {
    platform: 'x',
    id,
    url: `https://x.com/messages/${id}`,
    kind: two ? 'direct' : 'group',
    visibility: 'direct',
    participants: people.map((userId) => personOf(userId, includes)),
    lastMessage: messages[0],
    messages: withMessages ? messages.toReversed() : undefined,
    unread: false,
    fetchedAt,
  };
}

/** Adds the names of participants, of at most `most` users. */
async function withPeople(
  api: XApi,
  conversations: readonly Conversation[],
  { signal, most }: { readonly signal: AbortSignal | undefined; readonly most?: number | undefined },
): Promise<readonly Conversation[]> {
  const nameless = conversations.flatMap(({ participants }) => participants.filter(({ id, handle }) => id === handle).map(({ id }) => id));
  const unknown = [...new Set(nameless)].slice(0, most);
  const found = unknown.length > 0 ? await readMany(api, unknown, signal, 'ids') : undefined;
  const named = (person: Person): Person => {
    const one = found?.users.get(person.id);
    return one ? toPerson(one.row) : person;
  };
  return conversations.map((conversation) => ({ ...conversation, participants: conversation.participants.map(named) }));
}

const Events = listOf(EventRow);
/** The most events in one response. */
const MOST_EVENTS = 100;

interface EventsPage {
  readonly rows: readonly EventRow[];
  readonly includes: Includes;
  readonly cursor: string | undefined;
  readonly partialErrors: readonly PartialError[];
  readonly fetchedAt: Date;
}

interface EventsOptions {
  readonly cursor?: string | undefined;
  readonly rows?: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Reads one page of events, newest first. */
export async function readEvents(
  api: XApi,
  asking: Pick<XRequest, 'path' | 'params'>,
  { cursor, rows = MOST_EVENTS, signal }: EventsOptions,
): Promise<EventsPage> {
  const query = { max_results: rows, pagination_token: cursor };
  const { answer, fetchedAt } = await api.read(Events, { ...asking, query, fields: MESSAGE_FIELDS, ways: WAYS.user, signal });
  return { rows: answer.data, includes: answer.includes, cursor: answer.cursor, partialErrors: partsOf(answer, asking) ?? [], fetchedAt };
}

/** The cursor: X's cursor, and the ids of the conversations that earlier pages returned. */
const Position = z.object({ after: z.string(), given: z.array(z.string()) });
const EVENT_ROWS = { least: 1, most: MOST_EVENTS } as const;
/** The number of users that one request looks up. */
const PEOPLE = { least: 1, most: MOST_ROWS } as const;

/** The conversations of the last thirty days, from the events of all conversations. */
export function inbox(api: XApi, names: UserNames, budgets: XBudgets | undefined): Primitives['getInbox'] {
  return async ({ user }, { cursor, signal }) => {
    if (user !== undefined) {
      const one = await readWith(api, await names.idOf(user, signal), signal);
      return { items: one ? await withPeople(api, [one], { signal }) : [] };
    }
    const position = cursor === undefined ? undefined : Position.parse(JSON.parse(cursor));
    const budget = openPageBudget('getInbox', budgets, { kind: 'message', ...EVENT_ROWS });
    const pages: EventsPage[] = [];
    let after = position?.after;
    for (;;) {
      const rows = budget.rowsOf('message', EVENT_ROWS);
      if (rows === undefined) break;
      const page = await readEvents(api, { path: '/2/dm_events' }, { cursor: after, rows, signal });
      budget.pay('message', page.rows.length);
      pages.push(page);
      const next = page.cursor === after ? undefined : page.cursor;
      after = next;
      if (next === undefined) break;
    }

    const fetchedAt = pages.at(-1)?.fetchedAt ?? new Date(0);
    const includes = allOf(pages);
    const seen = new Set(position?.given);
    const byConversation = Map.groupBy(
      pages.flatMap(({ rows }) => rows),
      ({ dm_conversation_id: id }) => id ?? '',
    );
    const found = [...byConversation].filter(([id]) => id !== '' && !seen.has(id));
    const conversations = found.map(([id, events]) => toConversation({ id, events, includes, fetchedAt }, { withMessages: false }));
    return {
      items: await withPeople(api, conversations, { signal, most: budget.rowsOf('user', PEOPLE) ?? 0 }),
      scanned: pages.reduce((sum, { rows }) => sum + rows.length, 0),
      partialErrors: pages.flatMap(({ partialErrors }) => partialErrors),
      approximate: after !== undefined,
      cursor: after === undefined ? undefined : JSON.stringify({ after, given: [...seen, ...found.map(([id]) => id)] }),
    };
  };
}

/** The number of pages that are searched for a message. */
const MOST_PAGES = 5;

/** One conversation with its messages: the latest hundred, or all messages after one of them. */
export function conversation(api: XApi, names: UserNames): Primitives['getConversation'] {
  return async ({ conversation: name, maxId }, { signal }) => {
    if (maxId !== undefined && !isId(maxId)) throw new PlatformError(`x has no message "${maxId}".`, { platform: 'x', fault: 'missing' });
    const isConversation = name.includes('-') || isId(name);
    const found =
      (isConversation ? await readOne(api, name, maxId, signal) : undefined) ??
      (name.includes('-') ? undefined : await readWith(api, await names.idOf(name, signal), signal, maxId));
    const [one] = found ? await withPeople(api, [found], { signal }) : [];
    if (one) return one;
    throw new PlatformError(`x has no conversation "${name}", or it has no message from the last thirty days.`, {
      platform: 'x',
      fault: 'missing',
    });
  };
}

function readWith(api: XApi, participant: string, signal: AbortSignal | undefined, maxId?: string) {
  return readConversation(api, { path: '/2/dm_conversations/with/:participant/dm_events', params: { participant } }, maxId, signal);
}

/** The conversation with this id; undefined if it does not exist, because the id can also be that of a user. */
async function readOne(api: XApi, id: string, maxId: string | undefined, signal: AbortSignal | undefined) {
  const conversation = readConversation(api, { path: '/2/dm_conversations/:id/dm_events', params: { id } }, maxId, signal);
  return ignoreFaults(conversation, 'missing', 'rejected');
}

async function readConversation(
  api: XApi,
  asking: Parameters<typeof readEvents>[1],
  maxId: string | undefined,
  signal: AbortSignal | undefined,
) {
  const pages: EventsPage[] = [];
  const read = (cursor: string | undefined) => readEvents(api, asking, { cursor, signal });
  for await (const { page } of readPages(read, maxId === undefined ? 1 : MOST_PAGES)) {
    pages.push(page);
    if (page.rows.some(({ id }) => id === maxId)) break;
  }

  const all = pages.flatMap(({ rows }) => rows);
  const id = all.find(({ dm_conversation_id: one }) => one !== undefined)?.dm_conversation_id;
  if (id === undefined) return undefined;
  const events = maxId === undefined ? all : all.filter((row) => BigInt(row.id) > BigInt(maxId));
  return toConversation({ id, events, includes: allOf(pages), fetchedAt: pages.at(-1)?.fetchedAt ?? new Date(0) }, { withMessages: true });
}

function allOf(pages: readonly EventsPage[]): Includes {
  const all = pages.map(({ includes }) => includes);
  return {
    users: union(all.map(({ users }) => users)),
    posts: union(all.map(({ posts }) => posts)),
    media: union(all.map(({ media }) => media)),
    polls: union(all.map(({ polls }) => polls)),
    places: union(all.map(({ places }) => places)),
  };
}

function union<T>(maps: readonly ReadonlyMap<string, T>[]): Map<string, T> {
  return new Map(maps.flatMap((map) => [...map]));
}
