import { expect, test } from 'vitest';
import { rateBudgetsInMemory } from '#src/http/memory-rate-budgets.ts';
import { rateBudgetsContract, type RateBudgetsFixture } from '../contract/rate-budgets.ts';
import { runPlatform } from '../contract/rated-platform.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { runs } from '../support/property.ts';

async function open(): Promise<RateBudgetsFixture> {
  const clock = new ManualClock('2026-11-20T18:00:00Z');
  const budgets = rateBudgetsInMemory(clock);
  return {
    workers: [budgets, budgets, budgets],
    nowMs: () => clock.nowMs(),
    advance: async (ms) => clock.set(clock.nowMs() + ms),
    recorded: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

rateBudgetsContract(open, { numRuns: runs(20, 2_000) });

test('the model of a platform reports requests over its limit', async () => {
  await using fixture = await open();
  const careless = { take: async () => ({ budgets: ['all'], points: 1, unstated: 0 }), settle: () => undefined };
  const used = await runPlatform(
    { ...fixture, workers: [careless, careless] },
    { seed: 1, limit: 20, inParallel: 4, mostLatencyMs: 3_000, lostPercent: 0 },
  );

  expect(Math.max(...used)).toBeGreaterThan(20);
});
