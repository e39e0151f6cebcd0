import { uptime } from 'node:os';
import { systemClock, type Clock } from '#src/clock.ts';

/** A smaller difference is the rounding of the uptime, or an error of the clock that is corrected step by step. */
const TOLERANCE_MS = 5_000;

export interface ProcessStartOptions {
  readonly clock: Pick<Clock, 'nowMs'>;
  /** The start by the clock as it was then, in milliseconds since 1970. */
  readonly originMs: number;
  /** How long the process runs already. */
  readonly aliveMs: number;
  /** The uptime of the machine: it counts the time asleep, and no change of the clock. */
  readonly uptimeMs: () => number;
}

/** Creates the function that gives the start of the process by the present clock. At the start, the clock may have been wrong. */
export function createProcessStart({ clock, originMs, aliveMs, uptimeMs }: ProcessStartOptions): () => number {
  const bornMs = uptimeMs() - aliveMs;
  let startMs = originMs;
  return () => {
    const measuredMs = clock.nowMs() - (uptimeMs() - bornMs);
    // Each change of the metric would look like a restart.
    if (Math.abs(measuredMs - startMs) > TOLERANCE_MS) startMs = measuredMs;
    return startMs;
  };
}

/** When this process started, in milliseconds since 1970. */
export const processStartMs = createProcessStart({
  clock: systemClock,
  originMs: performance.timeOrigin,
  aliveMs: performance.now(),
  uptimeMs: () => uptime() * 1_000,
});
