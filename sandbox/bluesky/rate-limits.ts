import type { Clock } from '#src/clock.ts';
import { refusalFor } from './refusal.ts';

const MINUTE_MS = 60_000;

/** How many points a caller may spend in a window. */
interface Limit {
  readonly name: string;
  readonly points: number;
  readonly windowMs: number;
}

export const REQUESTS: Limit = { name: 'requests', points: 3000, windowMs: 5 * MINUTE_MS };
export const WRITES: Limit = { name: 'writes', points: 5000, windowMs: 60 * MINUTE_MS };

export interface RateState {
  readonly limit: Limit;
  readonly remaining: number;
  readonly resetAtMs: number;
  readonly isExceeded: boolean;
}

/** The points that each caller has spent. A window starts with its first point. */
export class RateLimits {
  readonly #clock: Clock;
  readonly #windows = new Map<string, { readonly endsAtMs: number; readonly spent: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  spend(limit: Limit, caller: string, points: number): RateState {
    const nowMs = this.#clock.nowMs();
    const key = `${limit.name} ${caller}`;
    const known = this.#windows.get(key);
    const { endsAtMs, spent: before } = known && nowMs < known.endsAtMs ? known : { endsAtMs: nowMs + limit.windowMs, spent: 0 };
    const spent = before + points;
    this.#windows.set(key, { endsAtMs, spent });
    return { limit, remaining: Math.max(0, limit.points - spent), resetAtMs: endsAtMs, isExceeded: spent > limit.points };
  }
}

/** The headers of an answer. They describe the limit with the fewest points left. */
export function rateHeaders(states: readonly RateState[]): Readonly<Record<string, string>> {
  const [tightest] = states.toSorted((a, b) => Number(b.isExceeded) - Number(a.isExceeded) || a.remaining - b.remaining);
  if (!tightest) return {};
  const { limit, remaining, resetAtMs } = tightest;
  return {
    'RateLimit-Limit': String(limit.points),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(Math.floor(resetAtMs / 1000)),
    'RateLimit-Policy': `${limit.points};w=${limit.windowMs / 1000}`,
  };
}

/** Refuses a request beyond one of its limits. */
export function checkLimits(states: readonly RateState[]): void {
  if (states.some(({ isExceeded }) => isExceeded)) throw refusalFor(429);
}
