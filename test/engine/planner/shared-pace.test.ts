import { expect, test } from 'vitest';
import { createPacedPolls } from '#src/engine/planner/paced-polls.ts';
import { createPlanner } from '#src/engine/planner/planner.ts';
import { createPollPace } from '#src/engine/planner/poll-pace.ts';
import { createTakePoints } from '#src/http/take-points.ts';
import { systemClock } from '#src/clock.ts';
import { silentLog } from '#src/log.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { pollRateOf } from '#src/rules/poll-budget.ts';
import { startTwoProcesses, type TimedProcess } from '../../store/postgres/timed-database.ts';
import { SLOT_MS } from '../../support/firings.ts';
import { makeRule, makeWatched } from '../../support/rules.ts';

const { one, two } = await startTwoProcesses();

/** The database measures the time of the rate, so the rate is high. */
const PER_SECOND = 100;
const BURST = 20;
const NAMES_A_REQUEST = 100;
const accounts: Accounts = {
  streaming: { all: ['twitch'], defaults: [], requestsPerMinute: { twitch: (PER_SECOND * 60) / 0.8 }, requestBurst: { twitch: BURST } },
};

/** Queries that no poll can share, with ten requests each. */
const rules = (worker: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const users = Array.from({ length: 10 * NAMES_A_REQUEST }, (_, user) => `${worker}-${index}-${user}`);
    const id = `${worker}-${index}`;
    return makeRule({ id, watched: makeWatched({ with: { users, tags: [id] } }) });
  });

/** The planner of a worker, and the instants of its requests. */
function start({ store, worker }: Pick<TimedProcess, 'store' | 'worker'>) {
  const clock = systemClock;
  const pace = createPollPace({
    rateOf: (account) => pollRateOf(accounts, account),
    take: createTakePoints({ budgetsOf: store.rateBudgetsOf, clock }),
    clock,
    log: silentLog,
  });
  const sent: number[] = [];
  const planner = createPlanner({
    poll: async ({ params }) => {
      const requests = Math.ceil((Array.isArray(params['users']) ? params['users'].length : 1) / NAMES_A_REQUEST);
      for (let request = 0; request < requests; request++) sent.push(performance.now());
      return { items: [], approximate: false, partialErrors: [] };
    },
    paced: createPacedPolls(pace, accounts),
    clock,
    log: silentLog,
  });
  const done: string[] = [];
  return {
    sent,
    done,
    read: (count: number) =>
      planner.read(
        rules(worker, count).map((rule) => ({ rule, slotMs: SLOT_MS })),
        async (rule) => void done.push(rule),
      ),
  };
}

test.each([
  { own: one, other: two },
  { own: two, other: one },
])('$own.worker is served although $other.worker always waits for the rate limit that they share', async ({ own, other }) => {
  const workers = [start(own), start(other)] as const;
  const beganMs = performance.now();
  let served = false;
  const reads = workers[0].read(8).finally(() => (served = true));
  while (!served) await workers[1].read(2);
  await reads;

  expect(workers[0].done).toHaveLength(8);
  const sent = workers.flatMap((worker) => worker.sent).toSorted((a, b) => a - b);
  expect(sent).toHaveLength(80 + workers[1].done.length * 10);
  // Two workers that each used the whole rate would have sent twice as many.
  for (const [index, atMs] of sent.entries()) {
    expect(index + 1).toBeLessThanOrEqual(BURST + Math.ceil(((atMs - beganMs) / 1_000) * PER_SECOND) + 1);
  }
});
