import { setImmediate as requestsLeave } from 'node:timers/promises';
import { PlatformError } from '#src/errors.ts';
import { toCursor, type CursorScope, type Place } from './cursor.ts';
import type { Page } from './page.ts';

export interface PageLoaderOptions<T> {
  readonly scope: CursorScope;
  /** Requests the page at an upstream cursor. It may call `onNext` with the next cursor before it reads the items. */
  readonly load: (upstream: string | undefined, options: LoadOptions) => Promise<Page<T>>;
  readonly signal?: AbortSignal | undefined;
}

interface LoadOptions {
  readonly onNext?: ((upstream: string) => Promise<void>) | undefined;
  readonly signal: AbortSignal | undefined;
}

/** A page that was requested ahead. */
interface Early<T> {
  readonly upstream: string;
  readonly over: AbortController;
  readonly page: Promise<Page<T>>;
}

/** Requests the pages of one walk, and the next page while the items of the current one are read. */
export interface PageLoader<T> {
  /**
   * Loads the page at `place`. A failure carries the cursor of the page; an abort rejects with the reason of the signal. `isWanted` tells
   * whether the walk continues at a cursor.
   */
  at(place: Place, isWanted?: (upstream: string) => boolean): Promise<Page<T>>;
  /** Cancels a page that was requested ahead. */
  stop(): void;
}

/** Creates the loader of a walk. */
export function pageLoader<T>({ scope, load, signal }: PageLoaderOptions<T>): PageLoader<T> {
  let early: Early<T> | undefined;
  /** The current page. */
  let current: { readonly place: Place; readonly isWanted: (upstream: string) => boolean } | undefined;

  function ask(upstream: string | undefined, within: AbortSignal | undefined): Promise<Page<T>> {
    return load(upstream, {
      async onNext(next) {
        if (current?.place.upstream !== upstream || !current?.isWanted(next)) return;
        const over = new AbortController();
        early = { upstream: next, over, page: ask(next, signal ? AbortSignal.any([signal, over.signal]) : over.signal) };
        // The walk sees this failure when it reaches the page.
        early.page.catch(() => undefined);
        // One tick frees the connection, and one more shows whether the server closed it.
        for (let ticks = 0; ticks < 2; ticks++) await requestsLeave();
      },
      signal: within,
    });
  }

  /** The page that was requested ahead if it is the page at `upstream`; any other request is cancelled. */
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
      current = { place, isWanted };
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
