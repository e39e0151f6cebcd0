import { z } from 'zod';
import type { Page } from '#src/paging/page.ts';
import { createdAtMs } from './history.ts';
import { WireThread } from './messages.ts';
import type { Server } from './server.ts';

/** Each post of a page costs a request for its message. */
const PAGE_SIZE = 25;
/** The most that Discord lists of an archive at once. */
const ARCHIVE_SIZE = 100;
/** How many requests for the archive a page may take. */
const BUDGET = 10;

const Active = z.object({ threads: z.array(WireThread) });
const Archived = z.object({
  threads: z.array(WireThread.extend({ thread_metadata: z.object({ archive_timestamp: z.string() }) })),
  has_more: z.boolean(),
});

/** Where a page begins: before a post, or, once the order cannot be held, at a place of the archive. */
const Place = z.union([z.strictObject({ before: z.string() }), z.strictObject({ archivedBefore: z.string() })]);
type Place = z.output<typeof Place>;

export interface PostListOptions {
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A page of the posts of a forum, newest first: those in use, and those in its archive. */
export async function postsOf(
  { api, guildId }: Pick<Server, 'api' | 'guildId'>,
  forumId: string,
  { cursor, signal }: PostListOptions,
): Promise<Page<WireThread>> {
  const place: Place | undefined = cursor === undefined ? undefined : Place.parse(JSON.parse(cursor));

  /** Discord lists an archive by when posts came into it, the latest first. */
  async function readArchive(before: string | undefined, limit: number) {
    const query = { limit: String(limit), ...(before !== undefined && { before }) };
    const path: `/${string}` = `/channels/${forumId}/threads/archived/public`;
    const { threads, has_more } = await api({ method: 'GET', path, query, answer: Archived, signal });
    const last = threads.at(-1)?.thread_metadata.archive_timestamp;
    return { threads, last: has_more && last !== before ? last : undefined };
  }

  async function readActive(): Promise<readonly WireThread[]> {
    const { threads } = await api({ method: 'GET', path: `/guilds/${guildId}/threads/active`, answer: Active, signal });
    return threads.filter(({ parent_id }) => parent_id === forumId);
  }

  if (place && 'archivedBefore' in place) {
    const { threads, last } = await readArchive(place.archivedBefore, PAGE_SIZE);
    return { items: newestFirst(threads), cursor: last && toCursor({ archivedBefore: last }), approximate: true };
  }

  const known = new Map((await readActive()).map((thread) => [thread.id, thread]));
  const wanted = (): readonly WireThread[] =>
    newestFirst([...known.values()].filter(({ id }) => place === undefined || BigInt(id) < BigInt(place.before)));
  let next: string | undefined;
  for (let requests = 1; ; requests++) {
    const { threads, last } = await readArchive(next, ARCHIVE_SIZE);
    for (const thread of threads) known.set(thread.id, thread);
    next = last;
    const posts = wanted();
    // Nothing is archived before it is made: all that is unread is older than this.
    const unreadMs = next === undefined ? -Infinity : Date.parse(next);
    const isCertain = posts.slice(0, PAGE_SIZE).every(({ id }) => createdAtMs(id) > unreadMs) && posts.length >= PAGE_SIZE;
    if (next !== undefined && !isCertain && requests < BUDGET) continue;

    const items = posts.slice(0, PAGE_SIZE);
    const exact = next === undefined || isCertain;
    return {
      items,
      scanned: known.size,
      cursor: cursorAfter(items, { rest: posts.length - items.length, exact, next }),
      ...(!exact && { approximate: true }),
    };
  }
}

interface Left {
  /** How many posts are known that did not fit. */
  readonly rest: number;
  readonly exact: boolean;
  /** Where the unread part of the archive begins; undefined: nowhere. */
  readonly next: string | undefined;
}

function cursorAfter(items: readonly WireThread[], { rest, exact, next }: Left): string | undefined {
  const last = items.at(-1)?.id;
  if (rest === 0 && next === undefined) return undefined;
  if (last !== undefined && (rest > 0 || exact)) return toCursor({ before: last });
  return next === undefined ? undefined : toCursor({ archivedBefore: next });
}

function toCursor(place: Place): string {
  return JSON.stringify(place);
}

function newestFirst(threads: readonly WireThread[]): readonly WireThread[] {
  return threads.toSorted((a, b) => (BigInt(a.id) > BigInt(b.id) ? -1 : 1));
}
