import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import type { FaultKind, FaultOrder } from '../faults.ts';
import { invalidParameter } from './problem.ts';

/** A part of a list, and the tokens that lead to those before and after it. */
export interface XPage<T> {
  readonly items: readonly T[];
  readonly meta: JsonObject;
}

export interface PageOptions<T> {
  readonly query: URLSearchParams;
  /** How many a page may have, and has unasked. */
  readonly size: { readonly least: number; readonly most: number; readonly usual: number };
  /** What the tokens are bound to. */
  readonly list: string;
  readonly idOf: (item: T) => string;
  readonly fault: (kind: FaultKind) => FaultOrder | undefined;
  /** Whether X counts what is on the page. */
  readonly counts?: boolean;
}

const Place = z.object({
  list: z.string(),
  to: z.enum(['next', 'previous']),
  /** The item at whose side the page lies, and where it stood. */
  id: z.string(),
  index: z.int().min(0),
});
type Place = z.output<typeof Place>;

/** The part of a list that `max_results` and a token ask for. */
export function pageOf<T>(items: readonly T[], options: PageOptions<T>): XPage<T> {
  const { query, list, idOf, fault, counts = true } = options;
  const size = sizeOf(options);
  const [name, token] =
    ['pagination_token', 'next_token'].map((each) => [each, query.get(each) ?? ''] as const).find(([, value]) => value) ?? [];
  const place = token === undefined || name === undefined ? undefined : read(token, { name, list });
  const start = place === undefined ? 0 : startOf(place, items.map(idOf), size);

  const from = start > 0 && fault('repeatedItem') ? start - 1 : start;
  const end = Math.min(items.length, from + size);
  const page = items.slice(from, end);
  const [first, last] = [page[0], page.at(-1)];
  const short = fault('shortList') !== undefined;
  const shown = fault('emptyList') ? [] : page.filter((_, index) => !short || index % 2 === 0);
  const next = last !== undefined && end < items.length ? write({ list, to: 'next', id: idOf(last), index: end }) : undefined;
  const endless = fault('endlessCursor') ? (token ?? next ?? write({ list, to: 'next', id: '', index: end })) : undefined;
  return {
    items: shown,
    meta: {
      ...(counts ? { result_count: shown.length } : {}),
      next_token: endless ?? next,
      previous_token: first !== undefined && from > 0 ? write({ list, to: 'previous', id: idOf(first), index: from }) : undefined,
    },
  };
}

function sizeOf<T>({ query, size: { least, most, usual } }: PageOptions<T>): number {
  const given = query.get('max_results');
  if (given === null) return usual;
  const size = Number(given);
  if (!Number.isInteger(size) || size < least || size > most)
    throw invalidParameter('max_results', given, `is not between ${least} and ${most}`);
  return size;
}

/** After or before the item that the token names; where that is gone, its number counts. */
function startOf({ to, id, index }: Place, ids: readonly string[], size: number): number {
  const at = ids.indexOf(id);
  if (to === 'next') return at < 0 ? Math.min(index, ids.length) : at + 1;
  return Math.max(0, (at < 0 ? index : at) - size);
}

function write(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

function read(token: string, { name, list }: { readonly name: string; readonly list: string }): Place {
  const place = parse(token);
  if (!place || place.list !== list) throw invalidParameter(name, token, 'is not valid');
  return place;
}

function parse(token: string): Place | undefined {
  try {
    return Place.safeParse(JSON.parse(Buffer.from(token, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}
