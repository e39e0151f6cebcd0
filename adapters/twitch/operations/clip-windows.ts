import { z } from 'zod';
import type { Page, PartialError } from '#src/paging/page.ts';
import { MOST_ROWS } from '../client.ts';

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 3600 * 1000;
/** The first clip there was. */
const OLDEST_MS = Date.parse('2016-05-01T00:00:00Z');
const USUAL_WIDTH_MS = 7 * DAY_MS;
/** By how much a window shrinks that has too many, and grows that has few. */
const SHRINK = 8;
const GROW = 4;

/** Everything before `endMs` is still to be given; the next window is `widthMs` long. */
const Position = z.object({ endMs: z.int(), widthMs: z.int() });

/** Something that was made at some instant. */
interface Made {
  readonly id: string;
  readonly createdAt: Date;
}

interface WindowsOptions<T> {
  /** Asks the platform for a page of what was made in `[fromMs, toMs)`, in whatever order, at its own cursor. */
  readonly read: (fromMs: number, toMs: number, after: string | undefined) => Promise<Page<T>>;
  readonly keep: (item: T) => boolean;
  readonly nowMs: number;
  /** How many requests the page may take. */
  readonly requests: number;
  /** However many there are, one query finds no more. */
  readonly most: number;
  /** The cursor that an earlier page gave. */
  readonly cursor?: string | undefined;
}

/** A page of a list that has no order by time, newest first: window by window backwards, each as long as it can be and still be read whole. */
export async function newestFirst<T extends Made>({ read, keep, nowMs, requests, most, cursor }: WindowsOptions<T>): Promise<Page<T>> {
  // The platform looks at whole minutes only.
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
  /** How many requests there may be. */
  readonly requests: number;
  readonly most: number;
  /** Whether to stop at once where there is more than a page. */
  readonly giveUp: boolean;
}

interface Window<T> {
  readonly items: readonly T[];
  readonly partialErrors: readonly PartialError[];
  /** Whether nothing is missing. */
  readonly whole: boolean;
  readonly requests: number;
  readonly scanned: number;
}

/** All items of one query, as far as they can be had. A cursor that only leads to what was there is the end. */
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
