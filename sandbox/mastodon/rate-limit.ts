const WINDOW_MS = 5 * 60_000;

/** The remaining requests of a token. */
export interface RateState {
  readonly limit: number;
  /** Below zero if the last request was one too many. */
  readonly remaining: number;
  readonly resetAt: Date;
}

/** Counts requests per token in windows of five minutes. As in Mastodon, windows begin at whole multiples of their length. */
export class RateLimit {
  readonly #limit: () => number;
  readonly #counts = new Map<string, { readonly window: number; count: number }>();

  constructor(limit: () => number) {
    this.#limit = limit;
  }

  spend(token: string, nowMs: number): RateState {
    const window = Math.floor(nowMs / WINDOW_MS);
    const known = this.#counts.get(token);
    const entry = known?.window === window ? known : { window, count: 0 };
    entry.count += 1;
    this.#counts.set(token, entry);
    return { limit: this.#limit(), remaining: this.#limit() - entry.count, resetAt: new Date((window + 1) * WINDOW_MS) };
  }
}

/** The headers of a limit. The reset is an instant with six decimals. */
export function rateHeaders({ limit, remaining, resetAt }: RateState): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(0, remaining)),
    'x-ratelimit-reset': resetAt.toISOString().replace('Z', '000Z'),
  };
}
