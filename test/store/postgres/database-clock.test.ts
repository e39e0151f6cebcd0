import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import type { Tables } from '#src/store/tables.ts';
import { moreExact, openDatabaseClock, type ClockSample } from '#src/store/postgres/database-clock.ts';

afterEach(() => void vi.restoreAllMocks());

const exact: ClockSample = { offsetMs: 1_000, errorMs: 2, takenMs: 50 };

test('a sample with a slow response does not replace a more exact one', () => {
  const slow = { offsetMs: -6_000, errorMs: 7_000, takenMs: 24_000 };

  expect(moreExact(exact, slow)).toBe(exact);
});

test('a later sample with a similar error replaces an earlier one, because clocks drift', () => {
  const next = { offsetMs: 1_004, errorMs: 3, takenMs: 10_050 };

  expect(moreExact(exact, next)).toBe(next);
});

test('a more exact sample replaces an earlier one', () => {
  const slow = { offsetMs: -6_000, errorMs: 7_000, takenMs: 20 };

  expect(moreExact(slow, exact)).toBe(exact);
});

test.for([
  ['until one is fast', [1_000, 202, 20, 1], 50_010],
  ['twice at most', [1_000, 202, 300, 1], 50_401],
] as const)('at the start, slow requests are repeated %s, and half of the round trip is added', async ([, answers, nowMs]) => {
  const answersMs: number[] = [...answers];
  let timerMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => timerMs);
  class SlowDatabase extends DummyDriver {
    override async acquireConnection() {
      return {
        ...(await super.acquireConnection()),
        executeQuery: <R>() => {
          timerMs += answersMs.shift() ?? 0;
          return Promise.resolve({ rows: [{ ms: 50_000 }] as R[] }); // the only statement reads this column
        },
      };
    }
  }
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new SlowDatabase(),
      createIntrospector: (one) => new PostgresIntrospector(one),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });

  const clock = await openDatabaseClock(db);

  expect(answersMs).toEqual([1]);
  expect(clock.nowMs()).toBe(nowMs);
});
