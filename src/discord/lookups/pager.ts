import type { Clock } from '#src/clock.ts';
import { CursorError, PlatformError } from '#src/errors.ts';

/** A page of the platform. */
export interface Part<T> {
  readonly items: readonly T[];
  readonly cursor?: string | undefined;
  readonly scanned: number;
}

interface PageRequest<T> {
  /** Identifies the list. */
  readonly key: string;
  /** From 0. */
  readonly page: number;
  /** The number of items per page. */
  readonly size: number;
  readonly read: (cursor: string | undefined) => Promise<Part<T>>;
}

interface ListPage<T> {
  readonly items: readonly T[];
  readonly more: boolean;
  /** Whether the pager stopped before the page was full. */
  readonly unfinished: boolean;
}

/** Reads the pages of lists on demand. */
export interface Pager {
  page<T>(request: PageRequest<T>): Promise<ListPage<T>>;
}

/** After a restart, a later page would need too many requests. */
export const LAST_PAGE = 99;
/** The maximum number of rows without a match. */
const MAX_SKIPPED = 2_000;
/** A ranking changes, so its index expires. */
const INDEX_LIFETIME_MS = 10 * 60_000;
const MAX_INDEXES = 300;

interface Step {
  /** The position of the first item of the platform's page. */
  readonly first: number;
  readonly cursor: string;
}

interface PageIndex {
  readonly madeMs: number;
  readonly steps: readonly Step[];
}

/** Remembers the cursors of the platform's pages, so that the next page takes one request. Otherwise reads from the start. */
export function createPager(clock: Clock): Pager {
  const indexes = new Map<string, PageIndex>();

  function freshIndex(key: string): PageIndex | undefined {
    const trail = indexes.get(key);
    return trail && trail.madeMs > clock.nowMs() - INDEX_LIFETIME_MS ? trail : undefined;
  }

  function remember(key: string, trail: PageIndex): void {
    indexes.delete(key);
    indexes.set(key, trail);
    const [oldest] = indexes.keys();
    if (indexes.size > MAX_INDEXES && oldest !== undefined) indexes.delete(oldest);
  }

  async function readPage<T>({ key, page, size, read }: PageRequest<T>, { madeMs, steps: known }: PageIndex): Promise<ListPage<T>> {
    const [from, to] = [page * size, (page + 1) * size];
    const steps = [...known];
    const start = known.at(-1);
    let next = start?.first ?? 0;
    let cursor = start?.cursor;
    const found: T[] = [];
    let skipped = 0;
    do {
      const part = await read(cursor);
      found.push(...part.items.slice(Math.max(0, from - next), Math.max(0, to - next)));
      next += part.items.length;
      skipped += part.scanned - part.items.length;
      cursor = part.cursor;
      if (cursor !== undefined) steps.push({ first: next, cursor });
    } while (cursor !== undefined && next <= to && skipped < MAX_SKIPPED);
    remember(key, { madeMs, steps });
    const unfinished = next <= to && cursor !== undefined;
    return { items: found, more: next > to && page < LAST_PAGE, unfinished };
  }

  return {
    async page(request) {
      const { key, page, size } = request;
      const empty: PageIndex = { madeMs: clock.nowMs(), steps: [] };
      const { madeMs, steps } = freshIndex(key) ?? empty;
      const known = steps.filter(({ first }) => first <= page * size);
      if (known.length === 0) return readPage(request, empty);
      try {
        return await readPage(request, { madeMs, steps: known });
      } catch (error) {
        if (!isOfCursor(error)) throw error;
        return readPage(request, empty);
      }
    },
  };
}

/** Whether the platform rejects a cursor. */
function isOfCursor(error: unknown): boolean {
  return error instanceof CursorError || (error instanceof PlatformError && (error.fault === 'rejected' || error.fault === 'missing'));
}
