import type { Clock } from '#src/clock.ts';
import type { Page } from '#src/clients/paging/page.ts';
import type { Watched, WatchList } from '#src/clients/social/providers.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import { openPageBudget, type PageBudget, type XBudgets } from '../budgets.ts';
import type { Primitives } from '../client.ts';
import { type Readers, readPosts } from '../pages.ts';
import { byIdDescending, toSecond } from '../wire/parts.ts';
import { LONGEST_QUERY, RECENT, SEARCH_ROWS } from './search.ts';
import type { UserNames } from './users.ts';

const WEEK_MS = 7 * 24 * 3600_000;
/** The start of a search must lie a little inside the week. */
const MARGIN_MS = 60_000;

interface WatchingOptions {
  readonly readers: Readers;
  readonly names: UserNames;
  readonly list: WatchList;
  readonly budgets: XBudgets | undefined;
  readonly clock: Clock;
}

type Watching = Pick<Primitives, 'enableUserNotification' | 'disableUserNotification' | 'getPostNotifications'>;

/** New posts of the users on Fanfare's watch list, because X has no API for notifications. */
export function watching({ readers, names, list, budgets, clock }: WatchingOptions): Watching {
  return {
    async enableUserNotification({ user }, { signal }) {
      await list.add({ id: await names.idOf(user, signal), since: new Date(clock.nowMs()) });
      return true;
    },

    async disableUserNotification({ user }, { signal }) {
      await list.remove(await names.idOf(user, signal));
      return true;
    },

    async getPostNotifications(_, { cursor, signal }) {
      const watched = await list.all();
      if (watched.length === 0) return { items: [] };
      const budget = openPageBudget('getPostNotifications', budgets, { kind: 'post', ...SEARCH_ROWS });
      const since = new Map(watched.map(({ id, since: from }) => [id, from]));
      const earliestMs = Math.max(Math.min(...[...since.values()].map((from) => from.getTime())), clock.nowMs() - WEEK_MS + MARGIN_MS);
      const queries = queriesFor(watched);
      const pages: Page<Post>[] = [];
      for (const [index, query] of queries.entries()) {
        const rows = rowsOfNext(budget, queries.length - index);
        if (rows === undefined) {
          pages.push(unread(queries.slice(index)));
          break;
        }
        const asked = { query, sort_order: 'recency', max_results: rows, start_time: toSecond(earliestMs), until_id: cursor };
        const page = await readPosts(readers, { path: RECENT, query: asked, cursorName: 'next_token' }, { signal });
        budget.pay('post', page.items.length);
        pages.push(page);
      }
      const page = merged(pages);
      return {
        ...page,
        items: page.items.filter(({ author, createdAt }) => createdAt >= (since.get(author.id) ?? createdAt)),
        ...(pages.some(({ approximate }) => approximate) && { approximate: true }),
      };
    },
  };
}

/** The rows of the next of some searches. Each gets a part of the budget, so that it suffices for as many of them as possible. */
function rowsOfNext(budget: PageBudget, searches: number): number | undefined {
  const { least, most } = SEARCH_ROWS;
  const left = budget.rowsOf('post', { least, most: most * searches });
  return left === undefined ? undefined : Math.min(most, Math.max(least, Math.floor(left / searches)));
}

/** The missing posts of users for whose searches the budget does not suffice. */
function unread(queries: readonly string[]): Page<Post> {
  const values = queries.flatMap((query) => Array.from(query.matchAll(/\d+/gu), ([id]) => id));
  const message = `x: the page budget does not suffice for the posts of ${values.length === 1 ? 'a watched user' : `${values.length} watched users`}: raise the page budget of the account (budgets in fanfare.yaml).`;
  return { items: [], approximate: true, partialErrors: [{ fault: 'rejected', message, values }] };
}

/** The fewest search queries that cover the posts of all watched users. */
export function queriesFor(watched: readonly Watched[]): readonly string[] {
  const queries: string[] = [];
  for (const { id } of watched) {
    const last = queries.at(-1);
    const longer = last === undefined ? undefined : `${last} OR from:${id}`;
    // Two characters are needed for the brackets.
    if (longer !== undefined && longer.length <= LONGEST_QUERY - 2) queries[queries.length - 1] = longer;
    else queries.push(`from:${id}`);
  }
  return queries.map((query) => `(${query})`);
}

/** Merges pages, newest first. The page ends where another query may have newer posts. The next page begins there. */
export function merged(pages: readonly Page<Post>[]): Page<Post> {
  const ends = pages.flatMap(({ items, cursor }) => (cursor === undefined ? [] : items.toSorted(byIdDescending).slice(-1)));
  const [edge] = ends.toSorted(byIdDescending);
  const all = pages.flatMap(({ items }) => items).toSorted(byIdDescending);
  const partialErrors = pages.flatMap(({ partialErrors: parts = [] }) => parts);
  return {
    items: edge === undefined ? all : all.filter((post) => byIdDescending(post, edge) <= 0),
    scanned: all.length,
    cursor: edge?.id,
    ...(partialErrors.length > 0 && { partialErrors }),
  };
}
