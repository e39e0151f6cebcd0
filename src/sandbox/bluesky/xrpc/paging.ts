import type { SignedCall } from './endpoint.ts';
import { invalidRequest } from './refusal.ts';

/** A part of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Where the next part starts; absent at the end. */
  readonly cursor: string | undefined;
}

export interface Asked {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * The part of a list that was asked for, as the failures in force leave it. It goes on after the last item, by id, so
 * that what is new in front moves nothing; where that item is gone, its number counts.
 */
export function cutPage<T>(
  list: readonly T[],
  { limit, cursor }: Asked,
  { idOf, fault }: { readonly idOf: (item: T) => string; readonly fault: SignedCall['fault'] },
): Page<T> {
  const begin = cursor === undefined ? 0 : placeAfter(list, cursor, idOf);
  const end = Math.min(begin + limit, list.length);
  const last = list[end - 1];
  const next = last !== undefined && end < list.length ? toCursor(end, idOf(last)) : undefined;
  if (fault('emptyList')) return { items: [], cursor: next };
  const start = begin > 0 && fault('repeatedItem') ? begin - 1 : begin;
  const short = fault('shortList') !== undefined;
  const items = list.slice(start, end).filter((_, index) => !short || index % 2 === 0);
  return { items, cursor: fault('endlessCursor') ? (cursor ?? next ?? toCursor(0, 'start')) : next };
}

function toCursor(place: number, id: string): string {
  return Buffer.from(`${place} ${id}`).toString('base64url');
}

function placeAfter<T>(list: readonly T[], cursor: string, idOf: (item: T) => string): number {
  const [, place, id] = /^(\d+) (.+)$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (place === undefined) throw invalidRequest('Malformed cursor');
  const index = list.findIndex((item) => idOf(item) === id);
  return index < 0 ? Math.min(Number(place), list.length) : index + 1;
}
