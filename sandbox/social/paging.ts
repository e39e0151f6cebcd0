import { Refusal } from './refusal.ts';

const PAGE_SIZE = 20;

/** A part of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Where the next part starts; absent at the end. */
  readonly cursor?: string | undefined;
}

/**
 * A page of a list, and where the next one starts: after its last item, by id, so that what is new in front moves nothing.
 * Where that item is gone, its number counts.
 */
export function pageOf<T extends { readonly id: string }>(items: readonly T[], cursor: string | undefined): Page<T> {
  const start = cursor === undefined ? 0 : placeAfter(items, cursor);
  const page = items.slice(start, start + PAGE_SIZE);
  const last = page.at(-1);
  const end = start + page.length;
  return { items: page, cursor: last && end < items.length ? `${end}.${last.id}` : undefined };
}

function placeAfter(items: readonly { readonly id: string }[], cursor: string): number {
  const [, number, id] = /^(\d+)\.(.+)$/.exec(cursor) ?? [];
  if (number === undefined) throw new Refusal(400, 'invalid_cursor', 'This is not a cursor of this list.');
  const index = items.findIndex((item) => item.id === id);
  return index < 0 ? Number(number) : index + 1;
}
