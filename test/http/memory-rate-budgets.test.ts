import { rateBudgetsInMemory } from '#src/http/memory-rate-budgets.ts';
import { rateBudgetsContract } from '../contract/rate-budgets.ts';
import { ManualClock } from '../support/manual-clock.ts';

rateBudgetsContract(async () => {
  const clock = new ManualClock('2026-11-20T18:00:00Z');
  const budgets = rateBudgetsInMemory(clock);
  return {
    workers: [budgets, budgets, budgets],
    nowMs: () => clock.nowMs(),
    advance: async (ms) => clock.set(clock.nowMs() + ms),
    recorded: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
});
