const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const limitNames = ['token', 'user', 'anonymous', 'media', 'deletes', 'paging', 'statuses', 'follows'] as const;
export type LimitName = (typeof limitNames)[number];

interface Limit {
  readonly most: number;
  readonly periodMs: number;
}

/** As Mastodon ships; they overlap, and each counts for itself. */
const official: Readonly<Record<LimitName, Limit>> = {
  token: { most: 300, periodMs: 5 * MINUTE_MS },
  user: { most: 1500, periodMs: 5 * MINUTE_MS },
  anonymous: { most: 300, periodMs: 5 * MINUTE_MS },
  media: { most: 30, periodMs: 30 * MINUTE_MS },
  deletes: { most: 30, periodMs: 30 * MINUTE_MS },
  paging: { most: 300, periodMs: 15 * MINUTE_MS },
  statuses: { most: 300, periodMs: 3 * HOUR_MS },
  follows: { most: 400, periodMs: 24 * HOUR_MS },
};

/** How far a limit is used up. */
export interface LimitState {
  readonly limit: number;
  /** Below zero: what was just counted was one too many. */
  readonly remaining: number;
  readonly resetAt: Date;
}

/** Who is counted for what. */
export interface Spending {
  readonly name: LimitName;
  readonly who: string;
}

/** Counts in windows that begin at whole multiples of their length, as Mastodon's do. */
export class Limits {
  readonly #changed: () => Partial<Readonly<Record<LimitName, number>>>;
  readonly #counts = new Map<string, { readonly window: number; count: number }>();

  /** `changed` says which numbers are not the official ones. */
  constructor(changed: () => Partial<Readonly<Record<LimitName, number>>>) {
    this.#changed = changed;
  }

  /** Counts one more. */
  spend(spending: Spending, nowMs: number): LimitState {
    const key = `${spending.name} ${spending.who}`;
    const { most, periodMs, window } = this.#windowOf(spending.name, nowMs);
    const known = this.#counts.get(key);
    const entry = known?.window === window ? known : { window, count: 0 };
    entry.count += 1;
    this.#counts.set(key, entry);
    return { limit: most, remaining: most - entry.count, resetAt: new Date((window + 1) * periodMs) };
  }

  /** Where a limit stands, without counting. */
  state({ name, who }: Spending, nowMs: number): LimitState {
    const { most, periodMs, window } = this.#windowOf(name, nowMs);
    const known = this.#counts.get(`${name} ${who}`);
    const count = known?.window === window ? known.count : 0;
    return { limit: most, remaining: most - count, resetAt: new Date((window + 1) * periodMs) };
  }

  #windowOf(name: LimitName, nowMs: number): Limit & { readonly window: number } {
    const { most, periodMs } = official[name];
    return { most: this.#changed()[name] ?? most, periodMs, window: Math.floor(nowMs / periodMs) };
  }
}

/** What an answer says of a limit; the instant has six decimals and is no number. */
export function limitHeaders({ limit, remaining, resetAt }: LimitState): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(0, remaining)),
    'x-ratelimit-reset': resetAt.toISOString().replace('Z', '000Z'),
  };
}
