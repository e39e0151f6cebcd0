import { z } from 'zod';
import type { Query } from '#src/http/request-parts.ts';
import type { PageOptions } from '#src/clients/operation/platform.ts';
import type { Page, PartialError } from '#src/clients/paging/page.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import type { User } from '#src/clients/social/records/user.ts';
import type { AccountContext } from './account-context.ts';
import { maybeText, shownRows } from './wire/parts.ts';
import { FeedPost, fromFeed } from './wire/post.ts';
import { Profile, toUser } from './wire/profile.ts';

/** The most rows in one answer. */
export const MOST_ROWS = 100;

/** A method that returns a list. */
export interface Source {
  readonly nsid: string;
  /** The key of the list in the answer. */
  readonly rows: string;
  readonly query: Query;
}

interface Rows<T> {
  readonly rows: readonly T[];
  readonly partialErrors: readonly PartialError[];
  readonly cursor: string | undefined;
  readonly fetchedAt: Date;
}

/** The rows of one page of a list. */
export async function readRows<T>(
  { xrpc, now }: AccountContext,
  { nsid, rows, query }: Source,
  row: z.ZodType<T>,
  { cursor: from, onNext, signal }: PageOptions,
): Promise<Rows<T>> {
  const Answer = z.preprocess(
    (wire) =>
      typeof wire === 'object' && wire !== null
        ? { rows: wire[rows as keyof typeof wire], cursor: 'cursor' in wire ? wire.cursor : undefined }
        : wire, // any key may be asked for
    z.object({ rows: shownRows(row, { isRequired: true }), cursor: maybeText }),
  );
  const answer = await xrpc.query(nsid, Answer, { limit: MOST_ROWS, ...query, cursor: from }, { signal });
  const fetchedAt = now();
  // Some servers repeat the last cursor on every page.
  const next = answer.cursor === from ? undefined : answer.cursor;
  if (onNext && next !== undefined) await onNext(next);
  return { ...answer.rows, cursor: next, fetchedAt };
}

/** One page of a list as records. */
export async function readPage<T, R>(
  account: AccountContext,
  source: Source,
  row: z.ZodType<T>,
  toRecord: (row: T, fetchedAt: Date) => R,
  options: PageOptions,
): Promise<Page<R>> {
  const { rows, partialErrors, cursor, fetchedAt } = await readRows(account, source, row, options);
  return { items: rows.map((each) => toRecord(each, fetchedAt)), partialErrors, cursor };
}

export const readUsers = (account: AccountContext, source: Source, options: PageOptions): Promise<Page<User>> =>
  readPage(account, source, Profile, toUser, options);

/** One page of a feed, which contains posts and reposts. */
export const readFeed = (account: AccountContext, source: Source, options: PageOptions): Promise<Page<Post>> =>
  readPage(account, source, FeedPost, fromFeed, options);

/** A page with this many items is full. */
const FULL_PAGE = 25;

/** A page of the items that `keep` accepts. It reads at most `requests` pages of the platform. */
export async function filteredPage<T>(
  keep: (item: T) => boolean,
  read: (options: PageOptions) => Promise<Page<T>>,
  { cursor: from, requests: most, signal }: PageOptions & { readonly requests: number },
): Promise<Page<T>> {
  const items: T[] = [];
  const partialErrors: PartialError[] = [];
  const seen = new Set([from]);
  let scanned = 0;
  let cursor = from;
  for (let requests = 1; ; requests++) {
    const page = await read({ cursor, signal });
    partialErrors.push(...(page.partialErrors ?? []));
    items.push(...page.items.filter(keep));
    scanned += page.items.length;
    cursor = page.cursor;
    if (cursor === undefined || seen.has(cursor)) return { items, partialErrors, scanned };
    if (items.length >= FULL_PAGE) return { items, partialErrors, scanned, cursor };
    if (requests === most) return { items, partialErrors, scanned, cursor, approximate: true };
    seen.add(cursor);
  }
}
