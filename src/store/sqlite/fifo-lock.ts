/** A lock that its waiters get in the order in which they asked. */
export interface FifoLock {
  /** Resolves when the caller has the lock. */
  acquire(): Promise<void>;
  /** Hands the lock to the next waiter. */
  release(): void;
}

/** Creates a lock. A release wakes one waiter only, so many waiters cost no more than few. */
export function createFifoLock(): FifoLock {
  const waiting: (() => void)[] = [];
  let isHeld = false;
  return {
    async acquire() {
      if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
      isHeld = true;
    },

    release() {
      const next = waiting.shift();
      // The lock stays held while the next waiter wakes, so that no new caller overtakes it.
      if (next) next();
      else isHeld = false;
    },
  };
}
