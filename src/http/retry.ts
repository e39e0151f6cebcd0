import type { Fault, PlatformError } from '#src/errors.ts';

const MOST_RETRIES = 2;
const FIRST_PAUSE_MS = 500;
/** Whoever is told to wait longer is told so at once. */
const LONGEST_PAUSE_MS = 10_000;

const PASSING: ReadonlySet<Fault> = new Set(['unreachable', 'unanswered', 'unavailable', 'rateLimited']);

/** How long to wait before the next attempt at a read, after `attempt` of them; undefined: give up. */
export function retryPauseMs(error: PlatformError, attempt: number, nowMs: number): number | undefined {
  if (!PASSING.has(error.fault) || attempt > MOST_RETRIES) return undefined;
  const backoffMs = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (1 + Math.random());
  if (!error.retryAt) return backoffMs;
  const toldMs = error.retryAt.getTime() - nowMs;
  return toldMs > LONGEST_PAUSE_MS ? undefined : Math.max(toldMs, backoffMs);
}
