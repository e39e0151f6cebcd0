import type { Clock } from '#src/clock.ts';
import { ASSUMED_WINDOW_MS, RESET_PRECISION_MS, type Charge, type Notice, type Pass, type RateBudgets } from './rate-budgets.ts';
import type { Rate } from './rate-headers.ts';

const SECOND_MS = 1000;

/** Creates budgets that this process alone uses. */
export function rateBudgetsInMemory(clock: Clock): RateBudgets {
  const budgets = new Map<string, Budget>();

  function budgetOf(name: string): Budget {
    const budget = budgets.get(name) ?? new Budget();
    budgets.set(name, budget);
    return budget;
  }

  return {
    async take(charge) {
      const nowMs = clock.nowMs();
      const charged = charge.budgets.map(budgetOf);
      const freeAtMs = Math.max(...charged.map((budget, index) => budget.freeAtMs(paced(charge, index), nowMs)));
      if (freeAtMs > nowMs) return { waitMs: freeAtMs - nowMs };
      for (const [index, budget] of charged.entries()) budget.take(paced(charge, index), nowMs);
      return { ...charge, unstated: charged[0]?.unstated ?? 0 };
    },

    settle(pass, notice) {
      for (const [index, name] of pass.budgets.entries()) budgetOf(name).settle(pass, index === 0 ? notice : {}, clock.nowMs());
    },
  };
}

/** The charge of one budget: the pace describes the first. */
function paced({ points, pace }: Charge, index: number): Pick<Charge, 'points' | 'pace'> {
  return { points, pace: index === 0 ? pace : undefined };
}

/** A budget with the windows of its responses. */
class Budget {
  readonly #windows = new Map<string, Window>();
  #pausedUntilMs = 0;
  #inFlight = 0;
  /** The instant at which the whole burst of the pace is available again. */
  #fullAtMs = 0;
  #unstated = 0;

  /** The sum of the points whose responses did not describe the budget. */
  get unstated(): number {
    return this.#unstated;
  }

  freeAtMs({ points, pace }: Pick<Charge, 'points' | 'pace'>, nowMs: number): number {
    const windows = [...this.#windows.values()].map((window) => window.freeAtMs({ points, inFlight: this.#inFlight, nowMs }));
    const pacedMs = pace ? this.#fullAtMs - ((pace.burst - points) * SECOND_MS) / pace.perSecond : 0;
    return Math.max(nowMs, this.#pausedUntilMs, pacedMs, ...windows);
  }

  take({ points, pace }: Pick<Charge, 'points' | 'pace'>, nowMs: number): void {
    this.#inFlight += points;
    for (const window of this.#windows.values()) window.renew(nowMs);
    if (pace) this.#fullAtMs = Math.max(this.#fullAtMs, nowMs) + (points * SECOND_MS) / pace.perSecond;
  }

  settle({ points, unstated }: Pass, { rates = [], pauseUntil }: Notice, nowMs: number): void {
    this.#inFlight -= points;
    if (pauseUntil) this.#pausedUntilMs = Math.max(this.#pausedUntilMs, pauseUntil.getTime());
    const stated = new Map(rates.flatMap((rate) => toStatement(rate) ?? []).map((one) => [one.family, one]));
    if (stated.size === 0) this.#unstated += points;
    for (const [family, window] of this.#windows) if (!stated.has(family)) window.spend(points);
    for (const [family, statement] of stated) {
      const window = this.#windows.get(family);
      if (window && !window.isReplacedBy(statement, nowMs)) continue;
      // The platform may have handled these requests later.
      this.#windows.set(family, new Window(statement, this.#unstated - unstated));
    }
  }
}

/** The state of a window when the platform handled a request. */
interface Statement {
  readonly family: string;
  readonly limit: number;
  readonly remaining: number;
  readonly untilMs: number;
}

function toStatement({ family, limit = Infinity, remaining, resetAtMs: untilMs }: Rate): Statement | undefined {
  return remaining === undefined || untilMs === undefined ? undefined : { family, limit, remaining, untilMs };
}

/** The allowance until an instant. */
class Window {
  readonly #limit: number;
  /** The allowance of the last statement; undefined if no response has described this window yet. */
  #stated: number | undefined;
  /** The allowance, from which the requests in flight are still to be subtracted. */
  #rest: number;
  #untilMs: number;

  constructor({ limit, remaining, untilMs }: Statement, uncounted: number) {
    this.#limit = limit;
    this.#stated = remaining;
    this.#rest = remaining - uncounted;
    this.#untilMs = untilMs;
  }

  freeAtMs({ points, inFlight, nowMs }: { readonly points: number; readonly inFlight: number; readonly nowMs: number }): number {
    const isOver = nowMs >= this.#untilMs;
    // The platform may not have counted the requests in flight.
    const left = (isOver ? this.#limit : this.#rest) - inFlight;
    // A request that needs more than the limit would wait forever.
    if (left >= Math.min(points, this.#limit) && left > 0) return nowMs;
    return isOver ? nowMs + ASSUMED_WINDOW_MS : this.#untilMs;
  }

  /** Begins the next window if this one is over. */
  renew(nowMs: number): void {
    if (nowMs < this.#untilMs) return;
    this.#stated = undefined;
    this.#rest = this.#limit;
    this.#untilMs = nowMs + ASSUMED_WINDOW_MS;
  }

  /** Counts a request whose response does not describe the window. */
  spend(points: number): void {
    this.#rest -= points;
  }

  /** Whether the statement is newer. Responses may arrive in another order than the platform handled the requests. */
  isReplacedBy({ remaining, untilMs }: Statement, nowMs: number): boolean {
    if (this.#stated === undefined || nowMs >= this.#untilMs) return true;
    return untilMs > this.#untilMs + RESET_PRECISION_MS || remaining < this.#stated;
  }
}
