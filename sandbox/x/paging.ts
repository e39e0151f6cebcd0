import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { fromCursor, toCursor } from '../cursor.ts';
import { invalidParameter } from './problem.ts';
import type { XRequest } from './request.ts';

export interface Paging {
  readonly size: { readonly least: number; readonly most: number; readonly usual: number };
  /** Whether `meta` has the number of items. */
  readonly counts?: boolean;
}

const Position = z.object({
  list: z.string(),
  to: z.enum(['next', 'previous']),
  /** The item next to the page, and its index. */
  id: z.string(),
  index: z.int().min(0),
});
type Position = z.output<typeof Position>;

/** The page of a list that `max_results` and a token select. Tokens are bound to the path. */
export function pageOf<T>(
  items: readonly T[],
  request: XRequest,
  { size, counts = true }: Paging,
  idOf: (item: T) => string,
): { readonly items: readonly T[]; readonly meta: JsonObject } {
  const { query, path: list, fault } = request;
  const most = sizeOf(query.get('max_results'), size);
  const name = query.get('pagination_token') ? 'pagination_token' : 'next_token';
  const token = query.get(name) ?? undefined;
  const position = token === undefined ? undefined : fromCursor(Position, token);
  if (token !== undefined && position?.list !== list) throw invalidParameter(name, token, 'is not valid');
  const start = position === undefined ? 0 : startOf(position, items.map(idOf), most);

  const from = start > 0 && fault('repeatedItem') ? start - 1 : start;
  const end = Math.min(items.length, from + most);
  const page = items.slice(from, end);
  const [first, last] = [page[0], page.at(-1)];
  const isShort = fault('shortList') !== undefined;
  const shown = fault('emptyList') ? [] : page.filter((_, index) => !isShort || index % 2 === 0);
  const next = last !== undefined && end < items.length ? toCursor({ list, to: 'next', id: idOf(last), index: end }) : undefined;
  const endless = fault('endlessCursor') ? (token ?? next ?? toCursor({ list, to: 'next', id: '', index: end })) : undefined;
  return {
    items: shown,
    meta: {
      ...(counts && { result_count: shown.length }),
      next_token: endless ?? next,
      previous_token: first !== undefined && from > 0 ? toCursor({ list, to: 'previous', id: idOf(first), index: from }) : undefined,
    },
  };
}

function sizeOf(text: string | null, { least, most, usual }: Paging['size']): number {
  const size = text === null ? usual : Number(text);
  if (Number.isInteger(size) && size >= least && size <= most) return size;
  throw invalidParameter('max_results', text ?? '', `is not between ${least} and ${most}`);
}

/** The page lies next to the item of the token, or at its index if the item is gone. */
function startOf({ to, id, index }: Position, ids: readonly string[], size: number): number {
  const found = ids.indexOf(id);
  if (to === 'next') return found < 0 ? Math.min(index, ids.length) : found + 1;
  return Math.max(0, (found < 0 ? index : found) - size);
}
