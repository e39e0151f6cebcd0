import type { Clock } from '#src/clock.ts';

/** The servers of Bluesky show a post up to some seconds after Jetstream. */
const AFTER_MS = [0, 5_000, 20_000, 60_000] as const;

interface RepeatedHintsOptions {
  readonly hint: (did: string) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Gives a hint about an account at once, and again while polls may not show the change yet. A newer change of the account begins again. */
export function createRepeatedHints({ hint, clock, signal }: RepeatedHintsOptions): (did: string) => void {
  const repeating = new Map<string, AbortController>();

  async function repeat(did: string, stop: AbortSignal): Promise<void> {
    const beganMs = clock.nowMs();
    for (const afterMs of AFTER_MS) {
      const leftMs = beganMs + afterMs - clock.nowMs();
      if (leftMs > 0) await clock.sleep(leftMs, stop);
      hint(did);
    }
  }

  return (did) => {
    repeating.get(did)?.abort();
    const one = new AbortController();
    repeating.set(did, one);
    repeat(did, AbortSignal.any([signal, one.signal]))
      .catch(() => undefined)
      .finally(() => repeating.get(did) === one && repeating.delete(did));
  };
}
