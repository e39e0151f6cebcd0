import type { Clock } from '#src/clock.ts';
import { rateBudgetsInMemory } from '#src/http/memory-rate-budgets.ts';
import type { RateBudgets } from '#src/http/rate-budgets.ts';
import type { Rate } from '#src/http/rate-headers.ts';
import type { Sample } from '#src/admin/queries/records.ts';

/** X has one window for each endpoint. */
const MOST_WINDOWS = 200;

/** The window of a rate limit, as a response stated it. */
interface Window {
  readonly leftRatio: number;
  readonly untilMs: number;
}

/** The rates that a response stated for a budget. */
interface Stated {
  readonly budget: string;
  readonly rates: readonly Rate[];
}

/** The rate limits that responses state, by account. */
export interface RateLimits {
  /** The budgets of an account, which report what they learn; without `shared`, each client counts alone. */
  readonly watch: (account: string, shared: RateBudgets | undefined) => RateBudgets;
  /** The smallest rest of the limits of each account, from 0 to 1. */
  left(): readonly Sample[];
  /** The number of requests that had to wait for a limit. */
  waits(): readonly Sample[];
  /** The smallest rest that responses stated since the last call, by account. */
  takeLeast(): ReadonlyMap<string, number>;
}

/** Begins to observe rate limits. */
export function createRateLimits(clock: Clock): RateLimits {
  const accounts = new Map<string, { readonly windows: Map<string, Window>; waits: number }>();
  let least = new Map<string, number>();

  function record(account: string, windows: Map<string, Window>, { budget, rates }: Stated): void {
    for (const { family, limit, remaining, resetAtMs } of rates) {
      if (limit === undefined || limit === 0 || remaining === undefined || resetAtMs === undefined) continue;
      const name = `${budget} ${family}`;
      windows.delete(name);
      const leftRatio = Math.min(1, remaining / limit);
      windows.set(name, { leftRatio, untilMs: resetAtMs });
      if (leftRatio < (least.get(account) ?? Infinity)) least.set(account, leftRatio);
      const [oldest] = windows.keys();
      if (windows.size > MOST_WINDOWS && oldest !== undefined) windows.delete(oldest);
    }
  }

  return {
    watch(account, shared) {
      const known = accounts.get(account) ?? { windows: new Map<string, Window>(), waits: 0 };
      accounts.set(account, known);
      const watched = (budgets: RateBudgets): RateBudgets => ({
        async take(charge) {
          const taken = await budgets.take(charge);
          if ('waitMs' in taken) known.waits += 1;
          return taken;
        },
        settle(pass, notice) {
          record(account, known.windows, { budget: pass.budgets[0] ?? '', rates: notice.rates ?? [] });
          budgets.settle(pass, notice);
        },
      });
      if (shared) return watched(shared);
      return { ...watched(rateBudgetsInMemory(clock)), forClient: () => watched(rateBudgetsInMemory(clock)) };
    },

    left() {
      const nowMs = clock.nowMs();
      return [...accounts].map(([account, { windows }]) => {
        const open = [...windows.values()].filter(({ untilMs }) => untilMs > nowMs);
        return { labels: { account }, value: Math.min(1, ...open.map(({ leftRatio }) => leftRatio)) };
      });
    },

    waits: () => [...accounts].map(([account, { waits }]) => ({ labels: { account }, value: waits })),

    takeLeast() {
      const taken = least;
      least = new Map();
      return taken;
    },
  };
}
