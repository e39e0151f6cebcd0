import { CursorError } from '#src/errors.ts';
import type { Listing } from '#src/clients/operation/listing.ts';

export const LIMIT = 50;

/** The limit of a statement with an offset for all rows behind it. */
export const NO_LIMIT = 1_000_000_000;

/** The position of a cursor. A page holds the rows below it. */
export function seqOf(cursor: string | undefined): number {
  return positionOf(cursor) ?? Number.MAX_SAFE_INTEGER;
}

/** The position of a cursor, if there is one. */
export function positionOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (!/^\d{1,15}$/.test(cursor)) throw new CursorError('this cursor belongs to another list: start without a cursor');
  return Number(cursor);
}

/** Creates a page of at most `limit` items. The query asks for one more row to see whether another page follows. */
export function toListing<R extends { readonly seq: number }, T>(rows: readonly R[], limit: number, toItem: (row: R) => T): Listing<T> {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { items: shown.map(toItem), ...(last && { cursor: String(last.seq) }) };
}

type Stated<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The conditions of a filter without undefined values. */
export function stated<T extends object>(filter: T): Stated<T> {
  const conditions = Object.entries(filter).filter(([, value]) => value !== undefined);
  return Object.fromEntries(conditions) as Stated<T>; // the entries of T, but for the undefined ones
}
