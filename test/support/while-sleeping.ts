import { setImmediate as nextLoop, setTimeout as sleep } from 'node:timers/promises';
import type { ManualClock } from './manual-clock.ts';

/** Most work ends within so many rounds of the event loop. */
const SPIN_ROUNDS = 50;

/** Waits for `work` and advances the clock while something sleeps. */
export async function whileSleeping<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
  let over = false;
  const end = (): void => {
    over = true;
  };
  work.then(end, end);
  for (let idleRounds = 0; !over;) {
    if (clock.sleeping > 0) {
      idleRounds = 0;
      await clock.advance(100);
    } else if (idleRounds++ < SPIN_ROUNDS) await nextLoop();
    // The work waits for a real timer, and other processes can use the time.
    else await sleep(1);
  }
  return work;
}
