import { untilAborted } from '#src/clock.ts';

interface Run<T> {
  readonly result: Promise<T>;
  readonly stop: AbortController;
  waiting: number;
}

/**
 * Runs `work` once at a time and shares the result with all concurrent callers.
 *
 * An abort affects only its caller. After the last abort, the run itself is aborted.
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
