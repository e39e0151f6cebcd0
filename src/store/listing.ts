import { CursorError } from '#src/errors.ts';

/** A part of a list, newest first. */
export interface Listing<T> {
  readonly items: readonly T[];
  /** Where the next part starts; absent at the end. */
  readonly cursor?: string | undefined;
}

/** Which part of a list. */
export interface ListingOptions {
  readonly cursor?: string | undefined;
  /** How many at most. */
  readonly limit?: number | undefined;
}

export const LIMIT = 50;

/** The place that a cursor stands for: the part holds what is below it. */
export function seqOf(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  if (!/^\d{1,15}$/.test(cursor)) throw new CursorError('this cursor was not made by this list; start without one');
  return Number(cursor);
}

/** The part of a list that `rows` are, which were asked for with one more than `limit`. */
export function toListing<R extends { readonly seq: number }, T>(rows: readonly R[], limit: number, toItem: (row: R) => T): Listing<T> {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { items: shown.map(toItem), ...(last && { cursor: String(last.seq) }) };
}

type Stated<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The conditions that a filter states: the others hold for all. */
export function stated<T extends object>(filter: T): Stated<T> {
  const conditions = Object.entries(filter).filter(([, value]) => value !== undefined);
  return Object.fromEntries(conditions) as Stated<T>; // the entries of T, but for the undefined ones
}
