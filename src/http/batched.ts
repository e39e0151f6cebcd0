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
    const found = nextLoop().then(() => {
      if (open === batch) open = undefined;
      return halved([...names], { load, signal: stop.signal });
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

interface HalvedOptions<T> extends Pick<BatchedOptions<T>, 'load'> {
  readonly signal: AbortSignal;
}

/** The outcome of each name. A rejected request is repeated in halves. */
async function halved<T>(
  names: readonly string[],
  { load, signal }: HalvedOptions<T>,
): Promise<ReadonlyMap<string, Promise<T | undefined>>> {
  const outcomes = new Map<string, Promise<T | undefined>>();
  let splits = 0;

  async function ask(some: readonly string[]): Promise<void> {
    try {
      const found = await load(some, signal);
      for (const name of some) outcomes.set(name, Promise.resolve(found.get(name)));
    } catch (error) {
      if (some.length > 1 && splits + 2 <= MOST_SPLITS && isFault(error, 'rejected')) {
        splits += 2;
        const middle = Math.ceil(some.length / 2);
        await ask(some.slice(0, middle));
        await ask(some.slice(middle));
        return;
      }
      const failed = Promise.reject<T>(error);
      // A caller may have left.
      failed.catch(() => undefined);
      for (const name of some) outcomes.set(name, failed);
    }
  }

  await ask(names);
  return outcomes;
}
