import { setTimeout as timer } from 'node:timers/promises';

/** Where everything in Fanfare gets the time from, so that a test can be anywhere in a year. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Resolves after `ms`; rejects with `signal.reason` when that comes first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's own time. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),

  async sleep(ms, signal) {
    signal?.throwIfAborted();
    try {
      await timer(ms, undefined, { signal });
    } catch (error) {
      // The timer rejects with an AbortError of its own; callers are promised their signal's reason.
      signal?.throwIfAborted();
      throw error;
    }
  },
};
