import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { beforeOf, fromCursor, START, toCursor, type Place, shortHash } from './cursor.ts';
import { pageLoader, type PageLoaderOptions } from './page-loader.ts';
import type { Page, Walk } from './page.ts';

const MOST_EMPTY_PAGES = 20;
/** The number of upstream cursors that a cursor remembers. A cut walk does not notice a longer circle. */
const MOST_MET = 32;

export interface WalkOptions<T> extends Walk, PageLoaderOptions<T> {
  readonly clock: Clock;
  /** The id of an item; undefined for an item that never counts as a repeat. */
  readonly idOf: (item: T) => string | undefined;
  /** Whether the caller reads all pages. The walk then requests the next page early if there is no wait. */
  readonly ahead?: boolean | undefined;
}

/**
 * Yields the pages of a list call, at most `pages`, each with a Fanfare cursor.
 *
 * Items of the page before are left out. The walk ends without an upstream cursor, and at an upstream cursor that it has seen. A failure
 * carries the cursor of the page; an abort throws the reason of the signal.
 */
export async function* walk<T>(options: WalkOptions<T>): AsyncGenerator<Page<T>, void> {
  const { scope, clock, idOf, pages, waitTime, cursor, ahead = false, signal } = options;
  const loader = pageLoader(options);
  let place = cursor === undefined ? START : fromCursor(scope, cursor);
  const met = new Set(place.met);

  try {
    for (let count = 1; ; count++) {
      // An empty page may be the last one.
      const isSure = ahead && waitTime === 0 && count !== pages && place.empties === 0;
      const answer = await loader.at(place, (upstream) => isSure && !met.has(shortHash(upstream)));
      const dueMs = clock.nowMs() + waitTime * 1000;
      const items = withoutRepeats(answer.items, place, idOf);
      const page = { ...answer, items, scanned: answer.scanned ?? answer.items.length };
      const next = placeAfter(answer, items.length, place, idOf);

      if (next === undefined || met.has(next.hash)) {
        yield { ...page, cursor: undefined };
        return;
      }
      if (next.empties >= MOST_EMPTY_PAGES) {
        const message = `${scope.platform} answered ${scope.operation} with ${MOST_EMPTY_PAGES} empty pages in a row: try again later.`;
        throw new PlatformError(message, { platform: scope.platform, fault: 'malformed', cursor: toCursor(scope, place) });
      }

      yield {
        ...page,
        // Most callers need no cursor, so it is created on access.
        get cursor() {
          return toCursor(scope, next);
        },
      };
      if (count === pages) return;
      const waitMs = dueMs - clock.nowMs();
      if (waitMs > 0) await clock.sleep(waitMs, signal);
      met.add(next.hash);
      place = next;
    }
  } finally {
    loader.stop();
  }
}

function withoutRepeats<T>(items: readonly T[], { before }: Place, idOf: (item: T) => string | undefined): readonly T[] {
  const left = items.filter((item) => {
    const id = idOf(item);
    return id === undefined || !before.has(id);
  });
  // Later containers share the items of this page.
  return Object.freeze(left);
}

/** A position after a page. */
interface Reached extends Place {
  readonly upstream: string;
  /** The short hash of the upstream cursor. */
  readonly hash: string;
}

function placeAfter<T>(
  { items, cursor }: Page<T>,
  itemCount: number,
  { empties, met }: Place,
  idOf: (item: T) => string | undefined,
): Reached | undefined {
  if (cursor === undefined) return undefined;
  const hash = shortHash(cursor);
  return {
    upstream: cursor,
    hash,
    before: beforeOf(items.map(idOf).filter((id) => id !== undefined)),
    empties: itemCount === 0 ? empties + 1 : 0,
    met: [...met, hash].slice(-MOST_MET),
  };
}
