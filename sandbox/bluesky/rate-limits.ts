import type { Clock } from '#src/clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** So many points in such a time. */
export interface Allowance {
  readonly name: string;
  readonly points: number;
  readonly windowMs: number;
}

export const REQUESTS: Allowance = { name: 'requests', points: 3000, windowMs: 5 * MINUTE_MS };
export const WRITES: readonly Allowance[] = [
  { name: 'repo-write-hour', points: 5000, windowMs: HOUR_MS },
  { name: 'repo-write-day', points: 35_000, windowMs: DAY_MS },
];
export const SIGN_INS: readonly Allowance[] = [
  { name: 'sign-in-day', points: 300, windowMs: DAY_MS },
  { name: 'sign-in-minutes', points: 30, windowMs: 5 * MINUTE_MS },
];

/** How much is left of an allowance. */
export interface Standing {
  readonly allowance: Allowance;
  readonly remaining: number;
  readonly resetAtMs: number;
  readonly isOver: boolean;
}

interface Window {
  readonly endsAtMs: number;
  readonly spent: number;
}

/** The points that each caller has spent. A window begins with its first point. */
export class Limits {
  readonly #clock: Clock;
  readonly #windows = new Map<string, Window>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  spend(allowance: Allowance, caller: string, points: number): Standing {
    const nowMs = this.#clock.nowMs();
    const key = `${allowance.name} ${caller}`;
    const known = this.#windows.get(key);
    const current = known && nowMs < known.endsAtMs ? known : { endsAtMs: nowMs + allowance.windowMs, spent: 0 };
    const spent = current.spent + points;
    this.#windows.set(key, { ...current, spent });
    const remaining = Math.max(0, allowance.points - spent);
    return { allowance, remaining, resetAtMs: current.endsAtMs, isOver: spent > allowance.points };
  }
}

/** The headers of an answer: of several allowances the one with the least left speaks. */
export function limitHeaders(accountStates: readonly Standing[]): Readonly<Record<string, string>> {
  const [tightest] = accountStates.toSorted((a, b) => Number(b.isOver) - Number(a.isOver) || a.remaining - b.remaining);
  if (!tightest) return {};
  const { allowance, remaining, resetAtMs } = tightest;
  return {
    'RateLimit-Limit': String(allowance.points),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(Math.floor(resetAtMs / 1000)),
    'RateLimit-Policy': `${allowance.points};w=${allowance.windowMs / 1000}`,
  };
}
