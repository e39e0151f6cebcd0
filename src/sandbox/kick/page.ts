import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import { invalid, type KickRequest } from './request.ts';

const MOST_ROWS = 1000;
const USUAL_ROWS = 100;
/** How long the pages of one walk are cut from the same instant. */
const SNAPSHOT_MS = 60_000;

const Place = z.object({ offset: z.int().min(0), atMs: z.number() });
type Place = z.output<typeof Place>;

/** An answer that has a list in it. */
export interface KickPage {
  readonly data: readonly JsonObject[];
  readonly pagination?: JsonObject;
}

/** The part of a list that `limit` and `cursor` ask for. */
export function cutPage<T>(
  { query, nowMs, fault }: Pick<KickRequest, 'query' | 'nowMs' | 'fault'>,
  listAt: (atMs: number) => readonly T[],
  toRow: (item: T) => JsonObject,
): KickPage {
  const limit = Number(query.get('limit') ?? USUAL_ROWS);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_ROWS) throw invalid();
  const cursor = query.get('cursor') || undefined;
  const { offset, atMs } = cursor === undefined ? { offset: 0, atMs: nowMs } : fromCursor(cursor);
  const list = listAt(nowMs - atMs <= SNAPSHOT_MS ? atMs : nowMs);

  const start = offset > 0 && fault('repeatedItem') ? offset - 1 : offset;
  const end = Math.min(list.length, start + limit);
  const next = end < list.length ? toCursor({ offset: end, atMs }) : '';
  const endless = fault('endlessCursor') ? (cursor ?? toCursor({ offset: end, atMs })) : undefined;
  const short = fault('shortList') !== undefined;
  const items = fault('emptyList') ? [] : list.slice(start, end).filter((_, index) => !short || index % 2 === 0);
  return { data: items.map(toRow), pagination: { next_cursor: endless ?? next } };
}

function toCursor(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

function fromCursor(cursor: string): Place {
  try {
    return Place.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw invalid();
  }
}
