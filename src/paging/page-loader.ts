import { setImmediate as requestsLeave } from 'node:timers/promises';
import { PlatformError } from '#src/errors.ts';
import { toCursor, type CursorScope, type Place } from './cursor.ts';
import type { Page } from './page.ts';

export interface PageLoaderOptions<T> {
  readonly scope: CursorScope;
  /** Asks the platform for the page at its own cursor; may tell `onNext` where the next one seems to begin before it reads the items. */
  readonly load: (upstream: string | undefined, options: LoadOptions) => Promise<Page<T>>;
  readonly signal?: AbortSignal | undefined;
}

interface LoadOptions {
  readonly onNext?: ((upstream: string) => Promise<void>) | undefined;
  readonly signal: AbortSignal | undefined;
}

/** A page that was asked for before its turn. */
interface Early<T> {
  readonly upstream: string;
  readonly over: AbortController;
  readonly page: Promise<Page<T>>;
}

/** Asks for the pages of one walk, also for one before the items of the page in front of it are made. */
export interface PageLoader<T> {
  /** The page at `place`; a failure carries its cursor, an abort is the signal's own reason. `isWanted` says whether the next one surely is. */
  at(place: Place, isWanted?: (upstream: string) => boolean): Promise<Page<T>>;
  /** Ends what was asked for in vain. */
  stop(): void;
}

/** The loader of a walk's pages. */
export function pageLoader<T>({ scope, load, signal }: PageLoaderOptions<T>): PageLoader<T> {
  let early: Early<T> | undefined;
  /** The page whose turn it is. */
  let turn: { readonly place: Place; readonly isWanted: (upstream: string) => boolean } | undefined;

  function ask(upstream: string | undefined, within: AbortSignal | undefined): Promise<Page<T>> {
    return load(upstream, {
      async onNext(next) {
        if (turn?.place.upstream !== upstream || !turn?.isWanted(next)) return;
        const over = new AbortController();
        early = { upstream: next, over, page: ask(next, signal ? AbortSignal.any([signal, over.signal]) : over.signal) };
        // Whether it failed is asked when its turn comes.
        early.page.catch(() => undefined);
        // One turn until its connection is free again, one more to see that the server has not closed it.
        for (let turns = 0; turns < 2; turns++) await requestsLeave();
      },
      signal: within,
    });
  }

  /** What was asked for early, if it is the page at `upstream`; otherwise it is ended. */
  function takeEarly(upstream?: string): Promise<Page<T>> | undefined {
    const asked = early;
    early = undefined;
    if (asked !== undefined && asked.upstream === upstream) return asked.page;
    asked?.over.abort();
    return undefined;
  }

  return {
    async at(place, isWanted = () => false) {
      signal?.throwIfAborted();
      turn = { place, isWanted };
      try {
        return await (takeEarly(place.upstream) ?? ask(place.upstream, signal));
      } catch (error) {
        signal?.throwIfAborted();
        throw error instanceof PlatformError && place.upstream !== undefined ? error.at(toCursor(scope, place)) : error;
      }
    },

    stop() {
      void takeEarly();
    },
  };
}
