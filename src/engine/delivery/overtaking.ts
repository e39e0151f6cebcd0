import type { Clock } from '#src/clock.ts';

/** How long the next delivery waits for the one before it: usually long enough to keep the order of the commits. */
const OVERTAKE_AFTER_MS = 2_000;

const ENDED = 'no attempt is awaited';

/** Waits for attempts, one after the other, and for none of them too long. */
export interface Overtaking extends Disposable {
  /** Resolves when one of these has ended, or when they take too long. */
  wait(attempt: readonly Promise<void>[]): Promise<void>;
}

/** All attempts share one sleep, because a sleep for each of them takes a tenth of the CPU time of a delivery. */
export function createOvertaking(clock: Clock): Overtaking {
  const end = new AbortController();
  let awaited: { readonly sinceMs: number; readonly overtake: () => void } | undefined;
  let isWatching = false;

  async function watch(): Promise<void> {
    isWatching = true;
    while (awaited && !end.signal.aborted) {
      const { sinceMs, overtake } = awaited;
      // The clock of the machine can be set back.
      const leftMs = Math.min(OVERTAKE_AFTER_MS, sinceMs + OVERTAKE_AFTER_MS - clock.nowMs());
      if (leftMs > 0) await clock.sleep(leftMs, end.signal).catch(() => undefined);
      else {
        awaited = undefined;
        overtake();
      }
    }
    isWatching = false;
  }

  return {
    async wait(attempt) {
      const { promise: late, resolve: overtake } = Promise.withResolvers<void>();
      const one = { sinceMs: clock.nowMs(), overtake };
      awaited = one;
      if (!isWatching) void watch();
      try {
        await Promise.race([...attempt, late]);
      } finally {
        if (awaited === one) awaited = undefined;
      }
    },

    // A reason without a stack costs less.
    [Symbol.dispose]: () => end.abort(ENDED),
  };
}
