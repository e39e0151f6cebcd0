import type { Clock } from '#src/clock.ts';

export interface RepeatOptions {
  readonly everyMs: number;
  readonly clock: Clock;
  /** Receives the error of a run. The next run follows as usual. */
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** Runs a task now and after each pause, until `signal` aborts. Resolves after the last run. */
export async function repeat(task: () => Promise<void> | void, { everyMs, clock, onError, signal }: RepeatOptions): Promise<void> {
  while (!signal.aborted) {
    try {
      await task();
    } catch (error) {
      onError(error);
    }
    await clock.sleep(everyMs, signal).catch(() => undefined);
  }
}
