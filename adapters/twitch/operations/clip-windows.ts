import { z } from 'zod';
import type { Page, PartialError } from '#src/clients/paging/page.ts';
import { MOST_ROWS } from '../client.ts';

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 3600 * 1000;
/** The time of the first clip. */
const OLDEST_MS = Date.parse('2016-05-01T00:00:00Z');
const USUAL_WIDTH_MS = 7 * DAY_MS;
/** The factors by which a window with too many clips shrinks, and one with few clips grows. */
const SHRINK = 8;
const GROW = 4;

/** The next window ends at `endMs` and is `widthMs` long. */
const Position = z.object({ endMs: z.int(), widthMs: z.int() });

/** An item with its creation time. */
interface Made {
  readonly id: string;
  readonly createdAt: Date;
}

interface WindowsOptions<T> {
  /** Reads a page of the items created in `[fromMs, toMs)`, in any order. */
  readonly read: (fromMs: number, toMs: number, after: string | undefined) => Promise<Page<T>>;
  readonly keep: (item: T) => boolean;
  readonly nowMs: number;
  /** The largest number of requests. */
  readonly requests: number;
  /** The largest number of items of one query. */
  readonly most: number;
  /** The cursor of an earlier page. */
  readonly cursor?: string | undefined;
}

/** Sorts a list without an order by time, newest first: it reads backwards in windows that are as long as one query can return completely. */
export async function newestFirst<T extends Made>({ read, keep, nowMs, requests, most, cursor }: WindowsOptions<T>): Promise<Page<T>> {
  // The platform rounds to whole minutes.
  const start = { endMs: Math.ceil((nowMs + 1) / MINUTE_MS) * MINUTE_MS, widthMs: USUAL_WIDTH_MS };
  let { endMs, widthMs } = cursor === undefined ? start : Position.parse(JSON.parse(cursor));
  const found: T[] = [];
  const partialErrors: PartialError[] = [];
  let scanned = 0;
  let left = requests;
  let lost = false;

  while (found.length < MOST_ROWS && endMs > OLDEST_MS) {
    const unfinished = { items: found, partialErrors, approximate: true, cursor: JSON.stringify({ endMs, widthMs }) };
    if (left === 0) return { ...unfinished, scanned };
    const fromMs = Math.max(OLDEST_MS, endMs - widthMs);
    const narrowest = widthMs <= MINUTE_MS;
    const window = await drain({ read: (after) => read(fromMs, endMs, after), requests: left, most, giveUp: !narrowest });
    const hadAll = left === requests || window.items.length >= most;
    left -= window.requests;
    scanned += window.scanned;

    if (!window.whole && narrowest && !hadAll) return { ...unfinished, scanned };
    if (!window.whole && !narrowest) {
      widthMs = Math.max(MINUTE_MS, Math.floor(widthMs / SHRINK / MINUTE_MS) * MINUTE_MS);
      continue;
    }
    const inside = window.items.filter(({ createdAt }) => createdAt.getTime() >= fromMs && createdAt.getTime() < endMs);
    partialErrors.push(...window.partialErrors);
    found.push(...inside.filter(keep).toSorted(byTime));
    lost ||= !window.whole;
    endMs = fromMs;
    if (inside.length < MOST_ROWS / GROW) widthMs *= GROW;
  }
  return {
    items: found,
    partialErrors,
    scanned,
    approximate: lost,
    cursor: endMs > OLDEST_MS ? JSON.stringify({ endMs, widthMs }) : undefined,
  };
}

interface DrainOptions<T> {
  readonly read: (after: string | undefined) => Promise<Page<T>>;
  /** The largest number of requests. */
  readonly requests: number;
  readonly most: number;
  /** Whether to stop as soon as there is more than one page. */
  readonly giveUp: boolean;
}

interface Window<T> {
  readonly items: readonly T[];
  readonly partialErrors: readonly PartialError[];
  /** Whether the window is complete. */
  readonly whole: boolean;
  readonly requests: number;
  readonly scanned: number;
}

/** The available items of one query. A cursor that leads only to known items is the end. */
async function drain<T extends Made>({ read, requests, most, giveUp }: DrainOptions<T>): Promise<Window<T>> {
  const items = new Map<string, T>();
  const partialErrors: PartialError[] = [];
  let after: string | undefined;
  let scanned = 0;

  for (let count = 1; ; count++) {
    const page = await read(after);
    const before = items.size;
    for (const item of page.items) items.set(item.id, item);
    partialErrors.push(...(page.partialErrors ?? []));
    scanned += page.items.length;
    const result = { items: [...items.values()], partialErrors, requests: count, scanned };

    const isEnd = page.cursor === undefined || page.cursor === after || items.size === before;
    if (isEnd) return { ...result, whole: items.size < most };
    const full = giveUp && page.items.length >= MOST_ROWS;
    if (full || count === requests || items.size >= most) return { ...result, whole: false };
    after = page.cursor;
  }
}

function byTime(a: Made, b: Made): number {
  return b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1);
}
