import { untilAborted } from '#src/clock.ts';

interface Run<T> {
  readonly result: Promise<T>;
  readonly stop: AbortController;
  waiting: number;
}

/**
 * One run of `work` at a time, for all who ask while it runs.
 *
 * Somebody's abort is theirs alone; when the last of them has gone, the run itself is aborted.
 */
export function coalesce<T>(work: (signal: AbortSignal) => Promise<T>): (signal?: AbortSignal) => Promise<T> {
  let current: Run<T> | undefined;

  function start(): Run<T> {
    const stop = new AbortController();
    const run: Run<T> = { result: work(stop.signal), stop, waiting: 0 };
    const over = (): void => {
      if (current === run) current = undefined;
    };
    run.result.then(over, over);
    return run;
  }

  return async (signal) => {
    signal?.throwIfAborted();
    const run = (current ??= start());
    run.waiting += 1;
    try {
      return await untilAborted(run.result, signal);
    } finally {
      run.waiting -= 1;
      // A run that is over is no longer the current one.
      if (run.waiting === 0 && current === run) {
        current = undefined;
        run.stop.abort();
      }
    }
  };
}
