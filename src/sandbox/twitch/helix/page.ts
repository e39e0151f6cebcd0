import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import type { FaultKind, FaultOrder } from '../../faults.ts';
import { malformed, type Query } from './query.ts';

/** How long the pages of one walk are cut from the same instant. */
const SNAPSHOT_MS = 60_000;

const Place = z.object({ before: z.int().min(0), after: z.int().min(0), atMs: z.number() });
type Place = z.output<typeof Place>;

/** Which part of a list is asked for. */
export interface PageRequest {
  readonly first: number;
  readonly place: Place | undefined;
  readonly forward: boolean;
  /** The cursor that was sent. */
  readonly cursor: string | undefined;
  /** The instant that the list is made for: that of the walk's first page, so that its pages fit together. */
  readonly atMs: number;
}

/** The part that `query` asks for. */
export function pageRequest(query: Query, nowMs: number): PageRequest {
  const name = query.one('before') === undefined ? 'after' : 'before';
  const cursor = query.one(name) || undefined;
  const place = cursor === undefined ? undefined : fromCursor(cursor, name);
  const fresh = place && Math.abs(nowMs - place.atMs) <= SNAPSHOT_MS;
  return { first: query.first(), place, forward: name === 'after', cursor, atMs: fresh ? place.atMs : nowMs };
}

/** An answer of Helix that has a list in it. */
export interface HelixPage<T> {
  readonly data: readonly T[];
  readonly pagination: JsonObject;
}

/** The page of `list` that is asked for; it fails where that is ordered. */
export function cutPage<T>(
  list: readonly T[],
  { first, place, forward, cursor, atMs }: PageRequest,
  fault: (kind: FaultKind) => FaultOrder | undefined,
): HelixPage<T> {
  const wanted = forward ? (place?.after ?? 0) : Math.max(0, (place?.before ?? 0) - first);
  const start = wanted > 0 && fault('repeatedItem') ? wanted - 1 : wanted;
  const end = Math.min(list.length, forward ? start + first : (place?.before ?? 0));
  const next = end < list.length ? toCursor({ before: start, after: end, atMs }) : undefined;
  const endless = fault('endlessCursor') ? (cursor ?? toCursor({ before: start, after: end, atMs })) : undefined;
  return { data: thinned(list.slice(start, end), fault), pagination: { cursor: endless ?? next } };
}

function thinned<T>(items: readonly T[], fault: (kind: FaultKind) => FaultOrder | undefined): readonly T[] {
  if (fault('emptyList')) return [];
  return fault('shortList') ? items.filter((_, index) => index % 2 === 0) : items;
}

/** Opaque to who gets it: two places in one, as Twitch has them. */
function toCursor({ before, after, atMs }: Place): string {
  const inner = (offset: number): object => ({ Cursor: Buffer.from(`${offset}:${atMs}`).toString('base64') });
  return Buffer.from(JSON.stringify({ b: inner(before), a: inner(after) })).toString('base64');
}

const Wrapped = z.object({ Cursor: z.base64() }).transform(({ Cursor }) => {
  const [offset, atMs] = Buffer.from(Cursor, 'base64').toString().split(':').map(Number);
  return { offset, atMs };
});
const Cursor = z
  .object({ b: Wrapped, a: Wrapped })
  .transform(({ b, a }) => ({ before: b.offset, after: a.offset, atMs: a.atMs }))
  .pipe(Place);

function fromCursor(cursor: string, name: string): Place {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64').toString()));
  } catch {
    throw malformed(name, 'the value is not a valid cursor');
  }
}
