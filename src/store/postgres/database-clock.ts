import { systemClock, type Clock } from '#src/clock.ts';

/** How often the clock is compared with the database. */
const COMPARE_EVERY_MS = 10_000;

export interface DatabaseClock extends Clock {
  /** Compares the clock with the database until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * The clock of the database, so that all workers have one time. In between, it follows the timer of the process, which no change of the
 * machine's clock affects.
 *
 * @param readMs the time of the database
 */
export async function openDatabaseClock(readMs: () => Promise<number>): Promise<DatabaseClock> {
  let offsetMs = await findOffset(readMs);
  return {
    nowMs: () => Math.floor(performance.now() + offsetMs),
    sleep: (ms, signal) => systemClock.sleep(ms, signal),

    async run(signal) {
      while (!signal.aborted) {
        await systemClock.sleep(COMPARE_EVERY_MS, signal).catch(() => undefined);
        if (signal.aborted) return;
        // Without the database, the timer of the process goes on.
        offsetMs = await findOffset(readMs).catch(() => offsetMs);
      }
    },
  };
}

/** The difference between the database and the timer of the process. The answer is as old as half of its way. */
async function findOffset(readMs: () => Promise<number>): Promise<number> {
  const sentMs = performance.now();
  const databaseMs = await readMs();
  return databaseMs - (sentMs + performance.now()) / 2;
}
