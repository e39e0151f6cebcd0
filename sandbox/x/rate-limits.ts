import type { Clock } from '#src/clock.ts';

const WINDOW_MS = 15 * 60_000;

/** The requests that a route accepts in 15 minutes. A limit that is absent does not exist. */
export interface Limits {
  /** With the token of the app. */
  readonly app?: number;
  /** On behalf of one account. */
  readonly user?: number;
}

interface Window {
  used: number;
  readonly endsAtMs: number;
}

export interface RateState {
  readonly isAllowed: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Counts requests by route and account. A window begins with its first request. */
export class RateLimits {
  readonly #clock: Clock;
  readonly #windows = new Map<string, Window>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take(route: string, userId: string | undefined, limit: number | undefined): RateState {
    if (limit === undefined) return { isAllowed: true, headers: {} };
    const nowMs = this.#clock.nowMs();
    const key = `${route} ${userId ?? 'app'}`;
    const known = this.#windows.get(key);
    const window = known && nowMs < known.endsAtMs ? known : { used: 0, endsAtMs: nowMs + WINDOW_MS };
    this.#windows.set(key, window);
    const isAllowed = window.used < limit;
    if (isAllowed) window.used += 1;
    return { isAllowed, headers: rateHeaders({ limit, remaining: limit - window.used, resetAtMs: window.endsAtMs }) };
  }

  /** Starts all windows again. */
  clear(): void {
    this.#windows.clear();
  }
}

export function rateHeaders({
  limit,
  remaining,
  resetAtMs,
}: {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAtMs: number;
}): Record<string, string> {
  return {
    'x-rate-limit-limit': String(limit),
    'x-rate-limit-remaining': String(remaining),
    'x-rate-limit-reset': String(Math.ceil(resetAtMs / 1000)),
  };
}
