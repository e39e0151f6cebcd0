import { type Clock, untilAborted } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { Charge, Denied, Notice, Pass, RateBudgets } from './rate-budgets.ts';

export interface GovernorOptions {
  readonly platform: string;
  readonly budgets: RateBudgets;
  readonly clock: Clock;
  /** A request that would have to wait longer fails at once. */
  readonly patienceMs: number;
}

/** Delays requests while a budget is used up. */
export class Governor {
  readonly #options: GovernorOptions;

  constructor(options: GovernorOptions) {
    this.#options = options;
  }

  /** Resolves when the request may be sent; `leave` must follow. */
  async enter(charge: Charge, signal: AbortSignal | undefined): Promise<Pass> {
    const { platform, clock, patienceMs } = this.#options;
    for (;;) {
      const taken = await this.#take(charge, signal);
      if (!('waitMs' in taken)) return taken;
      const { waitMs } = taken;
      if (waitMs > patienceMs) {
        const retryAt = new Date(clock.nowMs() + waitMs);
        const message = `${platform} limits requests until ${retryAt.toISOString()}: nothing was sent.`;
        throw new PlatformError(message, { platform, fault: 'rateLimited', retryAt, sentNothing: true });
      }
      await clock.sleep(waitMs, signal);
    }
  }

  /** Records the rate limits of the response. */
  leave(pass: Pass, notice: Notice = {}): void {
    this.#options.budgets.settle(pass, notice);
  }

  /** Stops all requests of the budgets until an instant. */
  pause({ budgets }: Charge, until: Date): void {
    this.#options.budgets.settle({ budgets, points: 0, unstated: 0 }, { pauseUntil: until });
  }

  async #take(charge: Charge, signal: AbortSignal | undefined): Promise<Pass | Denied> {
    const { platform, budgets } = this.#options;
    const taking = budgets.take(charge);
    try {
      return await untilAborted(taking, signal);
    } catch (error) {
      if (!signal?.aborted) {
        const message = `${platform}: the shared rate limits cannot be read: nothing was sent.`;
        throw new PlatformError(message, { platform, fault: 'unreachable', cause: error });
      }
      taking.then(
        (taken) => 'waitMs' in taken || this.leave(taken),
        () => undefined,
      );
      throw error;
    }
  }
}
