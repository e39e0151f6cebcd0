/** The source of time for all of Fanfare. Tests replace it. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Resolves after `ms`; rejects with `signal.reason` if the signal aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The version of this Fanfare, and an instant before its release. */
export const RELEASE = { version: '0.1.0', afterMs: Date.UTC(2025, 0, 1) };

/** Whether a clock shows an instant before the release, for example 1970 after a power failure. Such a clock is wrong. */
export function isBeforeRelease(nowMs: number): boolean {
  return nowMs < RELEASE.afterMs;
}

/** Node fires a longer timer at once. Such waits follow if a clock is set back by a month. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),

  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stops = signal && stopsOf(signal);
      let timer: NodeJS.Timeout;
      const wait = (leftMs: number): void => {
        timer = setTimeout(
          () => (leftMs > LONGEST_TIMEOUT_MS ? wait(leftMs - LONGEST_TIMEOUT_MS) : end()),
          Math.min(leftMs, LONGEST_TIMEOUT_MS),
        );
      };
      const end = (): void => {
        if (stops) forget(signal, stops, stop);
        resolve();
      };
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      stops?.all.add(stop);
      wait(ms);
    }),
};

/** What a signal ends. Many waits at the same time share one listener. */
interface Stops {
  readonly all: Set<() => void>;
  readonly listener: () => void;
}

const stopsBySignal = new WeakMap<AbortSignal, Stops>();

function stopsOf(signal: AbortSignal): Stops {
  const known = stopsBySignal.get(signal);
  if (known) return known;
  const all = new Set<() => void>();
  const stops = { all, listener: () => all.forEach((stop) => stop()) };
  stopsBySignal.set(signal, stops);
  signal.addEventListener('abort', stops.listener, { once: true });
  return stops;
}

/** Node keeps a signal of `AbortSignal.any` in memory while it has a listener. */
function forget(signal: AbortSignal, { all, listener }: Stops, stop: () => void): void {
  all.delete(stop);
  if (all.size > 0) return;
  stopsBySignal.delete(signal);
  signal.removeEventListener('abort', listener);
}

/** Awaits `promise`; rejects with the reason of `signal` as soon as it aborts. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  if (signal.aborted) stop();
  const stops = stopsOf(signal);
  stops.all.add(stop);
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    forget(signal, stops, stop);
  }
}

/** Whether `work` resolves or rejects within `ms`. */
export async function settlesWithin(work: Promise<unknown>, ms: number, clock: Pick<Clock, 'sleep'>): Promise<boolean> {
  const waking = new AbortController();
  const over = work.then(
    () => true,
    () => true,
  );
  const late = clock.sleep(ms, waking.signal).then(
    () => false,
    () => true,
  );
  try {
    return await Promise.race([over, late]);
  } finally {
    waking.abort();
  }
}

/** A signal that aborts with `signal` until its disposal, for a library that never removes its listeners. */
export function copySignal(signal: AbortSignal | undefined): { readonly signal: AbortSignal } & Disposable {
  const copy = new AbortController();
  const stop = (): void => copy.abort(signal?.reason);
  if (signal?.aborted) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  return { signal: copy.signal, [Symbol.dispose]: () => signal?.removeEventListener('abort', stop) };
}
