import { untilAborted } from '#src/clock.ts';

/** Runs work one at a time for each name. */
export interface ConversationQueue {
  /** Resolves when it is this caller's turn, until the result is disposed; rejects with `signal.reason` if the signal aborts first. */
  acquire(name: string, signal?: AbortSignal): Promise<Disposable>;
}

/** Creates a queue in the order of the calls. */
export function createConversationQueue(): ConversationQueue {
  const last = new Map<string, Promise<void>>();

  return {
    async acquire(name, signal) {
      const { promise: over, resolve: end } = Promise.withResolvers<void>();
      const before = last.get(name) ?? Promise.resolve();
      const mine = before.then(() => over);
      last.set(name, mine);
      void mine.then(() => last.get(name) === mine && last.delete(name));

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
