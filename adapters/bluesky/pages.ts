import { z } from 'zod';
import type { Query } from '#src/http/request-parts.ts';
import type { PageOptions } from '#src/operation/platform.ts';
import type { Page, PartialError } from '#src/paging/page.ts';
import type { Post } from '#src/social/records/post.ts';
import type { User } from '#src/social/records/user.ts';
import type { Account } from './account.ts';
import { maybeText, shownRows } from './wire/parts.ts';
import { FeedPost, fromFeed, PostView, toPost } from './wire/post.ts';
import { Profile, toUser } from './wire/profile.ts';

/** The most rows of an answer. */
export const MOST_ROWS = 100;

/** A call that returns a list, and the key of its rows. */
export interface Source {
  readonly nsid: string;
  /** The key of the rows in the answer. */
  readonly rows: string;
  readonly query: Query;
}

interface Fetched<T> {
  readonly rows: readonly T[];
  readonly partialErrors: readonly PartialError[];
  readonly cursor: string | undefined;
  readonly fetchedAt: Date;
}

/** One page of a list. */
export async function readRows<T>(
  { xrpc, now }: Account,
  { nsid, rows, query }: Source,
  row: z.ZodType<T>,
  { cursor: from, onNext, signal }: PageOptions,
): Promise<Fetched<T>> {
  const Answer = z.preprocess(
    (wire) =>
      typeof wire === 'object' && wire !== null
        ? { rows: wire[rows as keyof typeof wire], cursor: 'cursor' in wire ? wire.cursor : undefined }
        : wire, // any key may be asked for
    z.object({ rows: shownRows(row), cursor: maybeText }),
  );
  const answer = await xrpc.query(nsid, Answer, { limit: MOST_ROWS, ...query, cursor: from }, { signal });
  const fetchedAt = now();
  // A server that never comes to an end gives out the same cursor.
  const next = answer.cursor === from ? undefined : answer.cursor;
  if (onNext && next !== undefined) await onNext(next);
  return { ...answer.rows, cursor: next, fetchedAt };
}

/** One page of people. */
export async function readUsers(account: Account, source: Source, options: PageOptions): Promise<Page<User>> {
  const { rows, partialErrors, cursor: next, fetchedAt } = await readRows(account, source, Profile, options);
  return { items: rows.map((profile) => toUser(profile, fetchedAt)), partialErrors, cursor: next };
}

/** One page of posts. */
export async function readPosts(account: Account, source: Source, options: PageOptions): Promise<Page<Post>> {
  const { rows, partialErrors, cursor: next, fetchedAt } = await readRows(account, source, PostView, options);
  return { items: rows.map((view) => toPost(view, fetchedAt)), partialErrors, cursor: next };
}

/** One page of a feed, in which posts may stand because somebody passed them on. */
export async function readFeed(account: Account, source: Source, options: PageOptions): Promise<Page<Post>> {
  const { rows, partialErrors, cursor: next, fetchedAt } = await readRows(account, source, FeedPost, options);
  return { items: rows.map((row) => fromFeed(row, fetchedAt)), partialErrors, cursor: next };
}

/** How many items are enough for a page. */
const ENOUGH = 25;

/** A page of the items that are to be kept, filled from as many of the platform's pages as the budget allows. */
export async function sift<T>(
  keep: (item: T) => boolean,
  read: (options: PageOptions) => Promise<Page<T>>,
  { cursor: from, requests: most, signal }: PageOptions & { readonly requests: number },
): Promise<Page<T>> {
  const items: T[] = [];
  const partialErrors: PartialError[] = [];
  const met = new Set([from]);
  let scanned = 0;
  let cursor = from;
  for (let requests = 1; ; requests++) {
    const page = await read({ cursor, signal });
    partialErrors.push(...(page.partialErrors ?? []));
    items.push(...page.items.filter(keep));
    scanned += page.items.length;
    cursor = page.cursor;
    if (cursor === undefined || met.has(cursor)) return { items, partialErrors, scanned };
    if (items.length >= ENOUGH) return { items, partialErrors, scanned, cursor };
    if (requests === most) return { items, partialErrors, scanned, cursor, approximate: true };
    met.add(cursor);
  }
}
