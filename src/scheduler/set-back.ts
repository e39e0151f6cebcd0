import type { Clock } from '#src/clock.ts';

/** A step back by less than this is waited out: no rule runs more often than every 5 seconds. */
const NOTICED_MS = 10_000;
const EVERY_MS = 1_000;

/**
 * Resolves with the length of the step when the clock is set back by ten seconds or more.
 *
 * Resolves with undefined when `signal` aborts first. The ticks cannot tell: node-cron is silent until the clock reaches the next tick again.
 */
export async function untilSetBack({
  clock,
  signal,
}: {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<number | undefined> {
  let lastMs = clock.nowMs();
  while (!signal.aborted) {
    await clock.sleep(EVERY_MS, signal).catch(() => undefined);
    const nowMs = clock.nowMs();
    if (lastMs - nowMs >= NOTICED_MS && !signal.aborted) return lastMs - nowMs;
    lastMs = nowMs;
  }
  return undefined;
}
