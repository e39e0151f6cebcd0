/** Waits for a free slot; resolves with a function that releases it. */
export type Limiter = () => Promise<() => void>;

/** Creates a limiter for `count` concurrent pieces of work, first come, first served. */
export function createLimiter(count: number): Limiter {
  const waiting: (() => void)[] = [];
  let active = 0;

  function release(): void {
    const next = waiting.shift();
    if (next) next();
    else active--;
  }

  return async () => {
    if (active < count) active++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return release;
  };
}

/** Work that a batch began. */
export interface BegunWork {
  /** The promise of the work. */
  readonly ended: Promise<void>;
}

/** Pieces of work that share a limiter. */
export interface Batch {
  /** Resolves when `work` has begun, so that waiting work needs no memory. Does not reject. */
  start(work: () => Promise<void>): Promise<BegunWork>;
  /** Resolves when all started work has ended. */
  ended(): Promise<void>;
}

/** Creates a batch of work on a limiter, which others may also use. */
export function createBatch(acquire: Limiter): Batch {
  const working = new Set<Promise<void>>();
  return {
    async start(work) {
      const release = await acquire();
      const one = work().finally(() => {
        working.delete(one);
        release();
      });
      working.add(one);
      return { ended: one };
    },
    ended: async () => void (await Promise.all(working)),
  };
}
