/** Lets one at a time have the word, for each name. */
export interface Turns {
  /** The word, until it is disposed of; rejects with `signal.reason` when that comes first. */
  take(name: string, signal?: AbortSignal): Promise<Disposable>;
}

/** Turns in the order in which they were asked for. */
export function takingTurns(): Turns {
  const last = new Map<string, Promise<void>>();

  return {
    async take(name, signal) {
      const { promise: over, resolve: end } = Promise.withResolvers<void>();
      const before = last.get(name) ?? Promise.resolve();
      const mine = before.then(() => over);
      last.set(name, mine);
      void mine.then(() => last.get(name) === mine && last.delete(name));

      try {
        await orAborted(before, signal);
      } catch (error) {
        end();
        throw error;
      }
      return { [Symbol.dispose]: end };
    },
  };
}

function orAborted(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    void promise.then(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
  });
}
