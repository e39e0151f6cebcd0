import { describe, expect, test } from 'vitest';
import type { Charge, Notice, Pass, RateBudgets } from '#src/http/rate-budgets.ts';
import { fc } from '../support/property.ts';
import { runPlatform } from './rated-platform.ts';

/** Budgets of one account with a clock that the test advances. */
export interface RateBudgetsFixture extends AsyncDisposable {
  /** The budgets of several workers. They are one object if the implementation is for one process. */
  readonly workers: readonly [RateBudgets, RateBudgets, ...RateBudgets[]];
  nowMs(): number;
  advance(ms: number): Promise<void>;
  /** Resolves when all settled passes are recorded. */
  recorded(): Promise<void>;
}

const ALL: Charge = { budgets: ['all'], points: 1 };

/** The suite for all implementations of the budgets. */
export function rateBudgetsContract(open: () => Promise<RateBudgetsFixture>, { numRuns }: { readonly numRuns: number }): void {
  async function take(budgets: RateBudgets, charge: Charge = ALL): Promise<Pass> {
    const taken = await budgets.take(charge);
    if ('waitMs' in taken) throw new Error(`denied for ${taken.waitMs} ms`);
    return taken;
  }

  /** How many of `count` requests may be sent now, and how long the others have to wait. */
  async function crowd(
    fixture: RateBudgetsFixture,
    count: number,
    charge: Charge = ALL,
  ): Promise<{ readonly granted: number; readonly waits: readonly number[] }> {
    const { workers } = fixture;
    const taken = await Promise.all(
      Array.from({ length: count }, (_, index) => (workers[index % workers.length] ?? workers[0]).take(charge)),
    );
    const waits = taken.flatMap((one) => ('waitMs' in one ? one.waitMs : []));
    return { granted: count - waits.length, waits: [...new Set(waits)] };
  }

  function rates(fixture: RateBudgetsFixture, remaining: number, { limit, inMs = 60_000, family = 'ratelimit' }: StatedRate = {}): Notice {
    return { rates: [{ family, limit, remaining, resetAtMs: fixture.nowMs() + inMs }] };
  }

  describe('windows that responses state', () => {
    test('workers share the remaining requests of a window, and wait for its reset', async () => {
      await using fixture = await open();
      fixture.workers[0].settle(await take(fixture.workers[0]), rates(fixture, 2));
      await fixture.recorded();

      expect(await crowd(fixture, 5)).toEqual({ granted: 2, waits: [60_000] });
      await fixture.advance(60_000);
      expect((await crowd(fixture, 5)).granted).toBe(5);
    });

    test('requests in flight of all workers count against the remaining requests that a response states', async () => {
      await using fixture = await open();
      const [one, other] = fixture.workers;
      const pass = await take(one);
      await take(other);
      await take(other);
      one.settle(pass, rates(fixture, 3, { limit: 10 }));
      await fixture.recorded();

      expect((await crowd(fixture, 3)).granted).toBe(1);
    });

    test('a late response does not raise the number of remaining requests', async () => {
      await using fixture = await open();
      const [one, other] = fixture.workers;
      const [early, late] = [await take(one), await take(other)];
      // The platform handled the early request first.
      other.settle(late, rates(fixture, 1, { limit: 10 }));
      await fixture.recorded();
      one.settle(early, rates(fixture, 2, { limit: 10 }));
      await fixture.recorded();

      expect((await crowd(fixture, 3)).granted).toBe(1);
    });

    test('a request with a lost response counts against the remaining requests of an earlier response', async () => {
      await using fixture = await open();
      const [one, other] = fixture.workers;
      const [pass, lost] = [await take(one), await take(other)];
      other.settle(lost, {});
      await fixture.recorded();
      one.settle(pass, rates(fixture, 2, { limit: 10 }));
      await fixture.recorded();

      expect((await crowd(fixture, 3)).granted).toBe(1);
    });

    test('requests in flight at the reset count against the next window', async () => {
      await using fixture = await open();
      const [one, other] = fixture.workers;
      one.settle(await take(one), rates(fixture, 2, { limit: 3 }));
      await fixture.recorded();
      const pass = await take(other);
      await fixture.advance(60_000);
      const next = (await crowd(fixture, 5)).granted;
      other.settle(pass, {});
      await fixture.recorded();

      expect(next).toBe(2);
    });

    test('until a response describes the next window, the limit holds per second', async () => {
      await using fixture = await open();
      const [one, other] = fixture.workers;
      one.settle(await take(one), rates(fixture, 0, { limit: 3 }));
      await fixture.recorded();
      const granted: number[] = [];
      for (const ms of [60_000, 999, 1]) {
        await fixture.advance(ms);
        let count = 0;
        for (const worker of [one, other, one, other]) {
          const taken = await worker.take(ALL);
          if ('waitMs' in taken) continue;
          count += 1;
          worker.settle(taken, {});
          await fixture.recorded();
        }
        granted.push(count);
      }

      expect(granted).toEqual([3, 0, 3]);
    });

    test('each of several overlapping windows applies', async () => {
      await using fixture = await open();
      const quarter = rates(fixture, 5, { limit: 5, family: 'quarter' });
      const day = rates(fixture, 2, { limit: 100, inMs: 600_000, family: 'day' });
      fixture.workers[0].settle(await take(fixture.workers[0]), { rates: [...(quarter.rates ?? []), ...(day.rates ?? [])] });
      await fixture.recorded();

      expect(await crowd(fixture, 4)).toEqual({ granted: 2, waits: [600_000] });
    });

    test('a window without a stated limit has none after its reset', async () => {
      await using fixture = await open();
      fixture.workers[0].settle(await take(fixture.workers[0]), rates(fixture, 0));
      await fixture.recorded();
      const before = (await crowd(fixture, 3)).granted;
      await fixture.advance(60_000);

      expect([before, (await crowd(fixture, 50)).granted]).toEqual([0, 50]);
    });

    test('a response without a number of remaining requests or without a reset changes nothing', async () => {
      await using fixture = await open();
      const { workers } = fixture;
      workers[0].settle(await take(workers[0]), {
        rates: [
          { family: 'a', limit: 1, remaining: 0, resetAtMs: undefined },
          { family: 'b', limit: 1, remaining: undefined, resetAtMs: fixture.nowMs() + 60_000 },
        ],
      });
      await fixture.recorded();

      expect((await crowd(fixture, 5)).granted).toBe(5);
    });
  });

  describe('several budgets', () => {
    test('a request is charged to all of its budgets or to none', async () => {
      await using fixture = await open();
      const { workers } = fixture;
      workers[0].settle(await take(workers[0]), rates(fixture, 2));
      await fixture.recorded();
      const posts = { budgets: ['posts', 'all'], points: 1 };
      workers[0].settle(await take(workers[0], posts), rates(fixture, 0, { inMs: 3_000 }));
      await fixture.recorded();

      expect(await crowd(fixture, 2, posts)).toEqual({ granted: 0, waits: [3_000] });
      expect((await crowd(fixture, 2)).granted).toBe(1);
    });

    test('another budget is not delayed', async () => {
      await using fixture = await open();
      fixture.workers[0].settle(await take(fixture.workers[0]), rates(fixture, 0));
      await fixture.recorded();

      expect((await crowd(fixture, 3, { budgets: ['posts'], points: 1 })).granted).toBe(3);
    });

    test('a request with more points than remain waits, and one with more than the limit takes a whole window', async () => {
      await using fixture = await open();
      const { workers } = fixture;
      workers[0].settle(await take(workers[0]), rates(fixture, 2, { limit: 5 }));
      await fixture.recorded();

      expect(await crowd(fixture, 1, { budgets: ['all'], points: 3 })).toEqual({ granted: 0, waits: [60_000] });
      await fixture.advance(60_000);
      expect((await crowd(fixture, 2, { budgets: ['all'], points: 8 })).granted).toBe(1);
    });
  });

  test('a pause applies to all workers until it ends', async () => {
    await using fixture = await open();
    const [one] = fixture.workers;
    one.settle(await take(one), { pauseUntil: new Date(fixture.nowMs() + 900_000) });
    await fixture.recorded();
    const denied = await crowd(fixture, 2);
    await fixture.advance(900_000);

    expect([denied, (await crowd(fixture, 2)).granted]).toEqual([{ granted: 0, waits: [900_000] }, 2]);
  });

  test('a shorter pause does not end a longer one', async () => {
    await using fixture = await open();
    const [one, other] = fixture.workers;
    const passes = [await take(one), await take(other)] as const;
    one.settle(passes[0], { pauseUntil: new Date(fixture.nowMs() + 900_000) });
    await fixture.recorded();
    other.settle(passes[1], { pauseUntil: new Date(fixture.nowMs() + 60_000) });
    await fixture.recorded();

    expect(await crowd(fixture, 2)).toEqual({ granted: 0, waits: [900_000] });
  });

  test('a documented rate holds for all workers together', async () => {
    await using fixture = await open();
    const paced: Charge = { budgets: ['global'], points: 1, pace: { perSecond: 10, burst: 5 } };
    const granted: number[] = [];
    for (let tenth = 0; tenth <= 50; tenth++) {
      granted.push((await crowd(fixture, 8, paced)).granted);
      await fixture.advance(100);
    }

    expect([granted[0], granted.reduce((sum, one) => sum + one, 0)]).toEqual([5, 55]);
  });

  test('workers never exceed the limit of the platform, and use at least 80 % of it', async () => {
    const worlds = fc.record({
      seed: fc.nat(),
      limit: fc.integer({ min: 20, max: 40 }),
      inParallel: fc.integer({ min: 1, max: 4 }),
      mostLatencyMs: fc.constantFrom(50, 900, 3_000),
      lostPercent: fc.constantFrom(0, 5),
    });
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        await using fixture = await open();
        const used = await runPlatform(fixture, world);
        for (const count of used) {
          expect(count).toBeLessThanOrEqual(world.limit);
          expect(count).toBeGreaterThanOrEqual(0.8 * world.limit);
        }
      }),
      { numRuns },
    );
  });
}

interface StatedRate {
  readonly limit?: number | undefined;
  readonly inMs?: number | undefined;
  readonly family?: string | undefined;
}
