/** Waits for a place; what it resolves with hands the place on. */
export type TakePlace = () => Promise<() => void>;

/** So many places for work that is to go on at a time: who comes first has one first. */
export function createPlaces(count: number): TakePlace {
  const waiting: (() => void)[] = [];
  let taken = 0;

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else taken--;
  }

  return async () => {
    if (taken < count) taken++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return leave;
  };
}

/** Pieces of work, each of which needs a place. */
export interface Batch {
  /** Resolves when `work` has a place and has begun, so that what is still to come needs no memory. It does not reject. */
  start(work: () => Promise<void>): Promise<void>;
  /** Resolves when all that was started has ended. */
  ended(): Promise<void>;
}

/** A batch of work for which `take` gives the places; others may use them, too. */
export function createBatch(take: TakePlace): Batch {
  const working = new Set<Promise<void>>();
  return {
    async start(work) {
      const leave = await take();
      const one = work().finally(() => {
        working.delete(one);
        leave();
      });
      working.add(one);
    },
    ended: async () => void (await Promise.all(working)),
  };
}
