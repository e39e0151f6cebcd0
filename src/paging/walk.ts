import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { beforeOf } from './before.ts';
import { fromCursor, START, toCursor, type CursorScope, type Place } from './cursor.ts';
import { shortHash } from './digest.ts';
import type { Page, Walk } from './page.ts';

const MOST_EMPTY_PAGES = 20;
/** How many upstream cursors a cursor of ours remembers: a circle of more pages is found by an uncut walk only. */
const MOST_MET = 32;

export interface WalkOptions<T> extends Walk {
  readonly scope: CursorScope;
  readonly clock: Clock;
  /** Asks the platform for the page at its own cursor. */
  readonly load: (upstream: string | undefined) => Promise<Page<T>>;
  /** What an item is known by; one without an id is never taken for a repeat. */
  readonly idOf: (item: T) => string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The pages of a list call, at most `pages` of them, each with a cursor of ours.
 *
 * An item that stood on the page before is left out. No upstream cursor, or one that this walk has seen, is the end.
 * A failure carries the cursor of the page that failed; an abort is the signal's own reason.
 */
export async function* walk<T>(options: WalkOptions<T>): AsyncGenerator<Page<T>, void> {
  const { scope, clock, idOf, pages, waitTime, cursor, signal } = options;
  let place = cursor === undefined ? START : fromCursor(scope, cursor);
  const met = new Set(place.met);

  for (let count = 1; ; count++) {
    const answer = await loadAt(place, options);
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
}

async function loadAt<T>(place: Place, { scope, load, signal }: WalkOptions<T>): Promise<Page<T>> {
  signal?.throwIfAborted();
  try {
    return await load(place.upstream);
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof PlatformError && place.upstream !== undefined ? error.at(toCursor(scope, place)) : error;
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
