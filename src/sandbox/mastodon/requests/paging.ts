import type { Place, Spelling } from '../identifiers/places.ts';
import type { Fields } from './fields.ts';

/** The part of a list that is asked for. */
export interface Bounds {
  readonly limit: number;
  readonly maxId: string | undefined;
  readonly sinceId: string | undefined;
  readonly minId: string | undefined;
}

/** How many a list gives, and what it is cut to. */
export interface Sizes {
  readonly usual: number;
  readonly most: number;
}

export const STATUSES: Sizes = { usual: 20, most: 40 };
export const ACCOUNTS: Sizes = { usual: 40, most: 80 };

export function boundsOf(fields: Fields, { usual, most }: Sizes): Bounds {
  const limit = fields.whole('limit') ?? usual;
  return {
    limit: Math.max(0, Math.min(limit, most)),
    maxId: fields.text('max_id'),
    sinceId: fields.text('since_id'),
    minId: fields.text('min_id'),
  };
}

/** What an answer with a list says of where the list goes on: the parameters of the next and of the previous page. */
export interface Cut<T> {
  readonly items: readonly T[];
  readonly next?: Readonly<Record<string, string>> | undefined;
  readonly previous?: Readonly<Record<string, string>> | undefined;
}

export interface Cutting<T> {
  readonly bounds: Bounds;
  readonly placeOf: (item: T) => Place;
  /** What is no id is as if it came before everything. */
  readonly spelling: Spelling;
  /** Whether a page begins with the last item of the page before. */
  readonly repeats?: boolean | undefined;
}

/** The part of a list that lies between ids, newest first; with `min_id` the oldest part, else the newest. */
export function cutByPlace<T>(items: Iterable<T>, { bounds, placeOf, spelling, repeats = false }: Cutting<T>): Cut<T> {
  const at = (id: string | undefined): Place | undefined => (id === undefined ? undefined : (spelling.read(id) ?? 0n));
  const [below, above, right] = [at(bounds.maxId), at(bounds.sinceId), at(bounds.minId)];
  const lowest = right ?? above;
  const placed = Array.from(items, (item) => ({ item, place: placeOf(item) }))
    .filter(
      ({ place }) => (below === undefined || place < below || (repeats && place === below)) && (lowest === undefined || place > lowest),
    )
    .toSorted((a, b) => (a.place < b.place ? 1 : -1));
  const page = right === undefined ? placed.slice(0, bounds.limit) : placed.slice(Math.max(0, placed.length - bounds.limit));
  const [first, last] = [page.at(0), page.at(-1)];
  return {
    items: page.map(({ item }) => item),
    // As Mastodon does: a page that is not full is taken for the last.
    next: last && page.length >= bounds.limit ? { max_id: spelling.write(last.place) } : undefined,
    previous: first && { min_id: spelling.write(first.place) },
  };
}

export interface Anchored<T> {
  readonly bounds: Bounds;
  /** What an item is anchored by in addresses of pages. */
  readonly anchorOf: (item: T) => string;
}

/** The part of a list that has an order of its own; an anchor that it does not know is as if none was given. */
export function cutByAnchor<T>(items: readonly T[], { bounds, anchorOf }: Anchored<T>): Cut<T> {
  const after = bounds.maxId === undefined ? -1 : items.findIndex((item) => anchorOf(item) === bounds.maxId);
  const until = bounds.sinceId === undefined ? -1 : items.findIndex((item) => anchorOf(item) === bounds.sinceId);
  const page = items.slice(after + 1, until === -1 ? undefined : until).slice(0, bounds.limit);
  const [first, last] = [page.at(0), page.at(-1)];
  return {
    items: page,
    next: last !== undefined && page.length >= bounds.limit ? { max_id: anchorOf(last) } : undefined,
    previous: first === undefined ? undefined : { since_id: anchorOf(first) },
  };
}

/** The part of a list behind so many. */
export function cutByOffset<T>(items: readonly T[], { limit, offset }: { readonly limit: number; readonly offset: number }): Cut<T> {
  const page = items.slice(offset, offset + limit);
  return {
    items: page,
    next: page.length >= limit && limit > 0 ? { offset: String(offset + limit) } : undefined,
    previous: offset > limit ? { offset: String(offset - limit) } : undefined,
  };
}
