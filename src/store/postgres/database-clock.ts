import { sql, type Kysely } from 'kysely';
import { systemClock, type Clock } from '#src/clock.ts';
import type { Tables } from '#src/store/tables.ts';

/** How often the clock is compared with the database. */
const COMPARE_EVERY_MS = 10_000;

export interface DatabaseClock extends Clock {
  /** Compares the clock with the database until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** A comparison of the database with the timer of the process. */
export interface ClockSample {
  /** The time of the database at the start of the timer. */
  readonly offsetMs: number;
  /** The most by which the offset can be wrong: half of the round trip. */
  readonly errorMs: number;
  /** When it was taken, by the timer. */
  readonly takenMs: number;
}

/** How far two timers of machines drift apart at most, in milliseconds per millisecond. */
const DRIFT = 0.001;
/** At the start, a slow answer is repeated. */
const GOOD_MS = 100;
const ATTEMPTS = 3;

/**
 * The clock of the database, so that all workers have one time. In between, it follows the timer of the process, which no change of the
 * machine's clock affects.
 */
export async function openDatabaseClock(db: Kysely<Tables>): Promise<DatabaseClock> {
  let sample = await takeSample(db);
  for (let attempt = 1; attempt < ATTEMPTS && sample.errorMs > GOOD_MS; attempt++) sample = moreExact(sample, await takeSample(db));
  return {
    nowMs: () => Math.floor(performance.now() + sample.offsetMs),
    sleep: (ms, signal) => systemClock.sleep(ms, signal),

    async run(signal) {
      while (!signal.aborted) {
        await systemClock.sleep(COMPARE_EVERY_MS, signal).catch(() => undefined);
        if (signal.aborted) return;
        // Without the database, the timer of the process goes on.
        sample = await takeSample(db).then(
          (taken) => moreExact(sample, taken),
          () => sample,
        );
      }
    },
  };
}

/** The later sample, unless its answer took so long that the earlier one is still more exact. */
export function moreExact(earlier: ClockSample, later: ClockSample): ClockSample {
  return later.errorMs < earlier.errorMs + (later.takenMs - earlier.takenMs) * DRIFT ? later : earlier;
}

/** The answer is as old as half of its way. */
async function takeSample(db: Kysely<Tables>): Promise<ClockSample> {
  const sentMs = performance.now();
  const { rows } = await sql<{ readonly ms: number }>`select now_ms() as ms`.execute(db);
  const databaseMs = rows[0]?.ms ?? 0;
  const takenMs = performance.now();
  const errorMs = (takenMs - sentMs) / 2;
  return { offsetMs: databaseMs - sentMs - errorMs, errorMs, takenMs };
}
