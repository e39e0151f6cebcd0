import { Refusal } from './refusal.ts';

const PAGE_SIZE = 20;

/** A page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The start of the next page; absent at the end. */
  readonly cursor?: string | undefined;
}

/** A page of a list. The cursor has the id of the last item, so that new items do not move pages, and its index as a fallback. */
export function pageOf<T extends { readonly id: string }>(items: readonly T[], cursor: string | undefined): Page<T> {
  const start = cursor === undefined ? 0 : indexAfter(items, cursor);
  const page = items.slice(start, start + PAGE_SIZE);
  const last = page.at(-1);
  const end = start + page.length;
  return { items: page, cursor: last && end < items.length ? `${end}.${last.id}` : undefined };
}

function indexAfter(items: readonly { readonly id: string }[], cursor: string): number {
  const [, number, id] = /^(\d+)\.(.+)$/.exec(cursor) ?? [];
  if (number === undefined) throw new Refusal(400, 'invalid_cursor', 'The cursor does not belong to this list.');
  const index = items.findIndex((item) => item.id === id);
  return index < 0 ? Number(number) : index + 1;
}
