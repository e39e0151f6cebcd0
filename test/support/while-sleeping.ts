import type { ManualClock } from './manual-clock.ts';

/** Waits for `work` and advances the clock while something sleeps. */
export async function whileSleeping<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
  let over = false;
  const end = (): void => {
    over = true;
  };
  work.then(end, end);
  while (!over) {
    if (clock.sleeping > 0) await clock.advance(100);
    else await new Promise((resolve) => setImmediate(resolve));
  }
  return work;
}
