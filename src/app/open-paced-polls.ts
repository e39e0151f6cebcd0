import type { Clock } from '#src/clock.ts';
import { createPacedPolls, type PacedPolls } from '#src/engine/planner/paced-polls.ts';
import { createPollPace } from '#src/engine/planner/poll-pace.ts';
import { createTakePoints } from '#src/http/take-points.ts';
import type { Log } from '#src/log.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { pollRateOf } from '#src/rules/poll-budget.ts';
import type { Store } from '#src/store/store.ts';

interface PacedPollsOptions {
  readonly accounts: Accounts;
  readonly store: Pick<Store, 'rateBudgetsOf'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Spreads polls within the rate limits of their accounts. Processes on the same state share the rates. */
export function openPacedPolls({ accounts, store, clock, log }: PacedPollsOptions): PacedPolls {
  const take = createTakePoints({ budgetsOf: store.rateBudgetsOf, clock });
  const pace = createPollPace({ rateOf: pollRateOf.bind(undefined, accounts), take, clock, log });
  return createPacedPolls(pace, accounts);
}
