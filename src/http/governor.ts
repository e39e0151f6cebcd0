import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { Rate } from './rate-headers.ts';

const SECOND_MS = 1000;

/** Rate limits from a response. */
export interface Notice {
  /** Overlapping windows, which all apply. */
  readonly rates?: readonly Rate[] | undefined;
  readonly pauseUntil?: Date | undefined;
}

/** The budgets that a request uses. */
export interface Charge {
  /** The names of the budgets; the headers of a response describe the first. */
  readonly budgets: readonly string[];
  /** The share of each budget. */
  readonly points: number;
}

export interface GovernorOptions {
  readonly platform: string;
  readonly clock: Clock;
  /** A request that would have to wait longer fails at once. */
  readonly patienceMs: number;
}

/** Delays requests while a budget is used up. */
export class Governor {
  readonly #options: GovernorOptions;
  readonly #budgets = new Map<string, Budget>();

  constructor(options: GovernorOptions) {
    this.#options = options;
  }

  /** Resolves when the request may be sent; `leave` must follow. */
  async enter({ budgets: names, points }: Charge, signal: AbortSignal | undefined): Promise<void> {
    const { platform, clock, patienceMs } = this.#options;
    const budgets = names.map((name) => this.#budget(name));
    for (;;) {
      const freeAtMs = Math.max(...budgets.map((budget) => budget.freeAtMs(points, clock.nowMs())));
      const waitMs = freeAtMs - clock.nowMs();
      if (waitMs <= 0) break;
      if (waitMs > patienceMs) {
        const retryAt = new Date(freeAtMs);
        const message = `${platform} limits requests until ${retryAt.toISOString()}: nothing was sent.`;
        throw new PlatformError(message, { platform, fault: 'rateLimited', retryAt });
      }
      await clock.sleep(waitMs, signal);
    }
    for (const budget of budgets) budget.take(points);
  }

  /** Records the rate limits of the response. */
  leave({ budgets: names, points }: Charge, notice: Notice = {}): void {
    const [first, ...others] = names.map((name) => this.#budget(name));
    first?.settle(points, notice);
    for (const other of others) other.settle(points, {});
  }

  #budget(name: string): Budget {
    const budget = this.#budgets.get(name) ?? new Budget();
    this.#budgets.set(name, budget);
    return budget;
  }
}

/** A budget with the windows of its responses. */
class Budget {
  readonly #windows = new Map<string, Window>();
  #pausedUntilMs = 0;
  #inFlight = 0;

  freeAtMs(points: number, nowMs: number): number {
    return Math.max(nowMs, this.#pausedUntilMs, ...[...this.#windows.values()].map((window) => window.freeAtMs(points, nowMs)));
  }

  take(points: number): void {
    this.#inFlight += points;
    for (const window of this.#windows.values()) window.take(points);
  }

  settle(points: number, { rates = [], pauseUntil }: Notice): void {
    this.#inFlight -= points;
    if (pauseUntil) this.#pausedUntilMs = Math.max(this.#pausedUntilMs, pauseUntil.getTime());
    for (const { family, limit, remaining, resetAtMs } of rates) {
      if (remaining === undefined || resetAtMs === undefined) continue;
      // The platform may not have counted the requests in flight.
      this.#windows.set(family, new Window({ limit: limit ?? Infinity, left: remaining - this.#inFlight, untilMs: resetAtMs }));
    }
  }
}

/** The allowance until an instant. */
class Window {
  readonly #limit: number;
  #left: number;
  #untilMs: number;

  constructor({ limit, left, untilMs }: { readonly limit: number; readonly left: number; readonly untilMs: number }) {
    this.#limit = limit;
    this.#left = left;
    this.#untilMs = untilMs;
  }

  freeAtMs(points: number, nowMs: number): number {
    if (nowMs >= this.#untilMs) {
      // The window has ended. Until a response describes the next one, the limit holds per second.
      this.#left = this.#limit;
      this.#untilMs = nowMs + SECOND_MS;
    }
    // A request that needs more than the limit would wait forever.
    return this.#left >= Math.min(points, this.#limit) && this.#left > 0 ? nowMs : this.#untilMs;
  }

  take(points: number): void {
    this.#left -= points;
  }
}
