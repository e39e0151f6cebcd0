import { z } from 'zod';
import type { Page } from '#src/clients/paging/page.ts';
import { MOST_ROWS } from '../client.ts';

/** The position of the next page in each unfinished list. */
const Positions = z.record(z.string(), z.object({ after: z.string().optional(), skip: z.int().min(0) }));
type Positions = z.output<typeof Positions>;

/** An item with its index on the page of its list. */
export interface Ranked<T> {
  readonly item: T;
  readonly rank: number;
}

interface MergeOptions<T> {
  /** The keys of the lists. */
  readonly keys: readonly string[];
  /** Reads a page of one list. */
  readonly read: (key: string, after: string | undefined) => Promise<Page<T>>;
  /** The order of each list and of the result. */
  readonly order: (a: Ranked<T>, b: Ranked<T>) => number;
  /** The cursor of an earlier merge. */
  readonly cursor?: string | undefined;
}

/** Merges several lists into one. A page is short if another page of one list is needed for the order. */
export async function merge<T>({ keys, read, order, cursor }: MergeOptions<T>): Promise<Page<T>> {
  const positions: Positions =
    cursor === undefined ? Object.fromEntries(keys.map((key) => [key, { skip: 0 }])) : Positions.parse(JSON.parse(cursor));
  const lists = await Promise.all(
    Object.entries(positions).map(async ([key, { after, skip }]) => {
      const { items, partialErrors = [], cursor: next } = await read(key, after);
      return { key, after, next: next === after ? undefined : next, items, partialErrors, at: skip };
    }),
  );
  const scanned = lists.reduce((sum, { items, at }) => sum + Math.max(0, items.length - at), 0);

  const taken: T[] = [];
  while (taken.length < MOST_ROWS) {
    if (lists.some(({ items, at, next }) => at >= items.length && next !== undefined)) break;
    const heads = lists.flatMap((list) => {
      const item = list.items[list.at];
      return item === undefined ? [] : [{ list, item, rank: list.at }];
    });
    const [first] = heads.toSorted(order);
    if (!first) break;
    taken.push(first.item);
    first.list.at += 1;
  }

  const rest = lists.flatMap(({ key, after, next, items, at }) => {
    if (at < items.length) return [[key, { after, skip: at }] as const];
    return next === undefined ? [] : [[key, { after: next, skip: 0 }] as const];
  });
  const partialErrors = lists.flatMap((list) => list.partialErrors);
  return { items: taken, scanned, partialErrors, cursor: rest.length === 0 ? undefined : JSON.stringify(Object.fromEntries(rest)) };
}
