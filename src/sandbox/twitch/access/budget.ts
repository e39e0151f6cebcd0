import type { Clock } from '#src/clock.ts';

/** Points a minute. */
const LIMIT = 800;
const MINUTE_MS = 60_000;

/** What a client id may still do, as the headers tell it. */
export interface Standing {
  readonly allowed: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** The points of each client id: they come back all the time, and each request takes one. */
export class PointsBudget {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, { points: number; atMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take(clientId: string): Standing {
    const atMs = this.#clock.nowMs();
    const before = this.#buckets.get(clientId) ?? { points: LIMIT, atMs };
    const points = Math.min(LIMIT, before.points + ((atMs - before.atMs) * LIMIT) / MINUTE_MS);
    const allowed = points >= 1;
    const left = allowed ? points - 1 : points;
    this.#buckets.set(clientId, { points: left, atMs });
    const fullAtMs = atMs + ((LIMIT - left) * MINUTE_MS) / LIMIT;
    return { allowed, headers: rateHeaders(Math.floor(left), fullAtMs) };
  }
}

/** The headers of every answer; the reset is when all points are back. */
export function rateHeaders(left: number, resetAtMs: number): Readonly<Record<string, string>> {
  return {
    'Ratelimit-Limit': String(LIMIT),
    'Ratelimit-Remaining': String(left),
    'Ratelimit-Reset': String(Math.ceil(resetAtMs / 1000)),
  };
}
