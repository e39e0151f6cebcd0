import type { Clock } from '#src/clock.ts';
import { rateBudgetsInMemory } from './memory-rate-budgets.ts';
import type { Charge, RateBudgets } from './rate-budgets.ts';

/** The budget of polls beside those of requests, which the responses describe. */
const BUDGET = 'polls';

interface TakePointsOptions {
  /** The budgets that processes share; without them, each process has its own ones. */
  readonly budgetsOf: ((account: string) => RateBudgets) | undefined;
  readonly clock: Clock;
}

/** Takes points of an account for polls. Resolves with 0, or with the time to wait in milliseconds. */
export function createTakePoints({
  budgetsOf,
  clock,
}: TakePointsOptions): (account: string, points: number, pace: NonNullable<Charge['pace']>) => Promise<number> {
  const budgets = new Map<string, RateBudgets>();
  return async (account, points, pace) => {
    const shared = budgets.get(account) ?? budgetsOf?.(account) ?? rateBudgetsInMemory(clock);
    budgets.set(account, shared);
    const taken = await shared.take({ budgets: [BUDGET], points, pace });
    if ('waitMs' in taken) return taken.waitMs;
    // No response describes this budget.
    shared.settle(taken, {});
    return 0;
  };
}
