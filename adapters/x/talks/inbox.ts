import { z } from 'zod';
import { PlatformError } from '#src/errors.ts';
import type { Primitives, XApi } from '../api.ts';
import { purseFor, type XBudgets } from '../budgets.ts';
import { MOST_ROWS } from '../pages.ts';
import { isId, type UserNames } from '../users/names.ts';
import type { Includes } from '../wire/envelope.ts';
import { toConversation, withPeople } from './conversation.ts';
import { MOST_EVENTS, readEvents, type EventsPage } from './events.ts';

/** Where a walk goes on: X's own cursor, and the conversations that were given. */
const Place = z.object({ after: z.string(), given: z.array(z.string()) });
const EVENT_ROWS = { least: 1, most: MOST_EVENTS } as const;
/** As many as one request looks up. */
const PEOPLE = { least: 1, most: MOST_ROWS } as const;

/** The conversations of the last thirty days, put together from what was said in all of them. */
export function inbox(api: XApi, names: UserNames, budgets: XBudgets | undefined): Primitives['getInbox'] {
  return async ({ user }, { cursor, signal }) => {
    if (user !== undefined) {
      const one = await readWith(api, await names.idOf(user, signal), signal);
      return { items: one ? await withPeople(api, [one], { signal }) : [] };
    }
    const place = cursor === undefined ? undefined : Place.parse(JSON.parse(cursor));
    const purse = purseFor('getInbox', budgets, { kind: 'message', ...EVENT_ROWS });
    const pages: EventsPage[] = [];
    let after = place?.after;
    for (;;) {
      const rows = purse.rowsOf('message', EVENT_ROWS);
      if (rows === undefined) break;
      const page = await readEvents(api, { path: '/2/dm_events' }, { cursor: after, rows, signal });
      purse.pay('message', page.rows.length);
      pages.push(page);
      const next = page.cursor === after ? undefined : page.cursor;
      after = next;
      if (next === undefined) break;
    }

    const fetchedAt = pages.at(-1)?.fetchedAt ?? new Date(0);
    const includes = allOf(pages);
    const given = new Set(place?.given);
    const byConversation = Map.groupBy(
      pages.flatMap(({ rows }) => rows),
      ({ dm_conversation_id: id }) => id ?? '',
    );
    const found = [...byConversation].filter(([id]) => id !== '' && !given.has(id));
    const conversations = found.map(([id, events]) => toConversation({ id, events, includes, fetchedAt }, { withMessages: false }));
    return {
      items: await withPeople(api, conversations, { signal, most: purse.rowsOf('user', PEOPLE) ?? 0 }),
      scanned: pages.reduce((sum, { rows }) => sum + rows.length, 0),
      partialErrors: pages.flatMap(({ partialErrors }) => partialErrors),
      approximate: after !== undefined,
      cursor: after === undefined ? undefined : JSON.stringify({ after, given: [...given, ...found.map(([id]) => id)] }),
    };
  };
}

/** The most pages that are read to come back to a message. */
const MOST_PAGES = 5;

/** One conversation with its messages: the latest hundred, or all since one of them. */
export function conversation(api: XApi, names: UserNames): Primitives['getConversation'] {
  return async ({ conversation: name, maxId }, { signal }) => {
    if (maxId !== undefined && !isId(maxId)) throw new PlatformError(`x has no message "${maxId}".`, { platform: 'x', fault: 'missing' });
    const isConversation = name.includes('-') || isId(name);
    const found =
      (isConversation ? await readOne(api, name, maxId, signal) : undefined) ??
      (name.includes('-') ? undefined : await readWith(api, await names.idOf(name, signal), signal, maxId));
    const [one] = found ? await withPeople(api, [found], { signal }) : [];
    if (one) return one;
    throw new PlatformError(`x has no conversation "${name}", or nothing was said in it for thirty days.`, {
      platform: 'x',
      fault: 'missing',
    });
  };
}

function readWith(api: XApi, participant: string, signal: AbortSignal | undefined, maxId?: string) {
  return readTalk(api, { path: '/2/dm_conversations/with/:participant/dm_events', params: { participant } }, maxId, signal);
}

/** An id may also be that of a user: then there is no such conversation. */
async function readOne(api: XApi, id: string, maxId: string | undefined, signal: AbortSignal | undefined) {
  try {
    return await readTalk(api, { path: '/2/dm_conversations/:id/dm_events', params: { id } }, maxId, signal);
  } catch (error) {
    if (error instanceof PlatformError && (error.fault === 'missing' || error.fault === 'rejected')) return undefined;
    throw error;
  }
}

async function readTalk(api: XApi, asking: Parameters<typeof readEvents>[1], maxId: string | undefined, signal: AbortSignal | undefined) {
  const pages: EventsPage[] = [];
  let cursor: string | undefined;
  do {
    const page = await readEvents(api, asking, { cursor, signal });
    pages.push(page);
    cursor = page.cursor;
  } while (maxId !== undefined && cursor !== undefined && pages.length < MOST_PAGES && !pages.at(-1)?.rows.some(({ id }) => id === maxId));

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
