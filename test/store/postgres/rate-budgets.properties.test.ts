import { Kysely, sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { rateBudgetsInMemory } from '#src/http/memory-rate-budgets.ts';
import type { Charge, Denied, Notice, Pass } from '#src/http/rate-budgets.ts';
import { postgresDialect } from '#src/store/postgres/dialect.ts';
import { createRateBudgets } from '#src/store/postgres/rate-budgets.ts';
import { DIALECT } from '#src/store/postgres/schema.ts';
import { RATE_TABLES } from '#src/store/postgres/shared-tables.ts';
import { createTables } from '#src/store/schema/table.ts';
import type { Tables } from '#src/store/tables.ts';
import { rateBudgetsContract, type RateBudgetsFixture } from '../../contract/rate-budgets.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { fc, runs } from '../../support/property.ts';
import { createDatabase, openPool } from '../../support/postgres-database.ts';

const server = await createDatabase();
afterAll(() => server[Symbol.asyncDispose]());

const START_MS = Date.UTC(2026, 10, 20, 18);

/** The clock of the database in the hands of the test: a function in the schema hides the function of PostgreSQL. */
const CLOCK = `
create table clock (ms float8 not null);
insert into clock values (${START_MS});
create function clock_timestamp() returns timestamptz language sql volatile as $$ select to_timestamp(ms / 1000) from clock $$;
`;

/** Connections to one schema, in place of the pools of several workers. */
async function openDatabase(clock: string): Promise<Kysely<Tables> & AsyncDisposable> {
  const schema = server.newSchema();
  const pool = openPool({ connectionString: server.url, options: `-c search_path=${schema},pg_catalog`, max: 8 });
  await pool.query(`create schema ${schema}`);
  await pool.query(createTables(RATE_TABLES, DIALECT) + clock);
  const db = new Kysely<Tables>({ dialect: postgresDialect(pool) });
  return Object.assign(db, { [Symbol.asyncDispose]: () => db.destroy() });
}

async function open(): Promise<RateBudgetsFixture> {
  const db = await openDatabase(CLOCK);
  let nowMs = START_MS;
  const one = createRateBudgets(db, 'x');
  const workers = [one, createRateBudgets(db, 'x'), createRateBudgets(db, 'x')] as const;
  return {
    workers,
    nowMs: () => nowMs,
    async advance(ms) {
      nowMs += ms;
      await sql`update clock set ms = ${nowMs}`.execute(db);
    },
    async recorded() {
      // A request waits for the settlements of its worker.
      await Promise.all(workers.map((worker) => worker.take({ budgets: ['unused'], points: 0 })));
    },
    [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
  };
}

rateBudgetsContract(open, { numRuns: runs(1, 25) });

const charge = fc.record({
  budgets: fc.constantFrom(['all'], ['posts'], ['posts', 'all'], ['all', 'posts']),
  points: fc.integer({ min: 1, max: 4 }),
  pace: fc.option(fc.constantFrom({ perSecond: 2, burst: 3 }, { perSecond: 0.5, burst: 5 }), { nil: undefined, freq: 4 }),
});

/** What a response states, with times from now on. */
interface Stated {
  readonly rates: readonly {
    readonly family: string;
    readonly limit: number | undefined;
    readonly remaining: number;
    readonly inMs: number;
  }[];
  readonly pauseInMs: number | undefined;
}

const notice: fc.Arbitrary<Stated> = fc.record({
  rates: fc.uniqueArray(
    fc.record({
      family: fc.constantFrom('ratelimit', 'day'),
      limit: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
      remaining: fc.integer({ min: 0, max: 12 }),
      inMs: fc.constantFrom(-1, 0, 1, 1_000, 1_999, 2_000, 2_001, 10_000, 60_000, 120_000),
    }),
    { maxLength: 2, selector: ({ family }) => family },
  ),
  pauseInMs: fc.option(fc.constantFrom(-1_000, 1, 3_000, 30_000), { nil: undefined, freq: 6 }),
});

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ charge }) },
  { weight: 4, arbitrary: fc.record({ settle: fc.nat({ max: 9 }), notice }) },
  { weight: 2, arbitrary: fc.record({ advanceMs: fc.constantFrom(1, 500, 999, 1_000, 1_001, 2_000, 10_000, 60_000) }) },
);

function noticeAt({ rates, pauseInMs }: Stated, nowMs: number): Notice {
  return {
    rates: rates.map(({ inMs, ...rate }) => ({ ...rate, resetAtMs: nowMs + inMs })),
    pauseUntil: pauseInMs === undefined ? undefined : new Date(nowMs + pauseInMs),
  };
}

const waitOf = (taken: Pass | Denied): number => ('waitMs' in taken ? taken.waitMs : 0);

describe('over several connections at once', () => {
  const PACED = { budgets: ['global'], points: 1, pace: { perSecond: 10, burst: 5 } };

  test('simultaneous requests get only the remaining budget, even on new rows', async () => {
    await using db = await openDatabase(CLOCK);
    const workers = [1, 2, 3, 4].map(() => createRateBudgets(db, 'x'));
    const everyone = async (charge: Charge) => {
      const taken = await Promise.all(Array.from({ length: 25 }, () => workers.map((worker) => worker.take(charge))).flat());
      return taken.flatMap((one) => ('waitMs' in one ? [] : one));
    };

    expect(await everyone(PACED)).toHaveLength(5);
    const [first] = await everyone({ budgets: ['all'], points: 1 });
    if (!first) throw new Error('granted');
    const resetAtMs = START_MS + 60_000;
    workers[0]?.settle(first, { rates: [{ family: 'ratelimit', limit: 200, remaining: 130, resetAtMs }] });
    // A request waits for the settlements of its worker only.
    await workers[0]?.take({ budgets: ['unused'], points: 0 });
    // 99 requests are in flight.
    expect(await everyone({ budgets: ['all'], points: 1 })).toHaveLength(31);
  });

  test('concurrent settlements and requests never exceed the limit', async () => {
    await using db = await openDatabase(CLOCK);
    const workers = [1, 2, 3, 4].map(() => createRateBudgets(db, 'x'));
    const limit = 40;
    let used = 0;

    await Promise.all(
      workers.map(async (worker) => {
        for (;;) {
          const taken = await worker.take({ budgets: ['posts', 'all'], points: 1 });
          if ('waitMs' in taken) return;
          used += 1;
          worker.settle(taken, { rates: [{ family: 'ratelimit', limit, remaining: limit - used, resetAtMs: START_MS + 60_000 }] });
        }
      }),
    );

    expect(used).toBe(limit);
  });
});

test('workers on one database get the same answers as one process', async () => {
  await using db = await openDatabase(CLOCK);
  const start = Date.UTC(2026, 10, 20, 18);
  let accounts = 0;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 299_999 }), fc.array(step, { minLength: 5, maxLength: 30 }), async (phaseMs, steps) => {
      const account = `account_${++accounts}`;
      const clock = new ManualClock(start + phaseMs);
      const memory = rateBudgetsInMemory(clock);
      const workers = [createRateBudgets(db, account), createRateBudgets(db, account)] as const;
      const open: { readonly memory: Pass; readonly shared: Pass }[] = [];
      const answers: (readonly [shared: number, memory: number])[] = [];
      await sql`update clock set ms = ${clock.nowMs()}`.execute(db);
      for (const [index, one] of steps.entries()) {
        const worker = workers[index % 2] ?? workers[0];
        if ('advanceMs' in one) {
          // Later, the points of a process that ended count no longer.
          if (clock.nowMs() + one.advanceMs >= start + phaseMs + 299_000) continue;
          clock.set(clock.nowMs() + one.advanceMs);
          await sql`update clock set ms = ${clock.nowMs()}`.execute(db);
        } else if ('charge' in one) {
          const [expected, taken] = [await memory.take(one.charge), await worker.take(one.charge)];
          answers.push([waitOf(taken), waitOf(expected)]);
          if (!('waitMs' in expected) && !('waitMs' in taken)) open.push({ memory: expected, shared: taken });
        } else {
          const [pass] = open.splice(one.settle % Math.max(1, open.length), 1);
          if (!pass) continue;
          const notice = noticeAt(one.notice, clock.nowMs());
          memory.settle(pass.memory, notice);
          worker.settle(pass.shared, notice);
          // A request waits for the settlements of its worker.
          await worker.take({ budgets: ['unused'], points: 0 });
        }
      }
      expect(answers.map(([shared]) => shared)).toEqual(answers.map(([, memory]) => memory));
    }),
    { numRuns: runs(20, 600) },
  );
});

test('the points of a process that ended count for 10 minutes at most', async () => {
  await using fixture = await open();
  const [one, other] = fixture.workers;
  const charge = { budgets: ['all'], points: 1 };
  const resetAtMs = START_MS + 3_600_000;
  const pass = await one.take(charge);
  if ('waitMs' in pass) throw new Error('granted');
  one.settle(pass, { rates: [{ family: 'ratelimit', limit: 10, remaining: 3, resetAtMs }] });
  await fixture.recorded();
  const granted: number[] = [];
  for (const ms of [0, 300_000, 300_000]) {
    await fixture.advance(ms);
    const taken = await Promise.all(Array.from({ length: 5 }, () => other.take(charge)));
    granted.push(taken.filter((result) => !('waitMs' in result)).length);
  }

  expect(granted).toEqual([3, 0, 3]);
});

test('a limit of 0 that an earlier version stored ends at its reset', async () => {
  await using fixture = await open();
  const [one, other] = fixture.workers;
  const charge = { budgets: ['all'], points: 1 };
  const pass = await one.take(charge);
  if ('waitMs' in pass) throw new Error('granted');
  one.settle(pass, { rates: [{ family: 'ratelimit', limit: 0, remaining: 0, resetAtMs: START_MS + 60_000 }] });
  await fixture.recorded();

  expect(await other.take(charge)).toEqual({ waitMs: 60_000 });
  await fixture.advance(60_000);
  expect(await other.take(charge)).not.toHaveProperty('waitMs');
});

test('the accounts of one platform have separate limits', async () => {
  await using db = await openDatabase(CLOCK);
  const [one, other] = [createRateBudgets(db, 'x'), createRateBudgets(db, 'x_de')];
  const pass = await one.take({ budgets: ['all'], points: 1 });
  if ('waitMs' in pass) throw new Error('granted');
  one.settle(pass, { pauseUntil: new Date(START_MS + 60_000) });

  expect(await one.take({ budgets: ['all'], points: 1 })).toEqual({ waitMs: 60_000 });
  expect(await other.take({ budgets: ['all'], points: 1 })).not.toHaveProperty('waitMs');
});
