import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { beforeOf } from './before.ts';
import { fromCursor, START, toCursor, type Place } from './cursor.ts';
import { shortHash } from './digest.ts';
import { pageLoader, type PageLoaderOptions } from './page-loader.ts';
import type { Page, Walk } from './page.ts';

const MOST_EMPTY_PAGES = 20;
/** How many upstream cursors a cursor of ours remembers: a circle of more pages is found by an uncut walk only. */
const MOST_MET = 32;

export interface WalkOptions<T> extends Walk, PageLoaderOptions<T> {
  readonly clock: Clock;
  /** What an item is known by; one without an id is never taken for a repeat. */
  readonly idOf: (item: T) => string | undefined;
  /** Whether all pages will be asked for, come what may: without a pause, the next one then is before this one's items are made. */
  readonly ahead?: boolean | undefined;
}

/**
 * The pages of a list call, at most `pages` of them, each with a cursor of ours.
 *
 * An item that stood on the page before is left out. No upstream cursor, or one that this walk has seen, is the end.
 * A failure carries the cursor of the page that failed; an abort is the signal's own reason.
 */
export async function* walk<T>(options: WalkOptions<T>): AsyncGenerator<Page<T>, void> {
  const { scope, clock, idOf, pages, waitTime, cursor, ahead = false, signal } = options;
  const loader = pageLoader(options);
  let place = cursor === undefined ? START : fromCursor(scope, cursor);
  const met = new Set(place.met);

  try {
    for (let count = 1; ; count++) {
      // Behind an empty page it is not sure that there will be a next one.
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
        // Made when it is looked at: of most pages nobody wants it.
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
  // The page's items are given out and stand in later containers, too.
  return Object.freeze(left);
}

/** A place that was reached. */
interface Reached extends Place {
  readonly upstream: string;
  /** The short hash of its upstream cursor. */
  readonly hash: string;
}

function placeAfter<T>(
  { items, cursor }: Page<T>,
  given: number,
  { empties, met }: Place,
  idOf: (item: T) => string | undefined,
): Reached | undefined {
  if (cursor === undefined) return undefined;
  const hash = shortHash(cursor);
  return {
    upstream: cursor,
    hash,
    before: beforeOf(items.map(idOf).filter((id) => id !== undefined)),
    empties: given === 0 ? empties + 1 : 0,
    met: [...met, hash].slice(-MOST_MET),
  };
}
