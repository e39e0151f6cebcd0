import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { Rate } from './rate-headers.ts';

const SECOND_MS = 1000;

/** What an answer said about the requests to come. */
export interface Notice {
  readonly rate?: Rate | undefined;
  readonly pauseUntil?: Date | undefined;
}

export interface GovernorOptions {
  readonly platform: string;
  readonly clock: Clock;
  /** A request that would have to wait longer fails at once. */
  readonly patienceMs: number;
}

/** Holds requests back while their budget is used up, so that a platform need not refuse them. */
export class Governor {
  readonly #options: GovernorOptions;
  readonly #budgets = new Map<string, Budget>();

  constructor(options: GovernorOptions) {
    this.#options = options;
  }

  /** Resolves when a request of the budget may be sent; each must be followed by `leave`. */
  async enter(name: string, signal: AbortSignal | undefined): Promise<void> {
    const { platform, clock, patienceMs } = this.#options;
    const budget = this.#budget(name);
    for (;;) {
      const freeAtMs = budget.freeAtMs(clock.nowMs());
      const waitMs = freeAtMs - clock.nowMs();
      if (waitMs <= 0) break;
      if (waitMs > patienceMs) {
        const retryAt = new Date(freeAtMs);
        const message = `${platform} wants a pause until ${retryAt.toISOString()}: nothing was sent.`;
        throw new PlatformError(message, { platform, fault: 'rateLimited', retryAt });
      }
      await clock.sleep(waitMs, signal);
    }
    budget.take();
  }

  /** Takes note of what the answer said, if there was one. */
  leave(name: string, notice: Notice = {}): void {
    this.#budget(name).settle(notice);
  }

  #budget(name: string): Budget {
    const budget = this.#budgets.get(name) ?? new Budget();
    this.#budgets.set(name, budget);
    return budget;
  }
}

/** What requests share: so many may go until some instant. */
class Budget {
  #limit = Infinity;
  #left = Infinity;
  #untilMs = 0;
  #pausedUntilMs = 0;
  #inFlight = 0;

  freeAtMs(nowMs: number): number {
    if (nowMs >= this.#untilMs) {
      // What was said is over; until there is news the limit holds for each second.
      this.#left = this.#limit;
      this.#untilMs = nowMs + SECOND_MS;
    }
    return Math.max(this.#pausedUntilMs, this.#left > 0 ? nowMs : this.#untilMs);
  }

  take(): void {
    this.#left -= 1;
    this.#inFlight += 1;
  }

  settle({ rate, pauseUntil }: Notice): void {
    this.#inFlight -= 1;
    if (pauseUntil) this.#pausedUntilMs = Math.max(this.#pausedUntilMs, pauseUntil.getTime());
    if (rate?.remaining === undefined || rate.resetAtMs === undefined) return;
    this.#limit = rate.limit ?? Infinity;
    // Those in flight may or may not be counted already.
    this.#left = rate.remaining - this.#inFlight;
    this.#untilMs = rate.resetAtMs;
  }
}
