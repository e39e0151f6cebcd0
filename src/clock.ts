/** The source of time for all of Fanfare. Tests replace it. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Resolves after `ms`; rejects with `signal.reason` if the signal aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),

  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stops = signal && stopsOf(signal);
      const timer = setTimeout(() => {
        stops?.delete(stop);
        resolve();
      }, ms);
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      stops?.add(stop);
    }),
};

/** What ends the sleeps of a signal. Loops sleep with one signal again and again, and a listener for each sleep takes more time than the sleep. */
const stopsBySignal = new WeakMap<AbortSignal, Set<() => void>>();

function stopsOf(signal: AbortSignal): Set<() => void> {
  const known = stopsBySignal.get(signal);
  if (known) return known;
  const stops = new Set<() => void>();
  stopsBySignal.set(signal, stops);
  signal.addEventListener('abort', () => stops.forEach((stop) => stop()), { once: true });
  return stops;
}

/** Awaits `promise`; rejects with the reason of `signal` as soon as it aborts. */
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
