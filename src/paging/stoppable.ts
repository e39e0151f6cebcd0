/**
 * A generator whose `return` ends what it is waiting for; a plain one's would wait for it, too.
 *
 * `run` is stopped by its signal, and whatever it throws then is the end.
 */
export function stoppable<T>(run: (stop: AbortSignal) => AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  const stop = new AbortController();
  const running = run(stop.signal);
  return {
    async next() {
      try {
        return await running.next();
      } catch (error) {
        if (stop.signal.aborted) return { done: true, value: undefined };
        throw error;
      }
    },
    return() {
      stop.abort();
      return running.return();
    },
    throw(error: unknown) {
      stop.abort();
      return running.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await this.return();
    },
  };
}
