import { setImmediate as nextLoop } from 'node:timers/promises';
import { untilAborted } from '#src/clock.ts';
import { isFault } from './errors.ts';

export interface BatchedOptions<T> {
  /** The largest number of names in a request. */
  readonly most: number;
  /** Finds values by name in one request. Names without a value are absent. */
  readonly load: (names: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, T>>;
}

/** Finds the value of one name; undefined if there is none. */
type Find<T> = (name: string, signal: AbortSignal | undefined) => Promise<T | undefined>;

/** The extra requests for the names of one refused request. */
const MOST_SPLITS = 16;

/** A request that is not sent yet. */
interface Batch<T> {
  readonly names: Set<string>;
  readonly stop: AbortController;
  readonly found: Promise<ReadonlyMap<string, Promise<T | undefined>>>;
  waiting: number;
}

/**
 * Merges look-ups of single names that begin in the same turn of the event loop into requests of up to `most` names.
 *
 * If the platform rejects a request, its names are asked for in halves, so that a bad name fails only itself.
 */
export function batched<T>({ most, load }: BatchedOptions<T>): Find<T> {
  let open: Batch<T> | undefined;

  function begin(): Batch<T> {
    const names = new Set<string>();
    const stop = new AbortController();
    const found = nextLoop().then(async () => {
      if (open === batch) open = undefined;
      return outcomesOf(await inHalves([...names], (some) => load(some, stop.signal)));
    });
    const batch: Batch<T> = { names, stop, found, waiting: 0 };
    return batch;
  }

  return async (name, signal) => {
    signal?.throwIfAborted();
    if (open && open.names.size >= most && !open.names.has(name)) open = undefined;
    const batch = (open ??= begin());
    batch.names.add(name);
    batch.waiting += 1;
    try {
      return await untilAborted(
        batch.found.then((found) => found.get(name)),
        signal,
      );
    } finally {
      batch.waiting -= 1;
      if (batch.waiting === 0) {
        if (open === batch) open = undefined;
        batch.stop.abort();
      }
    }
  };
}

/** The outcome of the names of one request. */
export type Asked<T> = { readonly names: readonly string[] } & ({ readonly found: T } | { readonly error: unknown });

/** Asks for names in one request. If the platform rejects it, its names are asked for in halves. */
export async function inHalves<T>(names: readonly string[], ask: (some: readonly string[]) => Promise<T>): Promise<readonly Asked<T>[]> {
  let splits = 0;

  async function half(some: readonly string[]): Promise<readonly Asked<T>[]> {
    try {
      return [{ names: some, found: await ask(some) }];
    } catch (error) {
      if (some.length === 1 || splits + 2 > MOST_SPLITS || !isFault(error, 'rejected')) return [{ names: some, error }];
      splits += 2;
      const middle = Math.ceil(some.length / 2);
      return [...(await half(some.slice(0, middle))), ...(await half(some.slice(middle)))];
    }
  }

  return half(names);
}

/** The outcome of each name. */
function outcomesOf<T>(parts: readonly Asked<ReadonlyMap<string, T>>[]): ReadonlyMap<string, Promise<T | undefined>> {
  const outcomes = new Map<string, Promise<T | undefined>>();
  for (const part of parts) {
    for (const name of part.names) {
      const outcome = 'found' in part ? Promise.resolve(part.found.get(name)) : Promise.reject<T>(part.error);
      // A caller may have left.
      outcome.catch(() => undefined);
      outcomes.set(name, outcome);
    }
  }
  return outcomes;
}
