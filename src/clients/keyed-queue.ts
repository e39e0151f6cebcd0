import { untilAborted } from '#src/clock.ts';

/** Runs work one at a time for each key. */
export interface KeyedQueue {
  /** Resolves when it is this caller's turn, until the result is disposed; rejects with `signal.reason` if the signal aborts first. */
  acquire(key: string, signal?: AbortSignal): Promise<Disposable>;
}

/** Creates a queue in the order of the calls. */
export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<void>>();

  return {
    async acquire(key, signal) {
      const { promise: over, resolve: end } = Promise.withResolvers<void>();
      const before = last.get(key) ?? Promise.resolve();
      const mine = before.then(() => over);
      last.set(key, mine);
      void mine.then(() => last.get(key) === mine && last.delete(key));

      try {
        await untilAborted(before, signal);
      } catch (error) {
        end();
        throw error;
      }
      return { [Symbol.dispose]: end };
    },
  };
}
