import type { Clock } from '#src/clock.ts';
import { CursorError, PlatformError } from '#src/errors.ts';

/** A page as the platform cuts them: what a list call gives. */
export interface Part<T> {
  readonly items: readonly T[];
  readonly cursor?: string | undefined;
  readonly scanned: number;
}

interface PageRequest<T> {
  /** The same for the same list. */
  readonly key: string;
  /** From 0. */
  readonly page: number;
  /** How many items a page of ours has. */
  readonly size: number;
  readonly read: (cursor: string | undefined) => Promise<Part<T>>;
}

/** A page of ours. */
interface ListPage<T> {
  readonly items: readonly T[];
  readonly more: boolean;
  /** Whether the search was given up before the page was full. */
  readonly unfinished: boolean;
}

/** Turns the pages of lists; each is read from the platform when it is asked for. */
export interface Pager {
  page<T>(request: PageRequest<T>): Promise<ListPage<T>>;
}

/** Behind it nobody turns on: it would take ever more requests to find the place again after a restart. */
export const LAST_PAGE = 99;
/** How many rows are looked at in vain. */
const MOST_IN_VAIN = 2_000;
/** A ranking moves: after so long it is walked from its start again. */
const TRAIL_MS = 10 * 60_000;
const MOST_TRAILS = 300;

interface Step {
  /** Which item of the list the platform's page begins with. */
  readonly first: number;
  readonly cursor: string;
}

interface Trail {
  readonly madeMs: number;
  readonly steps: readonly Step[];
}

/** It remembers where the platform's pages begin, so that turning on is one request; where it does not know, it walks there. */
export function createPager(clock: Clock): Pager {
  const trails = new Map<string, Trail>();

  function trailOf(key: string): Trail | undefined {
    const trail = trails.get(key);
    return trail && trail.madeMs > clock.nowMs() - TRAIL_MS ? trail : undefined;
  }

  function remember(key: string, trail: Trail): void {
    trails.delete(key);
    trails.set(key, trail);
    const [oldest] = trails.keys();
    if (trails.size > MOST_TRAILS && oldest !== undefined) trails.delete(oldest);
  }

  async function walk<T>({ key, page, size, read }: PageRequest<T>, { madeMs, steps: known }: Trail): Promise<ListPage<T>> {
    const [from, to] = [page * size, (page + 1) * size];
    const steps = [...known];
    const start = known.at(-1);
    let next = start?.first ?? 0;
    let cursor = start?.cursor;
    const found: T[] = [];
    let inVain = 0;
    do {
      const part = await read(cursor);
      found.push(...part.items.slice(Math.max(0, from - next), Math.max(0, to - next)));
      next += part.items.length;
      inVain += part.scanned - part.items.length;
      cursor = part.cursor;
      if (cursor !== undefined) steps.push({ first: next, cursor });
    } while (cursor !== undefined && next <= to && inVain < MOST_IN_VAIN);
    remember(key, { madeMs, steps });
    const unfinished = next <= to && cursor !== undefined;
    return { items: found, more: next > to && page < LAST_PAGE, unfinished };
  }

  return {
    async page(request) {
      const { key, page, size } = request;
      const anew: Trail = { madeMs: clock.nowMs(), steps: [] };
      const { madeMs, steps } = trailOf(key) ?? anew;
      const known = steps.filter(({ first }) => first <= page * size);
      if (known.length === 0) return walk(request, anew);
      try {
        return await walk(request, { madeMs, steps: known });
      } catch (error) {
        if (!isOfCursor(error)) throw error;
        return walk(request, anew);
      }
    },
  };
}

/** Whether a place is no longer known to the platform. */
function isOfCursor(error: unknown): boolean {
  return error instanceof CursorError || (error instanceof PlatformError && (error.fault === 'rejected' || error.fault === 'missing'));
}
