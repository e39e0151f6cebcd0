import type { Clock } from '#src/clock.ts';
import { createPacedPolls, type PacedPolls } from '#src/engine/planner/paced-polls.ts';
import { createPollPace, type TakePoints } from '#src/engine/planner/poll-pace.ts';
import { rateBudgetsInMemory } from '#src/http/memory-rate-budgets.ts';
import type { RateBudgets } from '#src/http/rate-budgets.ts';
import type { Log } from '#src/log.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { pollRateOf } from '#src/rules/poll-budget.ts';
import type { Store } from '#src/store/store.ts';

/** The budget of polls beside those of requests, which the responses describe. */
const BUDGET = 'polls';

interface PacedPollsOptions {
  readonly accounts: Accounts;
  readonly store: Pick<Store, 'rateBudgetsOf'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Spreads polls within the rate limits of their accounts. Processes on the same state share the rates. */
export function openPacedPolls({ accounts, store, clock, log }: PacedPollsOptions): PacedPolls {
  const budgets = new Map<string, RateBudgets>();
  const take: TakePoints = async (account, points, pace) => {
    const shared = budgets.get(account) ?? store.rateBudgetsOf?.(account) ?? rateBudgetsInMemory(clock);
    budgets.set(account, shared);
    const taken = await shared.take({ budgets: [BUDGET], points, pace });
    if ('waitMs' in taken) return taken.waitMs;
    // No response describes this budget.
    shared.settle(taken, {});
    return 0;
  };
  const pace = createPollPace({ rateOf: (account) => pollRateOf(accounts, account), take, clock, log });
  return createPacedPolls(pace, accounts);
}
