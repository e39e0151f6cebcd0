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

/** What `promise` gives, unless `signal` is aborted first: then it rejects with the signal's reason at once. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
