import { z } from 'zod';
import { arrayOf, listOf } from '#src/http/lenient.ts';
import type { ChatPlatform } from '#src/clients/chat/chat.ts';
import type { Message } from '#src/clients/chat/records.ts';
import type { PageOptions } from '#src/clients/operation/platform.ts';
import type { Page } from '#src/clients/paging/page.ts';
import type { Channel } from '../channels.ts';
import { createdAtMs, PAGE_SIZE } from '../history.ts';
import type { Server } from '../server.ts';
import { toMessage, WireThread } from '../wire/message.ts';
import { firstMessage } from './forum-posts.ts';
import { refinding } from './retry-on-gone.ts';

/** Each post of a page costs a request for its message. */
const POSTS_PER_PAGE = 25;
/** The largest page of an archive. */
const ARCHIVE_SIZE = 100;
/** The limit of archive requests for one page. */
const BUDGET = 10;

const Active = z.object({ threads: listOf(WireThread) });
const Archived = z.object({
  threads: arrayOf(WireThread.extend({ thread_metadata: z.object({ archive_timestamp: z.string() }) })),
  has_more: z.boolean(),
});

/** The start of a page: before a post, or, after too many requests, at a position in the archive. */
const Place = z.union([z.strictObject({ before: z.string() }), z.strictObject({ archivedBefore: z.string() })]);
type Place = z.output<typeof Place>;

interface PostListOptions {
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A page of the posts of a forum, newest first, with archived posts. */
export async function postsOf(
  { api, guildId }: Pick<Server, 'api' | 'guildId'>,
  forumId: string,
  { cursor, signal }: PostListOptions,
): Promise<Page<WireThread>> {
  const target: Place | undefined = cursor === undefined ? undefined : Place.parse(JSON.parse(cursor));

  /** Discord sorts an archive by the time of archiving, latest first. */
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

  if (target && 'archivedBefore' in target) {
    const { threads, last } = await readArchive(target.archivedBefore, POSTS_PER_PAGE);
    return { items: newestFirst(threads), cursor: last && toCursor({ archivedBefore: last }), approximate: true };
  }

  const known = new Map((await readActive()).map((thread) => [thread.id, thread]));
  const wanted = (): readonly WireThread[] =>
    newestFirst([...known.values()].filter(({ id }) => target === undefined || BigInt(id) < BigInt(target.before)));
  let next: string | undefined;
  for (let requests = 1; ; requests++) {
    const { threads, last } = await readArchive(next, ARCHIVE_SIZE);
    for (const thread of threads) known.set(thread.id, thread);
    next = last;
    const posts = wanted();
    // A post is archived after it is created, so every unread post is older than this.
    const unreadMs = next === undefined ? -Infinity : Date.parse(next);
    const isCertain = posts.slice(0, POSTS_PER_PAGE).every(({ id }) => createdAtMs(id) > unreadMs) && posts.length >= POSTS_PER_PAGE;
    if (next !== undefined && !isCertain && requests < BUDGET) continue;

    const items = posts.slice(0, POSTS_PER_PAGE);
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
  /** The number of known posts that did not fit. */
  readonly rest: number;
  readonly exact: boolean;
  /** The start of the unread archive; undefined if all of it was read. */
  readonly next: string | undefined;
}

function cursorAfter(items: readonly WireThread[], { rest, exact, next }: Left): string | undefined {
  const last = items.at(-1)?.id;
  if (rest === 0 && next === undefined) return undefined;
  if (last !== undefined && (rest > 0 || exact)) return toCursor({ before: last });
  return next === undefined ? undefined : toCursor({ archivedBefore: next });
}

function toCursor(target: Place): string {
  return JSON.stringify(target);
}

function newestFirst(threads: readonly WireThread[]): readonly WireThread[] {
  return threads.toSorted((a, b) => (BigInt(a.id) > BigInt(b.id) ? -1 : 1));
}

const Tagged = z.object({ available_tags: arrayOf(z.object({ id: z.string(), name: z.string() })).nullish() });

/** Reads messages. */
export function reading(server: Server): { readonly operations: Pick<ChatPlatform['operations'], 'getMessages'> } {
  const { api, guildId, channels, history, clock } = server;

  async function messagesIn({ id, name }: Channel, { cursor, signal }: PageOptions): Promise<Page<Message>> {
    const { rows, partialErrors } = await history.readablePage(id, { before: cursor, signal });
    const about = { guildId, botId: await history.botId(signal), channel: { id, name }, fetchedAt: new Date(clock.nowMs()) };
    return {
      items: rows.filter(({ isWritten }) => isWritten).map((message) => toMessage(message, about)),
      scanned: rows.length,
      partialErrors,
      cursor: rows.length + partialErrors.length < PAGE_SIZE ? undefined : rows.at(-1)?.id,
    };
  }

  /** The first messages of posts, without deleted ones and without those whose files are still uploading. */
  async function postsIn({ id, name }: Channel, { cursor, signal }: PageOptions): Promise<Page<Message>> {
    const { items: threads, ...page } = await postsOf(server, id, { cursor, signal });
    const isTagged = threads.some(({ applied_tags }) => applied_tags?.length);
    const tags = isTagged ? await tagsOf(id, signal) : new Map<string, string>();
    const messages = await Promise.all(threads.map((thread) => firstMessage(server, thread, signal)));
    const about = { guildId, botId: await history.botId(signal), channel: { id, name }, fetchedAt: new Date(clock.nowMs()) };
    const items = threads.flatMap((thread, index) => {
      const message = messages[index];
      const named = (thread.applied_tags ?? []).flatMap((tag) => tags.get(tag) ?? []);
      return message ? [{ ...toMessage({ ...message, thread }, about), title: thread.name, tags: named }] : [];
    });
    return { ...page, items };
  }

  /** Current names, without the cache. */
  async function tagsOf(forumId: string, signal: AbortSignal | undefined): Promise<ReadonlyMap<string, string>> {
    const { available_tags } = await api({ method: 'GET', path: `/channels/${forumId}`, answer: Tagged, signal });
    return new Map((available_tags ?? []).map((tag) => [tag.id, tag.name]));
  }

  return {
    operations: {
      async getMessages({ channel }, options) {
        const find = (): Promise<Channel> => channels.forMessage(channel, { signal: options.signal });
        return refinding(channels, find, (target) => (target.forum ? postsIn(target, options) : messagesIn(target, options)));
      },
    },
  };
}
