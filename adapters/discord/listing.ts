import type { Clock } from '#src/clock.ts';
import { coalesce } from '#src/http/coalesce.ts';

/** How old what a name means may be: what it meant may be called otherwise, and something else so. */
const FRESH_MS = 60_000;

/** All of a kind that there are, as they were within the last minute. */
export interface Listing<T> {
  /** Fetched again where what is known does not suffice, once for all who ask meanwhile. */
  get(suffices: (known: readonly T[]) => boolean, signal?: AbortSignal): Promise<readonly T[]>;
  /** Lets go of what was fetched, and of what is on its way. */
  forget(): void;
}

interface Fetched<T> {
  readonly all: readonly T[];
  readonly askedMs: number;
}

/** Lists what `load` gives. */
export function listing<T>(load: (signal: AbortSignal) => Promise<readonly T[]>, { clock }: { readonly clock: Clock }): Listing<T> {
  const newFetch = () => coalesce(async (signal): Promise<Fetched<T>> => ({ askedMs: clock.nowMs(), all: await load(signal) }));
  let fetchOnce = newFetch();
  let kept: Fetched<T> | undefined;

  return {
    async get(suffices, signal) {
      if (kept && clock.nowMs() < kept.askedMs + FRESH_MS && suffices(kept.all)) return kept.all;
      const mine = fetchOnce;
      const fetched = await mine(signal);
      if (mine === fetchOnce) kept = fetched;
      return fetched.all;
    },

    forget() {
      kept = undefined;
      fetchOnce = newFetch();
    },
  };
}
