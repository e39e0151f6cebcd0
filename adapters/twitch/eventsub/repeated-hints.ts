import type { Clock } from '#src/clock.ts';

/** Helix shows a change up to about two minutes after its notification, so one poll at once can be too early. */
const AFTER_MS = [0, 10_000, 30_000, 60_000, 120_000] as const;

export interface RepeatedHintsOptions {
  readonly hint: (channelId: string) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Gives a hint about a channel at once, and again while its change may not be visible yet. A newer change of the channel replaces it. */
export function createRepeatedHints({ hint, clock, signal }: RepeatedHintsOptions): (channelId: string) => void {
  const repeating = new Map<string, AbortController>();

  async function repeat(channelId: string, stop: AbortSignal): Promise<void> {
    const beganMs = clock.nowMs();
    for (const afterMs of AFTER_MS) {
      const leftMs = beganMs + afterMs - clock.nowMs();
      if (leftMs > 0) await clock.sleep(leftMs, stop);
      hint(channelId);
    }
  }

  return (channelId) => {
    repeating.get(channelId)?.abort();
    const one = new AbortController();
    repeating.set(channelId, one);
    repeat(channelId, AbortSignal.any([signal, one.signal]))
      .catch(() => undefined)
      .finally(() => repeating.get(channelId) === one && repeating.delete(channelId));
  };
}
